import CMicrohttpd
import Glibc

/// What libmicrohttpd calls, always on the loop's own thread. A `Connection` is retained from its start to its close, an
/// `Exchange` from its request line to its completion; both as the pointers libmicrohttpd keeps for us.
extension EventLoop {
    static let onConnection: MHD_NotifyConnectionCallback = { closure, handle, context, code in
        guard let closure, let handle, let context else { return }
        let loop = Unmanaged<EventLoop>.fromOpaque(closure).takeUnretainedValue()
        if code == .CONNECTION_NOTIFY_STARTED {
            let connection = Connection(
                descriptor: assent_mhd_descriptor(handle), peer: PeerAddress.text(assent_mhd_peer(handle)),
                secure: loop.server.configuration.tls != nil, now: Monotonic.now())
            context.pointee = Unmanaged.passRetained(connection).toOpaque()
            loop.enter(connection)
        } else if let pointer = context.pointee {
            context.pointee = nil
            loop.leave(Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
        }
    }

    static let onTarget:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { closure, target, handle in
            guard let closure, let handle, let context = assent_mhd_socket_context(handle) else { return nil }
            let loop = Unmanaged<EventLoop>.fromOpaque(closure).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: target, count: target.map { strlen($0) } ?? 0)
            let exchange = Exchange(
                loop: loop, connection: Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue(),
                handle: handle, target: Array(bytes), now: Monotonic.now())
            exchange.begin()
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    static let onRequest: MHD_AccessHandlerCallback = { _, _, _, method, version, upload, size, context in
        guard let pointer = context?.pointee, let method, let version, let size else { return .NO }
        return Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
            .advance(method: method, version: version, upload: upload, size: size)
    }

    static let onCompleted: MHD_RequestCompletedCallback = { _, _, context, code in
        guard let context, let pointer = context.pointee else { return }
        context.pointee = nil
        Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().end(sent: code == .REQUEST_TERMINATED_COMPLETED_OK)
    }
}
