import CMicrohttpd
import Glibc

/// A named system thread for work that blocks. Whoever started it joins or detaches it, once.
struct ServiceThread: Sendable {
    private let handle: pthread_t

    private final class Body {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Nil when the system gives no thread. `name` is cut at 15 bytes.
    init?(_ name: String, _ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: run))
        var handle = pthread_t()
        let code = pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                pthread_setname_np(pthread_self(), body.name)
                body.run()
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return nil
        }
        self.handle = handle
    }

    func detach() { pthread_detach(handle) }

    func join() { pthread_join(handle, nil) }
}
