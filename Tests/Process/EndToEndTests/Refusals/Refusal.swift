// A request that must be refused, as data: what is sent, and what the problem has to say.

import TestSupport
import Testing

/// One case of the refusal tables.
struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let method: String
    /// After `/v1/sessions/{s}/`; a leading slash makes it the whole target.
    let target: String
    let body: [UInt8]?
    var type = "application/json"
    var fields: [HTTPField] = []
    let status: Int
    let code: String
    /// Members that the problem must have, with these values.
    var members: [String: JSON] = [:]
    /// Phrases that the detail must contain.
    var mentions: [String] = []
    /// Fields that the answer must have, with these values.
    var answerFields: [String: String] = [:]

    init(
        _ name: String, _ method: String, _ target: String, _ body: String? = nil,
        is status: Int, _ code: String, _ members: [String: JSON] = [:], mentions: [String] = []
    ) {
        self.name = name
        self.method = method
        self.target = target
        self.body = body.map { Array($0.utf8) }
        self.status = status
        self.code = code
        self.members = members
        self.mentions = mentions
    }

    init(
        _ name: String, _ method: String, _ target: String, bytes: [UInt8], is status: Int,
        _ code: String, _ members: [String: JSON] = [:]
    ) {
        self.name = name
        self.method = method
        self.target = target
        body = bytes
        self.status = status
        self.code = code
        self.members = members
    }

    /// The same case with a media type for the body.
    func typed(_ type: String) -> Refusal {
        var refusal = self
        refusal.type = type
        return refusal
    }

    func with(_ name: String, _ value: String) -> Refusal {
        var refusal = self
        refusal.fields.append(HTTPField(name, value))
        return refusal
    }

    /// The same case whose answer has to have this field.
    func answering(_ name: String, _ value: String) -> Refusal {
        var refusal = self
        refusal.answerFields[name] = value
        return refusal
    }

    var testDescription: String { name }

    /// Sends it to a session of its own; the answer must be this problem, and the session's whole
    /// state must stay as it was.
    func verify() throws {
        let session = try Self.session()
        let before = try session.state()
        var request = HTTPRequest(
            method, target.hasPrefix("/") ? target : session.target(target), fields: fields,
            body: body)
        if body != nil || method == "POST" {
            request.fields.append(HTTPField("Content-Type", type))
        }
        let response = try session.client.send(request)
        let problem = try expectProblem(response, status, code)
        for (member, value) in members {
            #expect(problem[member] == value, "\(member) of \(problem)")
        }
        for phrase in mentions {
            #expect(problem["detail"]?.string?.contains(phrase) == true, "'\(phrase)': \(problem)")
        }
        for (field, value) in answerFields { #expect(response[header: field] == value) }
        #expect(try session.state() == before)
        let explanation = try session.client.get("/problems/\(code)")
        #expect(explanation.status == 200)
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
