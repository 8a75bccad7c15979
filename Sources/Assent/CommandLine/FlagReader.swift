/// Gathers one command's flags and operands, refusing what does not fit as it comes.
struct FlagReader {
    let command: Subcommand
    var operands: [String] = []
    private var options: [String: [String]] = [:]
    private var flags: [String: String] = [:]

    init(command: Subcommand) {
        self.command = command
    }

    /// Takes one word that starts with a dash and, where its flag needs a value and has none attached, the next word.
    mutating func flag(_ word: String, next rest: inout ArraySlice<String>) throws(UsageFault) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelled = String(parts[0])
        let attached = parts.count > 1 ? String(parts[1]) : nil
        let name = spelled.hasPrefix("--") ? String(spelled.dropFirst(2)) : ""
        if let option = command.options.first(where: { $0.name == name }) {
            let value = try Self.value(spelled, option.valueName != nil, attached, &rest)
            if options[name] != nil, !option.repeats { throw .repeated(flag: spelled) }
            options[name, default: []].append(value)
        } else if let setting = command.settings.first(where: { $0.isFlag && $0.name == name }) {
            let value = try Self.value(spelled, setting.valueName != nil, attached, &rest)
            if let earlier = flags[name] {
                guard setting.repeats else { throw .repeated(flag: spelled) }
                flags[name] = "\(earlier):\(value)"
            } else {
                flags[name] = setting.valueName == nil ? "true" : value
            }
        } else {
            let known = (command.options.map(\.name) + command.settings.filter(\.isFlag).map(\.name)).map { "--\($0)" }
            throw .unknownFlag(spelled, near: Spelling.near(spelled, among: known + ["--help"]))
        }
    }

    private static func value(
        _ spelled: String, _ takesValue: Bool, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageFault) -> String {
        guard takesValue else {
            if attached != nil { throw .unexpectedValue(flag: spelled) }
            return ""
        }
        if let attached { return attached }
        guard let next = rest.first, !next.hasPrefix("--") else { throw .missingValue(flag: spelled) }
        rest.removeFirst()
        return next
    }

    func finish() throws(UsageFault) -> Invocation {
        for option in command.options where option.required && options[option.name] == nil {
            throw .missingOption(flag: "--\(option.name)")
        }
        if operands.count < command.operands.count {
            throw .missingOperand(command.operands[operands.count])
        }
        if operands.count > command.operands.count {
            throw .extraOperand(operands[command.operands.count])
        }
        return Invocation(command: command, options: options, flags: flags, operands: operands)
    }
}
