// What is sent again in other words is the same: order of members and the spelling of numbers say
// nothing. A PUT of it makes no commit.

import TestSupport
import Testing
import TraitService

@Suite("Equal by meaning")
struct MeaningTests {
    /// Puts the first text, and then each other one, which has to be `unchanged`.
    private static func expectSame(
        _ path: String, _ first: String, _ others: [String],
        in session: SessionClient, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let made = try session.put(path, text: first)
        #expect(made.status == 201, "\(path) \(made.text)", sourceLocation: sourceLocation)
        let stored = try session.get(path).text
        for other in others {
            let again = try session.put(path, text: other)
            #expect(
                again.status == 200 && (try? again.json["unchanged"]) == true,
                "\(path) \(other): \(again.text)", sourceLocation: sourceLocation)
        }
        #expect(try session.get(path).text == stored, sourceLocation: sourceLocation)
    }

    private static func expectOther(
        _ path: String, _ text: String, _ status: Int, in session: SessionClient,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let answer = try session.put(path, text: text)
        #expect(
            answer.status == status && (try? answer.json["unchanged"]) != true,
            "\(path) \(text): \(answer.text)", sourceLocation: sourceLocation)
    }

    @Test("A definition is the same with its cases, fields or members in another order")
    func definitions() throws {
        let session = try InProcessService().session("meaning")
        try Self.expectSame(
            "traits/mode", #"{"type":"enum","cases":{"on":1,"off":0},"default":"on"}"#,
            [
                #"{"default":"on","type":"enum","cases":{"off":0,"on":1}}"#,
                #"{"default":1,"type":"enum","cases":{"off":0e3,"on":10e-1}}"#,
            ], in: session)
        try Self.expectOther(
            "traits/mode", #"{"type":"enum","cases":{"on":0,"off":1},"default":"on"}"#, 409,
            in: session)
        try Self.expectSame(
            "traits/point",
            #"{"type":"struct","fields":{"x":"double","y":"double"},"default":{"x":1,"y":2}}"#,
            [
                #"{"type":"struct","fields":{"y":"double","x":"double"},"default":{"x":1.0,"y":2}}"#,
                #"{"type":"struct","fields":{"x":"double","y":"double"},"default":{"y":2.0,"x":1}}"#,
            ], in: session)
        try Self.expectOther(
            "traits/point",
            #"{"type":"struct","fields":{"y":"double","x":"double"},"default":{"x":2,"y":1}}"#,
            409, in: session)
        try Self.expectSame(
            "traits/scale", #"{"type":"double","default":2}"#,
            [#"{"default":2.0,"type":"double"}"#, #"{"default":20e-1,"type":"double"}"#],
            in: session)
    }

    @Test("An environment key is the same with its map in another order or form")
    func environmentKeys() throws {
        let session = try InProcessService().session("meaning")
        try Self.expectSame(
            "environmentKeys/scheme",
            #"{"type":"enum","cases":{"light":0,"dark":1},"default":"light","bridgedTrait":"userInterfaceStyle","map":{"light":"light","dark":"dark"}}"#,
            [
                #"{"type":"enum","cases":{"dark":1,"light":0},"default":"light","bridgedTrait":"userInterfaceStyle","map":{"dark":"dark","light":"light"}}"#,
                #"{"type":"enum","cases":{"light":0,"dark":1},"default":0,"bridgedTrait":"UITraitUserInterfaceStyle","map":[{"trait":2,"environment":"dark"},{"environment":0,"trait":"light"}]}"#,
            ], in: session)
        try Self.expectOther(
            "environmentKeys/scheme",
            #"{"type":"enum","cases":{"light":0,"dark":1},"default":"light","bridgedTrait":"userInterfaceStyle","map":{"light":"dark","dark":"light"}}"#,
            409, in: session)
        try Self.expectSame(
            "environmentKeys/point",
            #"{"type":"struct","fields":{"x":"int","y":"int"},"default":{"x":1,"y":2}}"#,
            [#"{"type":"struct","fields":{"y":"int","x":"int"},"default":{"y":2,"x":1}}"#],
            in: session)
    }

    @Test("A bridged structure keeps its fields' names whatever their order")
    func bridgedStructure() throws {
        let session = try InProcessService().session("meaning")
        try session.put("nodes/scene", ["kind": "windowScene", "parent": nil])
        _ = try session.put(
            "traits/point",
            text: #"{"type":"struct","fields":{"x":"int","y":"int"},"default":{"x":1,"y":2}}"#)
        try Self.expectSame(
            "environmentKeys/point",
            #"{"type":"struct","fields":{"y":"int","x":"int"},"default":{"x":1,"y":2},"bridgedTrait":"point"}"#,
            [
                #"{"type":"struct","fields":{"x":"int","y":"int"},"default":{"x":1,"y":2},"bridgedTrait":"point"}"#
            ], in: session)
        try session.put("nodes/scene/environment/point", ["value": ["x": 3, "y": 4]])
        #expect(try session.value(of: "point", at: "scene") == ["x": 3, "y": 4])
        let own = try session.get("nodes/scene/environment/point").json["value"]
        #expect(own == ["x": 3, "y": 4])
    }

    @Test("A colour or image is the same when its values mean the same")
    func dynamics() throws {
        let session = try InProcessService().session("meaning")
        for path in ["colors/c", "images/i"] {
            try Self.expectSame(
                path,
                #"{"variants":[{"value":{"r":2,"g":[1.50,0],"name":"a"}},{"when":{"userInterfaceStyle":"dark","displayScale":2},"value":1}]}"#,
                [
                    #"{"variants":[{"value":{"name":"\u0061","g":[15e-1,-0.0],"r":2.0}},{"when":{"displayScale":2.0,"userInterfaceStyle":2},"value":1.0}]}"#,
                    #"{"variants":[{"when":{},"value":{"name":"a","r":0.2e1,"g":[1.5,0e9]}},{"value":10e-1,"when":{"UITraitDisplayScale":20e-1,"userInterfaceStyle":"dark"}}]}"#,
                ], in: session)
            for other in ["1.0000000000000000000000001", "[1]", #""1""#, "true", "1e1", "-1"] {
                try Self.expectOther(
                    path,
                    #"{"variants":[{"value":{"r":2,"g":[1.50,0],"name":"a"}},{"when":{"userInterfaceStyle":"dark","displayScale":2},"value":\#(other)}]}"#,
                    200, in: session)
            }
        }
        try Self.expectSame(
            "colors/order", #"{"variants":[{"value":[1,2]}]}"#,
            [#"{"variants":[{"value":[1.0,2]}]}"#], in: session)
        try Self.expectOther(
            "colors/order", #"{"variants":[{"value":[2,1]}]}"#, 200, in: session)
    }

    @Test("A colour's value that is only written otherwise is no change to hear of")
    func notifications() throws {
        let session = try InProcessService().session("meaning")
        try session.put("nodes/scene", ["kind": "windowScene", "parent": nil])
        _ = try session.put(
            "colors/c",
            text:
                #"{"variants":[{"value":{"a":2,"b":1}},{"when":{"userInterfaceStyle":"dark"},"value":{"b":1.0,"a":2}}]}"#
        )
        try session.put("registrations/r", ["node": "scene", "colors": ["c"]])
        let answer = try session.override("userInterfaceStyle", at: "scene", "dark")
        #expect(try answer.json["notified"] == 0)
    }

    @Test("An override is the same with its fields in another order or its double as an integer")
    func overrides() throws {
        let session = try InProcessService().session("meaning")
        try session.put("nodes/scene", ["kind": "windowScene", "parent": nil])
        _ = try session.put(
            "traits/point",
            text: #"{"type":"struct","fields":{"x":"double","y":"int"},"default":{"x":1,"y":2}}"#)
        let path = "nodes/scene/overrides"
        _ = try session.put(path + "/point", text: #"{"value":{"x":2,"y":3}}"#)
        _ = try session.put(path + "/displayScale", text: #"{"value":2}"#)
        let revision = try session.revision()
        _ = try session.put(path + "/point", text: #"{"value":{"y":3,"x":2.0}}"#)
        _ = try session.put(path + "/displayScale", text: #"{"value":2.0}"#)
        try session.client.send(
            HTTPRequest(
                "PATCH", session.target(path),
                text: #"{"displayScale":2e0,"point":{"y":3,"x":20e-1}}"#)
        ).success()
        #expect(try session.revision() == revision)
    }
}

extension SessionClient {
    /// As it is written, success or not.
    func put(_ path: String, text: String) throws -> HTTPResponse {
        try client.send(HTTPRequest("PUT", target(path), text: text))
    }
}
