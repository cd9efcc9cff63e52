// The managers of a session, and how many there may be.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Managers")
struct ManagerTests {
    private static func document(_ style: String) -> JSON {
        ["format": 1, "nodes": [.node("a", overrides: ["userInterfaceStyle": .string(style)])]]
    }

    @Test("Plans and refused applies use up no manager; one beyond managersMax is refused")
    func bound() throws {
        var limits = ServiceLimits()
        limits.managersMax = 2
        let session = try InProcessService(limits: limits).session("managed")
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

    @Test("Two managers may set one value of a bridged key, and another value is a conflict")
    func bridged() throws {
        let session = try InProcessService().session("managed")
        try session.send(
            "PUT", "traits/theme", ["type": "enum", "default": "a", "cases": ["a": 0, "b": 1]]
        ).success()
        try session.send(
            "PUT", "environmentKeys/mode",
            [
                "type": "string", "default": "x", "bridgedTrait": "theme",
                "map": ["x": "a", "y": "b"],
            ]
        ).success()
        func apply(_ manager: String, _ mode: String) throws -> HTTPResponse {
            let node: JSON = .node("n", with: ["environment": ["mode": .string(mode)]])
            return try session.send(
                "PUT", "apply?manager=\(manager)", ["format": 1, "nodes": [node]])
        }
        _ = try apply("one", "y").expecting(200)
        #expect(try apply("one", "y").expecting(200).json["unchanged"] == true)
        #expect(try apply("two", "y").expecting(200).json["unchanged"] == true)
        try expectProblem(try apply("two", "x"), 409, "managed")
    }
}
