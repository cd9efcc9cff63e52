// What operators and tools see: probes, the version, explanations, methods.

extension ExchangeScript {
    static let operation = ExchangeScript("operation") { transcript in
        try transcript.send("The process is alive", "GET", "/livez")
        try transcript.send("It takes traffic", "GET", "/readyz")
        let version = try transcript.send("What is running", "GET", "/version")
        transcript.redact(try version.json["version"]?.string, as: "<version>")
        try transcript.send("What a problem means", "GET", "/problems/unknown-trait")
        try transcript.send("No such problem", "GET", "/problems/unknown-trate")
        try transcript.send("HEAD is GET without the body", "HEAD", "/livez")
        try transcript.send("What can be done here", "OPTIONS", "/v1/sessions")
        try transcript.send("What cannot", "PATCH", "/v1/sessions", "{}")
        try transcript.send("There is nothing here", "GET", "/v1/session")
    }

    static let catalogue = ExchangeScript("catalogue") { transcript in
        try transcript.send("The system traits and the named sets", "GET", "/v1/traits")
    }

    static let problems = ExchangeScript("problems") { transcript in
        try transcript.prepareShow()
        let theme = "/v1/sessions/show/nodes/cell/overrides/theme"
        try transcript.send("Broken JSON, with its place", "PUT", theme, "{\"value\":\n  bold}")
        try transcript.send("A misspelt member", "PUT", theme, #"{"valeu":"bold"}"#)
        try transcript.send("A misspelt parameter", "PUT", theme + "?dryrun=true", #"{"value":1}"#)
        try transcript.send("A repeated parameter", "GET", "/v1/sessions?pageSize=1&pageSize=2")
        try transcript.send("A wrong value", "PUT", theme, #"{"value":"bald"}"#)
        try transcript.send(
            "A misspelt trait", "PUT", "/v1/sessions/show/nodes/cell/overrides/theem",
            #"{"value":1}"#)
        try transcript.send("A misspelt node", "GET", "/v1/sessions/show/nodes/cel/traits")
        try transcript.send("A misspelt session", "GET", "/v1/sessions/shaw")
        try transcript.send("A malformed identifier", "GET", "/v1/sessions/show/nodes/a%2Fb")
        try transcript.send("A form", "PUT", theme, "value=bold", type: "text/plain")
        try transcript.send(
            "A JSON patch", "PATCH", "/v1/sessions/show/nodes/cell/overrides", "[]",
            type: "application/json-patch+json")
        try transcript.send(
            "Nothing that is acceptable", "GET", "/v1/sessions/show/events",
            fields: [HTTPField("Accept", "image/png")])
    }

    static let conditions = ExchangeScript("conditions") { transcript in
        try transcript.prepareShow()
        let theme = "/v1/sessions/show/nodes/cell/overrides/theme"
        let first = try transcript.send(
            "The tag", "GET", "/v1/sessions/show/nodes/cell/traits/theme")
        let tag = first[header: "ETag"] ?? ""
        try transcript.send(
            "Not modified", "GET", "/v1/sessions/show/nodes/cell/traits/theme",
            fields: [HTTPField("If-None-Match", tag)])
        let session = try transcript.send("The session's tag", "GET", "/v1/sessions/show")
        let match = [HTTPField("If-Match", session[header: "ETag"] ?? "")]
        try transcript.send("In time", "PUT", theme, #"{"value":"bold"}"#, fields: match)
        try transcript.send("Too late", "PUT", theme, #"{"value":"pastel"}"#, fields: match)
        try transcript.send(
            "Create only", "PUT", "/v1/sessions/show/nodes/cell", #"{"kind":"view"}"#,
            fields: [HTTPField("If-None-Match", "*")])
        try transcript.send(
            "Without a body in the answer", "PUT", theme, #"{"value":"pastel"}"#,
            fields: [HTTPField("Prefer", "return=minimal")])
    }
}
