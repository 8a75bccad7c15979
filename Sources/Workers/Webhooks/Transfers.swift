import CCurl
import Consent

/// The transfers under way and their connections; the courier's thread owns it.
final class Transfers {
    private let multi: UnsafeMutableRawPointer
    private let settings: Courier.Settings
    private var underWay: [UnsafeMutableRawPointer: Transfer] = [:]

    /// Connections kept for receivers that are sent to again.
    private static let keptConnections = 64

    init(_ multi: UnsafeMutableRawPointer, _ settings: Courier.Settings) {
        self.multi = multi
        self.settings = settings
        assent_curl_set_multi(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
    }

    var isEmpty: Bool { underWay.isEmpty }

    func begin(_ parcel: Courier.Parcel) {
        guard let transfer = Transfer(parcel, settings) else { return parcel.deliver(.failed(.unreachable)) }
        guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
            return parcel.deliver(.failed(.unreachable))
        }
        underWay[transfer.handle] = transfer
    }

    /// Does what can be done at once, tells of what has ended, and waits for more, at most a second.
    func work() {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var handle: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while assent_curl_ended(multi, &handle, &code) {
            guard let handle, let transfer = underWay.removeValue(forKey: handle) else { continue }
            curl_multi_remove_handle(multi, handle)
            transfer.parcel.deliver(transfer.result(code))
        }
        curl_multi_poll(multi, nil, 0, 1_000, nil)
    }

    /// Closes everything; those who wait are told that nothing is known.
    func abandon() {
        for (handle, transfer) in underWay {
            curl_multi_remove_handle(multi, handle)
            transfer.parcel.deliver(nil)
        }
        underWay = [:]
    }
}
