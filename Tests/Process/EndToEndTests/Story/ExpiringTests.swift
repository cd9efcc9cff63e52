// Temporary values over the wire: the body, what reads show, and the end.

import TestSupport
import Testing

@Suite("Temporary values in a session")
struct ExpiringTests {
    @Test("A value with a ttl shows when it ends, and ends within two seconds of its time")
    func story() throws {
        let session = try sampleSession("temporary")
        let stream = try session.stream("nodes/cell0/events?traits=theme")
        _ = try stream.next()
        try session.put("nodes/cell0/overrides/theme", ["value": "bold", "ttl": 3_600])
        #expect(try stream.next().type == "change")
        let value = try session.get("nodes/cell0/overrides/theme").expecting(200).json
        let time = value["expiresAt"]?.string
        #expect(time?.hasSuffix("Z") == true)
        let all = try session.get("nodes/cell0/overrides").expecting(200).json
        #expect(all["expiresAt"]?["theme"]?.string == time)
        let explained = try session.get("nodes/cell0/traits/theme?explain=true").expecting(200).json
        #expect(explained["chain"]?.array?.first?["expiresAt"]?.string == time)
        // The same value without a time stays.
        let stays = try session.put("nodes/cell0/overrides/theme", ["value": "bold"]).json
        #expect(stays["unchanged"] != true)
        let kept = try session.get("nodes/cell0/overrides/theme").expecting(200).json
        #expect(kept["expiresAt"] == nil)
        try session.put("nodes/cell0/overrides/theme", ["value": "pastel", "ttl": 1])
        #expect(try stream.next().type == "change")
        let end = try stream.next()
        #expect(end.type == "change" && end.json["cause"]?["expired"] == true)
        try expectProblem(try session.get("nodes/cell0/overrides/theme"), 404, "no-override")
        try expectProblem(
            try session.send(
                "PUT", "nodes/cell0/overrides/theme", ["value": "bold", "ttl": 0]),
            400, "malformed-body")
        try expectProblem(
            try session.send(
                "PUT", "nodes/cell0/supplied/theme", ["value": "bold", "ttl": 5]),
            400, "unknown-member")
    }
}
