import Consent
import Foundation
import HTTPServer
import Testing

@testable import API

/// Routes, problem slugs and event types against `openapi/openapi.yaml`, in both directions.
///
/// The file is kept in a regular form, two blanks a level and one key a line, so that reading lines is enough.
struct ContractTests {
    private static let lines: [Substring] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try? String(contentsOf: root.appending(path: "openapi/openapi.yaml"), encoding: .utf8)
        return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    }()

    /// Method and template of each operation, with what it says about itself.
    private struct Operation {
        let method: String
        let template: String
        var id = ""
        var statuses: Set<Int> = []
        var hasBody = false
        var bodyIsRequired = false
        var isOpen = false
        var parameters: Set<String> = []
    }

    private static let operations: [Operation] = {
        var operations: [Operation] = []
        var template = ""
        for line in lines.drop(while: { $0 != "paths:" }).prefix(while: { $0 != "components:" }) {
            let text = line.trimmingPrefix(while: { $0 == " " })
            switch line.count - text.count {
            case 2 where text.hasPrefix("/"): template = String(text.dropLast())
            case 4 where text.hasSuffix(":"):
                operations.append(Operation(method: text.dropLast().uppercased(), template: template))
            case 6 where text.hasPrefix("operationId: "):
                operations[operations.count - 1].id = String(text.dropFirst(13))
            case 6 where text == "requestBody:": operations[operations.count - 1].hasBody = true
            case 6 where text == "security: []": operations[operations.count - 1].isOpen = true
            case 8 where text == "required: true": operations[operations.count - 1].bodyIsRequired = true
            case 8 where text.hasPrefix("- $ref: '#/components/parameters/"):
                let name = text.split(separator: "/").last.map { String($0.dropLast()) } ?? ""
                operations[operations.count - 1].parameters.insert(name)
            case 8 where text.hasPrefix("'"):
                if let status = Int(text.dropFirst().prefix(3)) {
                    operations[operations.count - 1].statuses.insert(status)
                }
            default: break
            }
        }
        return operations
    }()

    /// The values that a schema enumerates, one a line.
    private func enumeration(_ schema: String) -> [String] {
        let rest = Self.lines.drop { $0 != "    \(schema):" }.dropFirst()
        return rest.prefix { $0.hasPrefix("      ") }.filter { $0.hasPrefix("        - ") }.map {
            String($0.dropFirst(10))
        }
    }

    @Test func routes() {
        let documented = Self.operations.map { "\($0.method) \($0.template) \($0.id)" }
        let served = Route.allCases.map { "\($0.location.method.text) \($0.location.template) \($0)" }
        #expect(Set(documented) == Set(served))
        #expect(documented.count == served.count)
    }

    @Test func problemSlugs() {
        let documented = enumeration("ProblemType").map { $0.replacing("/problems/", with: "") }
        #expect(Set(documented) == Set(ProblemType.all.map(\.slug)))
        #expect(documented.count == ProblemType.all.count)
        let text = Self.lines.joined(separator: "\n")
        for slug in documented { #expect(text.contains("`\(slug)`"), "no response speaks of \(slug)") }
    }

    @Test func eventTypes() {
        let documented = enumeration("EventType")
        #expect(Set(documented) == Set(EventType.allCases.map(\.rawValue)))
        #expect(documented.count == EventType.allCases.count)
    }

    @Test func bodiesKeysAndConditions() {
        for operation in Self.operations {
            guard let route = Route.allCases.first(where: { "\($0)" == operation.id }) else { continue }
            let isWriting = operation.method != "GET"
            #expect(
                operation.isOpen == ![.admin, .appAdmin, .app, .appWriting].contains(route.access),
                "\(route)")
            #expect(operation.hasBody == (route.body != .none), "\(route)")
            #expect(operation.bodyIsRequired == (route.body == .required || route.body == .table), "\(route)")
            // What a store sends is told apart by what it is, so a repeat needs no key.
            let takesKey = isWriting && route.access != .signed && route.body != .table
            #expect(operation.parameters.contains("IdempotencyKey") == takesKey, "\(route)")
            #expect(
                operation.parameters.contains("App") == [.app, .appWriting, .appAdmin].contains(route.access),
                "\(route)")
            #expect(operation.statuses.isSuperset(of: [400, 401, 403, 429, 500, 503]) || operation.isOpen, "\(route)")
            #expect(operation.statuses.isSuperset(of: [413, 415]) == (route.body != .none), "\(route)")
            #expect(operation.statuses.contains(304) == operation.parameters.contains("IfNoneMatch"), "\(route)")
            #expect(operation.statuses.contains(412) == operation.parameters.contains("IfMatch"), "\(route)")
        }
        #expect(Self.operations.count == Route.allCases.count)
    }
}
