/// The spelling of IPv6 addresses.
enum IPv6 {
    /// Whether bytes are an address in its one short form (WHATWG URL §3.5): eight groups of lower-case hex without
    /// leading zeros, the first of the longest runs of two or more zero groups written as `::`.
    static func isCanonical(_ text: ArraySlice<UInt8>) -> Bool {
        guard let groups = groups(text) else { return false }
        return shortForm(groups).utf8.elementsEqual(text)
    }

    /// The eight groups, or nil where the bytes are none of the forms of RFC 4291 §2.2: hexadecimal groups, one run of zero
    /// groups left out, the last two groups as an IPv4 address.
    static func groups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        guard text.count <= 45 else { return nil }
        guard text.contains(UInt8(ascii: ".")) else { return hexGroups(text) }
        guard let colon = text.lastIndex(of: UInt8(ascii: ":")), let last = IPAddress.dotted(text[(colon + 1)...])
        else {
            return nil
        }
        let tail = String(last >> 16, radix: 16) + ":" + String(last & 0xffff, radix: 16)
        return hexGroups(text[...colon] + tail.utf8)
    }

    private static func hexGroups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        guard text.count <= 39, !isSingle(text.prefix(2)), !isSingle(text.suffix(2).reversed()[...]) else { return nil }
        let fields = text.split(separator: 0x3a, omittingEmptySubsequences: false)
        var before: [UInt16] = []
        var after: [UInt16]?
        for (index, field) in fields.enumerated() {
            if field.isEmpty {
                // Leading and trailing `::` make two empty fields; elsewhere one empty field is the gap.
                if index == 0 || index == fields.count - 1 { continue }
                guard after == nil else { return nil }
                after = []
                continue
            }
            guard field.count <= 4, let group = hex(field) else { return nil }
            if after == nil { before.append(group) } else { after?.append(group) }
        }
        guard let after else { return before.count == 8 ? before : nil }
        let gap = 8 - before.count - after.count
        return gap > 0 ? before + Array(repeating: 0, count: gap) + after : nil
    }

    /// Whether two outermost bytes, from the outside, are a colon and something else.
    private static func isSingle(_ ends: ArraySlice<UInt8>) -> Bool {
        ends.first == UInt8(ascii: ":") && ends.dropFirst().first != UInt8(ascii: ":")
    }

    private static func hex(_ field: ArraySlice<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for byte in field {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt16(byte - 0x30)
            case 0x61...0x66: value = value << 4 | UInt16(byte - 0x57)
            case 0x41...0x46: value = value << 4 | UInt16(byte - 0x37)
            default: return nil
            }
        }
        return value
    }

    /// The one short form: WHATWG URL §3.5, RFC 5952 §4.
    static func shortForm(_ groups: [UInt16]) -> String {
        guard let zeros = longestZeros(groups) else { return joined(groups[...]) }
        return joined(groups[..<zeros.lowerBound]) + "::" + joined(groups[zeros.upperBound...])
    }

    private static func joined(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
        var longest: Range<Int>?
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, longest?.count ?? 0) {
                longest = start..<(index + 1)
            }
        }
        return longest
    }
}
