// `GET /v1/devices`, and `setDevice` as a commit and as an assumption.

import TestSupport
import Testing

@Suite("Devices")
struct DeviceTests {
    private func session(_ more: JSON = [:]) throws -> SessionClient {
        var body = more.object ?? [:]
        body["nodes"] = [.node("scene")]
        return try InProcessService().session("s", .object(body))
    }

    private func choose(_ members: [String: JSON], in session: SessionClient) throws
        -> HTTPResponse
    {
        var operation = members
        operation["op"] = "setDevice"
        operation["node"] = "scene"
        return try session.send(
            "POST", "transactions", ["operations": [.object(operation)]])
    }

    @Test("The table lists devices, settings and sources")
    func table() throws {
        let service = try InProcessService()
        let table = try service.client().send("GET", "/v1/devices").expecting(200).json
        let devices = try #require(table["devices"]?.array)
        #expect(devices.count >= 60)
        let sources = try #require(table["sources"]?.object)
        for device in devices {
            #expect(device["layouts"]?.array?.isEmpty == false)
            for source in device["sources"]?.array ?? [] {
                #expect(sources[source.string ?? ""] != nil)
            }
        }
        #expect(table["settings"]?.array?.contains { $0["name"] == "dark" } == true)
    }

    @Test("Every device of the table can be set, in each of its layouts")
    func every() throws {
        let session = try session()
        let table = try session.client.send("GET", "/v1/devices").expecting(200).json
        for device in table["devices"]?.array ?? [] {
            for layout in device["layouts"]?.array ?? [] {
                _ = try choose(
                    [
                        "device": device["name"] ?? nil,
                        "orientation": layout["orientation"] ?? nil,
                        "split": layout["split"] ?? nil,
                    ], in: session
                ).expecting(200)
                for name in ["horizontalSizeClass", "verticalSizeClass"] {
                    guard let expected = layout[name] else { continue }
                    #expect(try session.value(of: name, at: "scene") == expected)
                }
                #expect(
                    try session.value(of: "userInterfaceIdiom", at: "scene")
                        == device["userInterfaceIdiom"])
            }
        }
    }

    @Test("History has what a device comes to, and what the device does not say stays")
    func expands() throws {
        let session = try session()
        try session.put("nodes/scene/supplied/layoutDirection", ["value": "rightToLeft"])
        _ = try choose(
            ["device": "ipad pro (11 inch)", "split": "1/3", "settings": ["dark"]], in: session
        ).expecting(200)
        #expect(try session.value(of: "layoutDirection", at: "scene") == "rightToLeft")
        #expect(try session.value(of: "horizontalSizeClass", at: "scene") == "compact")
        #expect(try session.value(of: "userInterfaceStyle", at: "scene") == "dark")
        let history = try session.get("history?operations=true").expecting(200).json
        let kinds = history["commits"]?.array?.first?["operations"]
        #expect(kinds?.text.contains("setSupplied") == true)
        #expect(kinds?.text.contains("setDevice") == false)
        let again = try choose(
            ["device": "iPad Pro 11", "split": "1/3", "settings": ["dark"]], in: session)
        #expect(try again.expecting(200).json["unchanged"] == true)
    }

    @Test("A device can be assumed")
    func assumed() throws {
        let session = try session()
        let answer = try session.send(
            "POST", "resolve",
            [
                "nodes": ["scene"],
                "traits": ["userInterfaceIdiom", "preferredContentSizeCategory"],
                "assume": [
                    [
                        "op": "setDevice", "node": "scene", "device": "iPhone SE",
                        "settings": ["accessibilityLarge"],
                    ]
                ],
            ]
        ).expecting(200).json
        let traits = answer["nodes"]?.array?.first?["traits"]
        #expect(traits?["userInterfaceIdiom"] == "phone")
        #expect(traits?["preferredContentSizeCategory"] == "accessibilityLarge")
        #expect(try session.revision() == 1)
    }

    @Test("What the table does not have is refused with what there is")
    func refusals() throws {
        let session = try session()
        let state = try session.state()
        for (members, status, pointer, suggestion): ([String: JSON], Int, String, String?) in [
            (["device": "iPhone 16 Prp"], 422, "/operations/0/device", "iPhone 16 Pro"),
            (["device": "iPhone SE", "split": "1/2"], 422, "/operations/0/split", nil),
            (
                ["device": "iPhone SE", "orientation": "portrit"], 422, "/operations/0/orientation",
                "portrait"
            ),
            (
                ["device": "iPhone SE", "settings": ["dark", "darc"]], 422,
                "/operations/0/settings/1", "dark"
            ),
            (
                ["device": "iPhone SE", "settings": ["dark", "light"]], 400,
                "/operations/0/settings/1", nil
            ),
            (["device": 4], 400, "/operations/0/device", nil),
            (["device": "iPhone SE", "settings": "dark"], 400, "/operations/0/settings", nil),
        ] {
            let answer = try choose(members, in: session)
            #expect(answer.status == status, "\(members)")
            #expect(try answer.json["pointer"]?.string == pointer, "\(members)")
            if let suggestion {
                #expect(try answer.json["didYouMean"]?.string == suggestion, "\(members)")
            }
        }
        #expect(try session.state() == state)
        let plain = try self.session(["systemTraits": false])
        #expect(try choose(["device": "iPhone SE"], in: plain).status == 422)
    }
}
