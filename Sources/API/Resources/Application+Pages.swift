import HTTPServer
import JSON

extension Application {
    /// The pages outside `/v1`, for operators and their machines.
    func answer(_ page: OperationalPage, _ request: Request) async -> Response {
        switch page {
        case .health:
            return .json(200) { $0.status("ok") }
        case .readiness:
            switch await pages.readiness() {
            case .ready: return .json(200) { $0.status("ready") }
            case .notReady(let reason):
                return Problem(.unavailable, reason, retryAfter: 1).response(requestID: request.id)
            }
        case .metrics:
            return .text("text/plain; version=0.0.4; charset=utf-8", await pages.metrics())
        case .contract:
            return .text("application/yaml", pages.contract)
        case .signingKeys: return await showSigningKeys(request)
        }
    }
}

extension Response {
    fileprivate static func text(_ type: String, _ body: [UInt8]) -> Response {
        Response(
            status: 200,
            headers: [
                HeaderField("Content-Type", type), HeaderField("Cache-Control", "no-store"),
                HeaderField("X-Content-Type-Options", "nosniff"),
            ],
            body: body)
    }
}

extension JSONWriter {
    fileprivate mutating func status(_ text: String) {
        beginObject()
        key("status")
        string(text)
        endObject()
    }
}
