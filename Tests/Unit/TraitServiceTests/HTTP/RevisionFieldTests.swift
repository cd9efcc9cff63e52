// Every answer about a session says which revision the session is at, refusals too, whatever the
// operation and whatever is wrong with the request.

import HTTPWire
import TestSupport
import Testing

@testable import TraitService

@Suite("Traitd-Revision")
struct RevisionFieldTests {
    /// The paths of one session, their parameters names that do not exist but the session's own.
    private static let targets: [String] = Route.all.compactMap { route in
        guard route.pattern.hasPrefix("/v1/sessions/{session}") else { return nil }
        let target = route.pattern.split(separator: "/").map { segment in
            segment == "{session}" ? "here" : segment.hasPrefix("{") ? "lost" : String(segment)
        }
        return "/" + target.joined(separator: "/")
    }

    /// Ways in which a request is refused, each for every method that it makes sense for.
    private static let refusals: [(name: String, query: String, type: String?, body: String?)] = [
        ("an unknown parameter", "?nonsense=1", nil, nil),
        ("no JSON", "", "application/json", "{"),
        ("no body", "", nil, nil),
        ("an unknown member", "", "application/json", #"{"nonsense":1}"#),
        ("a form", "", "application/x-www-form-urlencoded", "a=b"),
        ("an array", "", "application/json", "[]"),
    ]

    @Test("Every refusal of every operation on a session names the session's revision")
    func refusals() throws {
        let service = try InProcessService()
        let session = try SessionClient("here", on: service.url)
        try session.put("", ["nodes": [.node("root")]])
        try session.override("displayScale", at: "root", 2)
        var refused = 0
        for target in Self.targets {
            for method in ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "PROPFIND"] {
                // It would succeed, and then there were no session.
                if method == "DELETE", target == "/v1/sessions/here" { continue }
                for refusal in Self.refusals {
                    if refusal.body != nil, method == "GET" || method == "HEAD" { continue }
                    // A stream would go on.
                    if method == "GET", refusal.query.isEmpty, target.hasSuffix("events") {
                        continue
                    }
                    let fields = refusal.type.map { [HTTPField("Content-Type", $0)] } ?? []
                    let answer = try session.client.send(
                        HTTPRequest(
                            method, target + refusal.query,
                            fields: fields + [HTTPField("If-Match", #""nobody.1""#)],
                            body: refusal.body.map { Array($0.utf8) }))
                    let what = "\(method) \(target) with \(refusal.name): \(answer.status)"
                    #expect(answer[header: "Traitd-Revision"] == "2", "\(what)")
                    if answer.status >= 400 { refused += 1 }
                }
            }
        }
        #expect(refused > 600, "most of these are refused")
        #expect(try session.revision() == 2)
    }
}
