// The managers of a session, and how many there may be.

import TestSupport
import Testing
import TraitSessions

@Suite("Managers", .timeLimit(.minutes(2)))
struct ManagerTests {
    private static func document(_ style: String) -> JSON {
        [
            "format": 1,
            "nodes": [
                [
                    "id": "a", "kind": "environment", "parent": nil,
                    "overrides": ["userInterfaceStyle": .string(style)],
                ]
            ],
        ]
    }

    @Test("Plans and refused applies use up no manager; one beyond managersMax is refused")
    func bound() throws {
        var limits = ServiceLimits()
        limits.managersMax = 2
        let service = try InProcessService(limits: limits)
        let session = try SessionClient.make("managed", on: service.url)
        func apply(_ manager: String, _ style: String, _ rest: String = "") throws -> HTTPResponse {
            try session.send("PUT", "apply?manager=\(manager)\(rest)", Self.document(style))
        }
        for number in 0..<5 {
            _ = try apply("plan\(number)", "dark", "&dryRun=true").expecting(200)
        }
        _ = try apply("one", "dark").expecting(200)
        for number in 0..<5 {
            try expectProblem(try apply("refused\(number)", "purple"), 422, "type-mismatch")
        }
        _ = try apply("two", "light", "&force=true").expecting(200)
        let third = try apply("three", "dark", "&force=true")
        #expect(try expectProblem(third, 507, "quota")["limit"] == "managersMax=2")
        #expect(try session.value(of: "userInterfaceStyle", at: "a") == "light")
        _ = try apply("one", "dark", "&force=true").expecting(200)
        let explained = try session.get("nodes/a/traits/userInterfaceStyle?explain=true").text
        #expect(explained.contains("\"setBy\":\"one\""), "\(explained)")
    }
}
