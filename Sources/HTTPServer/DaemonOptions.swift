import CMicrohttpd
import Glibc

/// The flags and options a daemon is started with.
struct DaemonOptions {
    private let configuration: ServerConfiguration
    private let log: MessageLog

    init(_ configuration: ServerConfiguration, log: MessageLog) {
        self.configuration = configuration
        self.log = log
    }

    /// The daemon, or nil; `log` then knows why. `loop` becomes the closure of every callback and must outlive the daemon.
    func start(for loop: EventLoop) -> OpaquePointer? {
        var flags = MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ERROR_LOG.rawValue
        flags |= MHD_ALLOW_SUSPEND_RESUME.rawValue
        if configuration.tls != nil { flags |= MHD_USE_TLS.rawValue }
        let closure = Unmanaged.passUnretained(loop).toOpaque()
        var options = [
            log.option,
            option(MHD_OPTION.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory),
            // The acceptor keeps the limit; this only has to be out of its way.
            option(MHD_OPTION.CONNECTION_LIMIT, Int(Int32.max)),
            // `Server.start` ignores the signal.
            option(MHD_OPTION.SIGPIPE_HANDLED_BY_APP, 1),
            // A C function travels in an option's word, which the library casts back.
            option(MHD_OPTION.URI_LOG_CALLBACK, unsafeBitCast(EventLoop.onTarget, to: Int.self), closure),
            option(MHD_OPTION.NOTIFY_COMPLETED, unsafeBitCast(EventLoop.onCompleted, to: Int.self), closure),
            option(MHD_OPTION.NOTIFY_CONNECTION, unsafeBitCast(EventLoop.onConnection, to: Int.self), closure),
        ]
        // The library reads the texts while it starts and keeps none of them.
        let texts = configuration.tls.map { [$0.key, $0.certificate, $0.priorities] } ?? []
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let kinds = [MHD_OPTION.HTTPS_MEM_KEY, MHD_OPTION.HTTPS_MEM_CERT, MHD_OPTION.HTTPS_PRIORITIES]
        for (kind, copy) in zip(kinds, copies) { options.append(option(kind, 0, copy)) }
        options.append(option(MHD_OPTION.END, 0))
        return assent_mhd_start(flags, EventLoop.onRequest, closure, &options)
    }

    private func option(_ kind: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
        MHD_OptionItem(option: kind, value: value, ptr_value: pointer)
    }
}
