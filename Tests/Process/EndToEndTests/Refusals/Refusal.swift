// A request that must be refused, as data: what is sent, and what the problem has to say.

import TestSupport
import Testing

/// One case of the refusal tables.
struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let method: String
    /// After `/v1/sessions/{s}/`; a leading slash makes it the whole target.
    let target: String
    let body: String?
    let status: Int
    let code: String
    /// Members that the problem must have, with these values.
    var members: [String: JSON] = [:]
    /// Phrases that the detail must contain.
    var mentions: [String] = []

    init(
        _ name: String, _ method: String, _ target: String, _ body: String? = nil,
        is status: Int, _ code: String, _ members: [String: JSON] = [:], mentions: [String] = []
    ) {
        self.name = name
        self.method = method
        self.target = target
        self.body = body
        self.status = status
        self.code = code
        self.members = members
        self.mentions = mentions
    }

    var testDescription: String { name }

    /// Sends it to a session of its own; the answer must be this problem, and the session's whole
    /// state must stay as it was.
    func verify() throws {
        let session = try Self.session()
        let before = try session.state()
        let path = target.hasPrefix("/") ? target : session.target(target)
        let response = try session.client.send(
            body.map { HTTPRequest(method, path, text: $0) } ?? HTTPRequest(method, path))
        let problem = try expectProblem(response, status, code)
        for (member, value) in members {
            #expect(problem[member] == value, "\(member) of \(problem)")
        }
        for phrase in mentions {
            #expect(problem["detail"]?.string?.contains(phrase) == true, "'\(phrase)': \(problem)")
        }
        #expect(try session.state() == before)
        #expect(try session.client.get("/problems/\(code)").status == 200)
    }

    /// Has a registration, an override, a supplied value and a second controller.
    private static func session() throws -> SessionClient {
        let session = try sampleSession("refusal")
        try session.transaction([
            .register("r", at: "cell0", ["theme"]),
            .setOverride("theme", at: "scene", "bold"),
            .createNode("spare", "viewController", in: "window"),
        ])
        return session
    }
}
