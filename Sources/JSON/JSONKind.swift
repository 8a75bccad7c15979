import CJansson

/// What sort of JSON value stands somewhere; `1` is an integer, `1.0` and `1e2` are numbers only.
package enum JSONKind: Sendable, Equatable {
    case object, array, string, integer, number, boolean, null

    init(_ type: json_type) {
        switch type {
        case JSON_OBJECT: self = .object
        case JSON_ARRAY: self = .array
        case JSON_STRING: self = .string
        case JSON_INTEGER: self = .integer
        case JSON_REAL: self = .number
        case JSON_TRUE, JSON_FALSE: self = .boolean
        default: self = .null
        }
    }
}
