import CCurl
import Consent
import Glibc

/// One letter on its way; the courier's thread owns it, and libcurl calls back on that thread.
final class Transfer {
    let parcel: Courier.Parcel
    let handle: UnsafeMutableRawPointer
    private let policy: AddressPolicy
    private var lines: UnsafeMutablePointer<curl_slist>?

    /// Whether the head of the final answer has come in full: from then on the answer counts, whatever becomes of its body.
    private var isAnswered = false
    private var headBytes = 0
    private var bodyBytes = 0
    /// Why no socket was opened for an address, and whether one was for another.
    private var refusal: AddressRefusal?
    private var hasOpened = false

    /// An answer's head may not be longer, with everything before it.
    private static let longestHead = 32_768
    /// What is read of an answer's body, so that its connection can be used again; nothing of it is kept.
    private static let longestBody = 65_536

    /// Nil without memory, or where libcurl lacks an option that keeps the rules.
    init?(_ parcel: Courier.Parcel, _ settings: Courier.Settings) {
        guard let handle = curl_easy_init() else { return nil }
        self.parcel = parcel
        self.handle = handle
        policy = settings.policy
        guard address(), request(settings), answer() else { return nil }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(lines)
    }

    // MARK: What is asked of libcurl

    /// Where it goes: nowhere but to the URL's own host, whatever the environment or an answer says.
    private func address() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let isSet = [
            assent_curl_set_text(handle, CURLOPT_URL, parcel.letter.url.text),
            assent_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, parcel.letter.url.isPlain ? "http" : "https"),
            assent_curl_set_text(handle, CURLOPT_PROXY, ""),
            assent_curl_set_text(handle, CURLOPT_NOPROXY, "*"),
            assent_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
            assent_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1),
            assent_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context),
            assent_curl_set_open(handle) { context, _, address in
                guard let context, let address else { return -1 }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().open(address)
            },
        ]
        return isSet.allSatisfy { $0 == CURLE_OK }
    }

    private func request(_ settings: Courier.Settings) -> Bool {
        for header in parcel.letter.headers + [("Content-Type", "application/json"), ("Expect", "")] {
            guard
                let longer = curl_slist_append(
                    lines, header.value.isEmpty ? "\(header.name):" : "\(header.name): \(header.value)")
            else { return false }
            lines = longer
        }
        var isSet = [
            assent_curl_set_long(handle, CURLOPT_POST, 1),
            assent_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, parcel.letter.body.count),
            assent_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines),
            assent_curl_set_text(handle, CURLOPT_USERAGENT, settings.userAgent),
            assent_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            assent_curl_set_long(handle, CURLOPT_TIMEOUT_MS, settings.timeout.milliseconds),
            assent_curl_set_long(
                handle, CURLOPT_CONNECTTIMEOUT_MS, min(settings.connectTimeout, settings.timeout).milliseconds),
            assent_curl_set_long(handle, CURLOPT_NOSIGNAL, 1),
            // What is given up is not waited for, though its name be looked up still.
            assent_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1),
            // So that a name's new address is used before long.
            assent_curl_set_long(handle, CURLOPT_MAXAGE_CONN, 60),
            assent_curl_set_long(handle, CURLOPT_MAXLIFETIME_CONN, 600),
            assent_curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1),
            assent_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2),
            assent_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // Certificates that come from one file alone are read once and kept.
            assent_curl_set_text(handle, CURLOPT_CAPATH, nil),
        ]
        if let authorities = settings.authorities {
            isSet.append(assent_curl_set_text(handle, CURLOPT_CAINFO, authorities))
        }
        isSet.append(
            parcel.letter.body.withUnsafeBytes {
                assent_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
            })
        return isSet.allSatisfy { $0 == CURLE_OK }
    }

    private func answer() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let isSet = [
            assent_curl_set_pointer(handle, CURLOPT_HEADERDATA, context),
            assent_curl_set_data(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
                guard let data, let context else { return 0 }
                let line = UnsafeRawBufferPointer(start: data, count: size * count)
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().head(line) ? line.count : 0
            },
            assent_curl_set_pointer(handle, CURLOPT_WRITEDATA, context),
            assent_curl_set_data(handle, CURLOPT_WRITEFUNCTION) { _, size, count, context in
                guard let context else { return 0 }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().body(size * count)
                    ? size * count : 0
            },
        ]
        return isSet.allSatisfy { $0 == CURLE_OK }
    }

    // MARK: What libcurl tells

    /// A socket for a connection to this very address; none for one that is refused.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        guard let to = IPAddress(assent_curl_address(address)) else { return -1 }
        if let refusal = policy.refusal(of: to, isPlain: parcel.letter.url.isPlain) {
            self.refusal = refusal
            return -1
        }
        hasOpened = true
        let (family, type) = (address.pointee.family, address.pointee.socktype)
        return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    /// A line of a head, its end included; false ends the transfer.
    private func head(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.longestHead else { return false }
        // The blank line; heads of the 100s come before the answer's.
        if line.first == 0x0d || line.first == 0x0a, status >= 200 { isAnswered = true }
        return true
    }

    private func body(_ count: Int) -> Bool {
        bodyBytes += count
        return bodyBytes <= Self.longestBody
    }

    private var status: Int { assent_curl_long(handle, CURLINFO_RESPONSE_CODE) }

    /// What came of it, once libcurl says how it ended.
    func result(_ code: CURLcode) -> AttemptResult {
        guard !isAnswered else {
            let seconds = assent_curl_offset(handle, CURLINFO_RETRY_AFTER)
            return .answered(status: status, retryAfterSeconds: seconds > 0 ? Int(seconds) : nil)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .failed(.unresolved)
        case CURLE_COULDNT_CONNECT: return .failed(refusal != nil && !hasOpened ? .blocked : .unreachable)
        case CURLE_OPERATION_TIMEDOUT: return .failed(.timeout)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED:
            return .failed(.tls)
        // A head that ends with its connection is a success to libcurl, and no answer.
        case CURLE_OK, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
            CURLE_SSL_SHUTDOWN_FAILED:
            return .failed(.interrupted)
        default: return .failed(.invalidResponse)
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
