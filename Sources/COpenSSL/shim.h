#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Macros with casts, which Swift does not import.

/// A fresh key on P-256; `NULL` where none can be made.
static inline EVP_PKEY *assent_p256_generate(void) {
    return EVP_EC_gen("P-256");
}

/// Overwrites what OpenSSL allocated, and frees it.
static inline void assent_clear_free(void *start, size_t length) {
    OPENSSL_clear_free(start, length);
}

/// How many certificates a chain has.
static inline int assent_chain_count(const STACK_OF(X509) * chain) {
    return chain == NULL ? 0 : sk_X509_num(chain);
}

/// The certificate at a place of a chain, which still belongs to the chain.
static inline X509 *assent_chain_certificate(const STACK_OF(X509) * chain, int place) {
    return sk_X509_value(chain, place);
}

/// An empty list that does not own what is put into it; `NULL` without memory.
static inline STACK_OF(X509) * assent_chain_new(void) {
    return sk_X509_new_null();
}

/// Puts a certificate at the end, which is not retained; 0 without memory.
static inline int assent_chain_append(STACK_OF(X509) * chain, X509 *certificate) {
    return sk_X509_push(chain, certificate);
}

/// Frees the list, and not what is in it.
static inline void assent_chain_free(STACK_OF(X509) * chain) {
    sk_X509_free(chain);
}

/// How RFC 2253 writes a name.
static const unsigned long assent_name_form = XN_FLAG_RFC2253;
