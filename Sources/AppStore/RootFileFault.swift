/// Why a file of trusted roots cannot be used; the sentence names the file.
package struct RootFileFault: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// Neither PEM nor DER that holds a certificate and nothing else.
        case damaged
        /// Larger than any file of roots.
        case tooLarge
        /// A certificate that may not certify others.
        case notAuthority(subject: String)
        /// A certificate that somebody else issued, so it is no root.
        case notSelfIssued(subject: String)
    }

    /// As the operator gave it.
    package let file: String
    package let reason: Reason

    package init(file: String, reason: Reason) {
        self.file = file
        self.reason = reason
    }

    /// One sentence for a person at a terminal.
    package var sentence: String {
        switch reason {
        case .damaged: "'\(file)' holds no certificate that can be read, as PEM or as DER, or more than certificates"
        case .tooLarge: "'\(file)' is larger than \(TrustedRoots.largestFile / 1024) KiB, which no file of roots is"
        case .notAuthority(let subject): "'\(file)' holds '\(subject)', which may not certify others"
        case .notSelfIssued(let subject): "'\(file)' holds '\(subject)', which is no root: another authority issued it"
        }
    }
}
