/// Which addresses webhooks may be sent to: public ones by https, and what the operator allows besides, by http too.
package struct AddressPolicy: Sendable, Hashable {
    /// Ranges of the operator's own, such as the network its receivers are in.
    package let allowed: [AddressRange]

    package init(allowed: [AddressRange] = []) {
        self.allowed = allowed
    }

    /// Why nothing may be sent to an address, or nil. Asked of the very address a connection is made to, since a name may
    /// mean another one than when it was registered.
    package func refusal(of address: IPAddress, isPlain: Bool) -> AddressRefusal? {
        let address = address.unmapped
        if allowed.contains(where: { $0.contains(address) }) { return nil }
        if let purpose = SpecialPurpose.of(address) { return .special(purpose: purpose) }
        return isPlain ? .plain : nil
    }

    /// Why nothing may be sent to a URL, as far as that can be told without asking what its name stands for; or nil.
    package func refusal(of url: WebhookURL) -> AddressRefusal? {
        switch url.host {
        case .address(let address): return refusal(of: address, isPlain: url.isPlain)
        case .name:
            if url.isLocalName {
                return Self.loopback.compactMap { refusal(of: $0, isPlain: url.isPlain) }.count < Self.loopback.count
                    ? nil : .special(purpose: "loopback")
            }
            return url.isPlain && allowed.isEmpty ? .plain : nil
        }
    }

    /// Why nothing may be sent to a URL whose name stands for these addresses: one that is refused refuses all, since a
    /// connection may be made to any.
    package func refusal(of url: WebhookURL, resolved: [IPAddress]) -> AddressRefusal? {
        refusal(of: url) ?? resolved.lazy.compactMap { refusal(of: $0, isPlain: url.isPlain) }.first
    }

    private static let loopback: [IPAddress] = [.v4(0x7f00_0001), .v6(high: 0, low: 1)]
}
