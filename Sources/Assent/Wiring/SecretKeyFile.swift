import Crypto

/// The operator's keys as a file holds them: what `ASSENT_SECRET_KEY` would, and perhaps a line break at its end.
struct SecretKeyFile: Sendable {
    let path: String

    /// The keys, the newest first; nil where the file cannot be read or holds something else.
    var keys: [SecretKey]? {
        guard let text = Files.readText(path) else { return nil }
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return end.flatMap { SecretKey.list(String(text[...$0])) }
    }

    /// The file's keys, made on first use: readable by its owner only. Of two processes that make it at once one's is taken.
    func keysMadeIfMissing() throws(StartFailure) -> [SecretKey] {
        if !Files.exists(path) {
            let text: String
            do { text = try SecretKey.random() } catch { throw .failed("the system has no random bytes to give") }
            // The cluster's folder, which others may pass through; it may not be there yet.
            if let folder = Files.parent(of: path) { _ = Files.makeFolder(folder, mode: 0o711) }
            guard Files.writePrivately(text + "\n", to: path, replacing: false) || Files.exists(path) else {
                throw .failed("\(path) cannot be written")
            }
        }
        guard let keys else { throw .configuration("\(path) holds no secret key (32 bytes in base64)") }
        return keys
    }
}

extension SecretBox {
    /// Where stored secrets are sealed and opened, as the settings say: under the keys given, those of the file given, or with
    /// `--embedded` those of the data directory. Nil where no key is configured.
    static func find(_ configuration: Configuration) throws(StartFailure) -> SecretBox? {
        if let path = configuration.secretKeyFile {
            guard let keys = SecretKeyFile(path: path).keys else {
                throw .configuration(
                    "--secret-key-file (ASSENT_SECRET_KEY_FILE): \(path) cannot be read, or holds no secret key")
            }
            return SecretBox(keys)
        }
        guard configuration.secretKeys.isEmpty, configuration.embedded else {
            return SecretBox(configuration.secretKeys)
        }
        return SecretBox(try file(in: configuration.dataDirectory).keysMadeIfMissing())
    }

    /// Where `--embedded` keeps its key.
    static func file(in dataDirectory: String) -> SecretKeyFile {
        SecretKeyFile(path: "\(dataDirectory)/secret.key")
    }
}
