import CMicrohttpd
import Glibc
import Synchronization

/// Where libmicrohttpd's messages go: to the loop while it runs, else remembered to say why it does not start. Lives as long as
/// the daemon that holds its pointer.
///
/// `loop` is set before the daemon runs, and the library calls on the loop's thread only; hence `@unchecked Sendable`.
final class MessageLog: @unchecked Sendable {
    weak var loop: EventLoop?
    private(set) var last = ""
    private let target = UnsafeMutablePointer<assent_mhd_log>.allocate(capacity: 1)

    init() {
        target.initialize(
            to: assent_mhd_log(
                report: { context, message in
                    guard let context, let message else { return }
                    Unmanaged<MessageLog>.fromOpaque(context).takeUnretainedValue().hear(message)
                }, context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { target.deallocate() }

    var option: MHD_OptionItem { assent_mhd_log_option(target) }

    private func hear(_ message: UnsafePointer<CChar>) {
        if let loop { return loop.hear(message) }
        var text = String(cString: message)
        while text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
        last = text
    }
}
