package import JSON

/// What went wrong, for the caller, as RFC 9457 has it; free of anything that came in the request but its shape.
package struct ProblemDocument: Sendable {
    /// The stable name that `type` ends in.
    package let slug: String
    package let title: String
    package let status: Int
    /// What the caller can do about this very case.
    package var detail: String?
    /// A stable name of why, where one type has several.
    package var reason: String?
    /// Every wrong field of the body.
    package var errors: [FieldError]
    /// The resource as it stands, as one JSON value.
    package var current: [UInt8]?
    /// The query parameter to blame.
    package var parameter: String?
    /// The header to blame.
    package var header: String?
    /// The names of the limits that are used up.
    package var violatedPolicies: [String]
    package var requestID: String?

    package init(
        slug: String, title: String, status: Int, detail: String? = nil, reason: String? = nil,
        errors: [FieldError] = [], current: [UInt8]? = nil, parameter: String? = nil, header: String? = nil,
        violatedPolicies: [String] = [], requestID: String? = nil
    ) {
        self.slug = slug
        self.title = title
        self.status = status
        self.detail = detail
        self.reason = reason
        self.errors = errors
        self.current = current
        self.parameter = parameter
        self.header = header
        self.violatedPolicies = violatedPolicies
        self.requestID = requestID
    }
}

extension JSONWriter {
    /// A problem; members that say nothing are left out.
    package mutating func problem(_ problem: ProblemDocument) {
        beginObject()
        key("type")
        string("/problems/" + problem.slug)
        key("title")
        string(problem.title)
        key("status")
        integer(problem.status)
        if let detail = problem.detail {
            key("detail")
            string(detail)
        }
        if let reason = problem.reason {
            key("reason")
            string(reason)
        }
        if !problem.errors.isEmpty {
            key("errors")
            beginArray()
            for error in problem.errors { fieldError(error) }
            endArray()
        }
        if let current = problem.current {
            key("current")
            raw(current)
        }
        if let parameter = problem.parameter {
            key("parameter")
            string(parameter)
        }
        if let header = problem.header {
            key("header")
            string(header)
        }
        if !problem.violatedPolicies.isEmpty {
            // The draft's own spelling, which clients of other services know.
            key("violated-policies")
            beginArray()
            for policy in problem.violatedPolicies { string(policy) }
            endArray()
        }
        if let requestID = problem.requestID {
            key("requestId")
            string(requestID)
        }
        endObject()
    }

    private mutating func fieldError(_ error: FieldError) {
        beginObject()
        key("pointer")
        string(error.pointer)
        key("detail")
        string(error.detail)
        endObject()
    }
}
