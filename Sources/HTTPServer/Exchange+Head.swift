import CMicrohttpd

/// Reading and judging the head, on the loop's thread.
extension Exchange {
    /// Copies the head into `head` as far as it can be read, and says how the body is framed or what is wrong. A fault of the
    /// framing comes first: after it nothing on the connection can be trusted.
    func inspectHead(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) throws(Fault) -> Framing {
        let size = assent_mhd_head_size(handle)
        let rest = UnsafeRawPointer(version) + 8
        let end = UnsafeRawPointer(method) + size
        guard end >= rest + 4 else { throw .badRequestLine(detail: "the head cannot be read") }
        var reader = HeadReader(block: UnsafeRawBufferPointer(start: rest, count: end - rest))
        withUnsafeMutablePointer(to: &reader) { reader in
            _ = MHD_get_connection_values_n(
                handle, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    guard let context, let name else { return .NO }
                    // The context is the reader that is given below.
                    context.assumingMemoryBound(to: HeadReader.self).pointee.take(
                        name: name, nameLength: nameLength, value: value ?? name + nameLength, valueLength: valueLength)
                    return .YES
                }, reader)
        }
        let headers = try reader.finish()
        let name = String(cString: method)
        let tight = UnsafeRawPointer(version) - UnsafeRawPointer(method) == name.utf8.count + 1 + target.count + 1
        let read = Method(name)
        var parsed: Target?
        var fault: Fault?
        do throws(Fault) { parsed = try Target(parsing: target[...], method: read) } catch { fault = error }
        head = RequestHead(
            method: read, target: String(decoding: target, as: UTF8.self), path: parsed?.path ?? [],
            query: parsed?.query ?? [], headers: headers,
            id: RequestIdentifier.accepted(headers.bytes(of: "X-Request-Id")) ?? server.nextIdentifier(),
            peer: connection.peer, secure: connection.secure)
        guard name.utf8.allSatisfy(\.isTokenByte), tight else {
            throw .badRequestLine(detail: "method, target and version must be separated by one space, without NUL")
        }
        let framing = try Framing(headers, minor: Int(version[7]) - 0x30)
        if target.count > server.configuration.targetLimit {
            throw .targetTooLong(limit: server.configuration.targetLimit)
        }
        if size > server.configuration.headLimit { throw .headTooLarge(limit: server.configuration.headLimit) }
        if let fault { throw fault }
        return framing
    }
}
