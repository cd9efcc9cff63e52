// What every refusal has in common (RFC 9457), asserted in one place.

import Testing

/// Records issues unless the answer is this problem; gives back the problem's members.
@discardableResult
package func expectProblem(
    _ response: HTTPResponse, _ status: Int, _ code: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSON {
    let context = Comment(rawValue: "\(response.request) → \(response.text.prefix(600))")
    #expect(response.status == status, context, sourceLocation: sourceLocation)
    #expect(
        response[header: "Content-Type"] == "application/problem+json", context,
        sourceLocation: sourceLocation)
    let problem = try response.json
    #expect(problem["code"] == .string(code), context, sourceLocation: sourceLocation)
    #expect(problem["type"] == .string("/problems/\(code)"), sourceLocation: sourceLocation)
    #expect(problem["status"] == .int(Int64(status)), sourceLocation: sourceLocation)
    #expect(problem["title"]?.string?.isEmpty == false, context, sourceLocation: sourceLocation)
    #expect(problem["detail"]?.string?.isEmpty == false, context, sourceLocation: sourceLocation)
    #expect(
        problem["instance"]?.string == response[header: "Traitd-Request-Id"], context,
        sourceLocation: sourceLocation)
    return problem
}
