import COpenSSL

/// The roots that chains may end at.
package final class TrustAnchors: Sendable {
    // Sound: filled in `init` and only searched afterwards, which OpenSSL does under the store's own lock.
    private nonisolated(unsafe) let store: OpaquePointer?
    private let roots: [Certificate]

    /// - Parameter roots: each issued by itself.
    package init(_ roots: [Certificate]) {
        self.roots = roots
        store = X509_STORE_new()
        for root in roots { X509_STORE_add_cert(store, root.x509) }
    }

    deinit {
        X509_STORE_free(store)
    }

    /// Checks that a trusted root signed `intermediate`, which signed `leaf`, and all that RFC 5280 says about such a chain but
    /// the dates, which depend on when it was used; returns the root.
    ///
    /// Both signatures are verified here, so this takes milliseconds.
    package func verify(leaf: Certificate, intermediate: Certificate) throws(ChainFault) -> Certificate {
        guard leaf.names(issuer: intermediate) else { throw .leafIssuer }
        guard roots.contains(where: { intermediate.names(issuer: $0) }) else { throw .noRoot }
        guard leaf.namesItsCurve, intermediate.namesItsCurve else { throw .tooWeak }
        guard let store, let context = X509_STORE_CTX_new(), let between = assent_chain_new() else {
            throw .other("out of memory")
        }
        defer {
            X509_STORE_CTX_free(context)
            assent_chain_free(between)
            ERR_clear_error()
        }
        guard
            assent_chain_append(between, intermediate.x509) > 0,
            X509_STORE_CTX_init(context, store, leaf.x509, between) == 1,
            let rules = X509_STORE_CTX_get0_param(context)
        else { throw .other("out of memory") }
        X509_VERIFY_PARAM_set_flags(rules, UInt(X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_X509_STRICT))
        X509_VERIFY_PARAM_set_auth_level(rules, 2)
        guard X509_verify_cert(context) == 1 else { throw Self.fault(of: context) }
        // A root with the intermediate's name would make a chain of two, which the marks were not checked on.
        guard
            let chain = X509_STORE_CTX_get0_chain(context), assent_chain_count(chain) == 3,
            X509_cmp(assent_chain_certificate(chain, 1), intermediate.x509) == 0,
            let end = assent_chain_certificate(chain, 2),
            let root = roots.first(where: { X509_cmp($0.x509, end) == 0 })
        else { throw .noRoot }
        return root
    }

    private static func fault(of context: OpaquePointer) -> ChainFault {
        let code = X509_STORE_CTX_get_error(context)
        let isLeaf = X509_STORE_CTX_get_error_depth(context) == 0
        switch code {
        case X509_V_ERR_CERT_SIGNATURE_FAILURE: return isLeaf ? .leafSignature : .intermediateSignature
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return isLeaf ? .leafIssuer : .noRoot
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .noRoot
        case X509_V_ERR_CA_MD_TOO_WEAK, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_EE_KEY_TOO_SMALL,
            X509_V_ERR_EC_KEY_EXPLICIT_PARAMS:
            return .tooWeak
        default:
            let words = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)"
            return .other(words)
        }
    }
}

extension Certificate {
    /// False for a key whose curve is given by numbers instead of a name.
    fileprivate var namesItsCurve: Bool {
        guard let key = X509_get0_pubkey(x509) else { return false }
        return EVP_PKEY_get_base_id(key) != EVP_PKEY_EC || !ES256Key.spellsOutItsCurve(key)
    }
}
