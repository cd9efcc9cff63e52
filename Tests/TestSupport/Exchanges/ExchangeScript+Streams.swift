// Transactions, registrations and what they make others hear.

extension ExchangeScript {
    static let transactions = ExchangeScript("transactions") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show/transactions"
        try transcript.send(
            "Everything that can be done", "POST", path + "?changes=true",
            #"""
            {"operations": [
              {"op": "defineTrait", "trait": "contained",
               "definition": {"type": "bool", "default": false}},
              {"op": "createNode", "node": "detail", "kind": "view", "parent": "window",
               "overrides": {"contained": true}},
              {"op": "register", "registration": "r", "node": "cell", "traits": ["theme", "contained"]},
              {"op": "updateNode", "node": "list", "parent": "detail", "label": "moved"},
              {"op": "setOverride", "node": "scene", "trait": "theme", "value": "bold"},
              {"op": "setSupplied", "node": "scene", "trait": "displayScale", "value": 3}
            ]}
            """#)
        try transcript.send(
            "And undone", "POST", path + "?changes=true",
            #"""
            {"operations": [
              {"op": "removeOverride", "node": "scene", "trait": "theme"},
              {"op": "removeSupplied", "node": "scene", "trait": "displayScale"},
              {"op": "updateNode", "node": "list", "parent": "window", "label": null},
              {"op": "deleteNode", "node": "detail"},
              {"op": "unregister", "registration": "r"},
              {"op": "deleteTrait", "trait": "contained"}
            ]}
            """#)
        try transcript.send(
            "Set and restored is nothing", "POST", path,
            #"{"operations":[{"op":"setOverride","node":"cell","trait":"theme","value":1},"#
                + #"{"op":"removeOverride","node":"cell","trait":"theme"}]}"#)
        try transcript.send("Nothing is nothing", "POST", path, #"{"operations":[]}"#)
        try transcript.send(
            "The second is bad", "POST", path,
            #"{"operations":[{"op":"setOverride","node":"cell","trait":"theme","value":1},"#
                + #"{"op":"setOverride","node":"sell","trait":"theme","value":1}]}"#)
        try transcript.send(
            "Too late", "POST", path,
            #"{"ifRevision":1,"operations":[{"op":"deleteNode","node":"cell"}]}"#)
    }

    static let registrations = ExchangeScript("registrations") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show/registrations"
        try transcript.send("By name", "PUT", path + "/r", #"{"node":"cell","traits":["theme"]}"#)
        try transcript.send(
            "The same again", "PUT", path + "/r", #"{"node":"cell","traits":["theme"]}"#)
        try transcript.send(
            "Something else", "PUT", path + "/r", #"{"node":"list","traits":["theme"]}"#)
        try transcript.send(
            "For a set", "PUT", path + "/colours",
            #"{"node":"cell","set":"systemTraitsAffectingColorAppearance","label":"colours"}"#)
        let made = try transcript.send(
            "Without a name", "POST", path, #"{"node":"scene","traits":["theme","displayScale"]}"#)
        transcript.redact(try made.json["id"]?.string, as: "<registration>")
        try transcript.send("For nothing", "POST", path, #"{"node":"cell","traits":[]}"#)
        try transcript.send("Look at", "GET", path + "/colours")
        try transcript.send("List", "GET", path)
        try transcript.send(
            "Who hears", "PUT", "/v1/sessions/show/nodes/scene/overrides/theme?changes=true",
            #"{"value":"bold"}"#)
        try transcript.send("Delete", "DELETE", path + "/r")
        try transcript.send("Delete again", "DELETE", path + "/r")
    }

    static let streams = ExchangeScript("streams") { transcript in
        try transcript.prepareShow()
        let base = "/v1/sessions/show"
        try transcript.prepare(base + "/registrations/r", #"{"node":"cell","traits":["theme"]}"#)
        let theme = base + "/nodes/scene/overrides/theme"
        try transcript.stream(
            "A registration, with its first values", base + "/registrations/r/events?initial=true",
            through: { $0.type == "change" },
            during: { try transcript.prepare(theme, #"{"value":"bold"}"#) })
        try transcript.stream(
            "A watch, as server-sent events", base + "/nodes/list/events?traits=theme",
            fields: [HTTPField("Accept", "text/event-stream")], through: { $0.type == "change" },
            during: { try transcript.prepare(theme, #"{"value":"pastel"}"#) })
        try transcript.stream(
            "The session, from the start, operations in full",
            base + "/events?from=0&operations=true",
            through: { $0.type == "change" && $0.revision == 4 })
        try transcript.stream(
            "The end", base + "/events?registrations=r", through: { $0.type == "end" },
            during: { try transcript.client.send("DELETE", base).expecting(200) })
    }

    static let longPolls = ExchangeScript("longPolls") { transcript in
        try transcript.prepareShow()
        let base = "/v1/sessions/show"
        try transcript.prepare(base + "/registrations/r", #"{"node":"cell","traits":["theme"]}"#)
        try transcript.prepare(base + "/nodes/scene/overrides/theme", #"{"value":"bold"}"#)
        try transcript.send("Nothing new", "GET", base + "/events?wait=0")
        let page = try transcript.send("A page", "GET", base + "/events?wait=0&from=0&limit=2")
        let next = try page.json["next"]?.string ?? ""
        try transcript.send("The next one", "GET", base + "/events?wait=30s&from=\(next)")
        try transcript.send(
            "One registration", "GET", base + "/registrations/r/events?wait=0&from=0")
        try transcript.send("Ahead", "GET", base + "/events?wait=0&from=99")
        try transcript.send("Another session's", "GET", base + "/events?wait=0&from=000000000000.1")
        try transcript.send("No token", "GET", base + "/events?wait=0&from=yesterday")
    }
}
