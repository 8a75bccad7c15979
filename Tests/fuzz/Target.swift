import Crypto

@testable import AppStore

/// What libFuzzer calls with every input: the first byte says which reader takes the rest. A trap, a sanitizer's report or a
/// broken promise below ends the run and leaves the input behind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 7 {
    case 0: tokens(bytes)
    case 1: header(bytes)
    case 2: notification(bytes)
    case 3: appTransaction(bytes)
    case 4: certificate(bytes)
    case 5: roots(bytes)
    default: base64(bytes)
    }
    return 0
}

private let registration = AppStoreRegistration(
    bundleID: "com.example.reader", appAppleID: "41234", environments: [.production, .sandbox])

private let anchors = TrustAnchors([])

private func promise(_ holds: Bool, _ what: StaticString) {
    precondition(holds, "\(what)")
}

/// A whole token, with nobody to trust.
private func tokens(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = TokenInspection(text)
    guard let token = try? Token(text) else { return }
    promise(token.signature.count == 64, "a signature has 64 bytes")
    promise(VerifiedChains.key(of: token.header) != nil, "a header can be hashed")
    promise((try? ChainRules.verify(token.header, by: anchors)) == nil, "nothing verifies without roots")
}

private func header(_ bytes: [UInt8]) {
    guard let header = try? TokenHeader(bytes) else { return }
    _ = try? ChainRules.verify(header, by: anchors)
}

/// A payload as if its signature held.
private func notification(_ bytes: [UInt8]) {
    guard let draft = try? NotificationDraft(bytes) else { return }
    promise(draft.record.payload == bytes, "the payload is kept as it came")
    promise((1...128).contains(draft.record.identity.utf8.count), "an identity has 1 to 128 bytes")
    promise(draft.record.signedDate >= 0, "a date is not before 1970")
    guard (try? draft.refuseUnsigned()) != nil, let essentials = try? draft.essentials() else { return }
    _ = try? draft.innerToken()
    if let match = try? essentials.identity.match([registration]) {
        promise(match.bundleID == registration.bundleID, "what matches is about the bundle")
    }
}

private func appTransaction(_ bytes: [UInt8]) {
    guard let draft = try? AppTransactionDraft(bytes), (try? draft.refuseUnsigned()) != nil,
        let transaction = try? draft.accept([registration], now: .max - AppStoreVerifier.tolerance)
    else { return }
    promise((1...128).contains(transaction.appTransactionID.utf8.count), "an id has 1 to 128 bytes")
}

private func certificate(_ bytes: [UInt8]) {
    guard let certificate = Certificate(der: bytes) else { return }
    promise(certificate.validity.lowerBound <= certificate.validity.upperBound, "validity has a direction")
    let text = certificate.subject + certificate.issuer + certificate.keyDescription
    promise(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "names are one line of ASCII")
    _ = certificate.hasExtension(ChainRules.leafMark)
    _ = certificate.es256Key?.verifies([UInt8](repeating: 1, count: 64), of: bytes)
    _ = (certificate.isAuthority, certificate.isSelfIssued, certificate.mayCertify, certificate.maySign)
    promise(certificate.fingerprint.bytes.count == 32, "a fingerprint has 32 bytes")
    // With itself as root it comes as far as the signatures.
    _ = try? TrustAnchors([certificate]).verify(leaf: certificate, intermediate: certificate)
}

private func roots(_ bytes: [UInt8]) {
    if let roots = try? TrustedRoots(files: [("fuzz", bytes)]) {
        promise(!roots.roots.isEmpty, "roots are never empty")
    }
}

private func base64(_ bytes: [UInt8]) {
    if let decoded = Base64URL.decode(bytes) {
        promise(Array(Base64URL.encode(decoded).utf8) == bytes, "bytes have one text")
    }
    _ = Base64.decode(String(decoding: bytes, as: UTF8.self))
}
