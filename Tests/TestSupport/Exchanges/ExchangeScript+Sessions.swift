// Sessions and the definitions of their traits.

extension ExchangeScript {
    static let sessions = ExchangeScript("sessions") { transcript in
        try transcript.send("Create", "PUT", "/v1/sessions/mail", "{}")
        try transcript.send("Find", "PUT", "/v1/sessions/mail", #"{"propagation":"unified"}"#)
        try transcript.send("Different", "PUT", "/v1/sessions/mail", #"{"propagation":"legacy"}"#)
        try transcript.send("Look at", "GET", "/v1/sessions/mail")
        try transcript.send("Create with a name", "POST", "/v1/sessions", #"{"name":"notes"}"#)
        let made = try transcript.send(
            "Create with a name of the server's", "POST", "/v1/sessions", "{}")
        transcript.redact(try made.json["name"]?.string, as: "<name>")
        try transcript.client.send("DELETE", made[header: "Location"] ?? "").expecting(200)
        try transcript.send(
            "A whole hierarchy at once", "PUT", "/v1/sessions/whole",
            #"{"traits":{"contained":{"type":"bool","default":false}},"#
                + #""nodes":[{"id":"scene","kind":"windowScene","parent":null,"#
                + #""supplied":{"userInterfaceIdiom":"pad"},"overrides":{"contained":true}}]}"#)
        try transcript.send(
            "No such mode", "PUT", "/v1/sessions/late", #"{"updates":"later"}"#)
        try transcript.send("Dry", "PUT", "/v1/sessions/dry?dryRun=true", "{}")
        try transcript.send("List", "GET", "/v1/sessions?pageSize=2")
        try transcript.send("End", "DELETE", "/v1/sessions/notes")
        try transcript.send("Gone", "GET", "/v1/sessions/notes")
    }

    static let traits = ExchangeScript("traits") { transcript in
        try transcript.prepare("/v1/sessions/show", "{}")
        let path = "/v1/sessions/show/traits/"
        let theme =
            #"{"type":"enum","cases":{"standard":0,"pastel":1,"bold":2,"monochrome":3},"#
            + #""default":"standard","name":"Theme","identifier":"com.myapp.theme","#
            + #""affectsColorAppearance":true}"#
        try transcript.send("Define the theme", "PUT", path + "theme", theme)
        try transcript.send("The same again", "PUT", path + "theme", theme)
        try transcript.send("Something else", "PUT", path + "theme", #"{"type":"int","default":0}"#)
        try transcript.send("By its identifier", "GET", path + "com.myapp.theme")
        try transcript.send(
            "A structure", "PUT", path + "retry",
            #"{"type":"struct","fields":{"attempts":"int","backoff":"double"},"#
                + #""default":{"attempts":3,"backoff":0.5}}"#)
        try transcript.send(
            "A nullable string", "PUT", path + "contact",
            #"{"type":"string","nullable":true,"default":null}"#)
        try transcript.send("A structure, read", "GET", path + "retry")
        try transcript.send("A system trait", "GET", path + "UITraitUserInterfaceStyle")
        try transcript.send(
            "A default of another type", "PUT", path + "wrong", #"{"type":"int","default":"0"}"#)
        try transcript.send("Delete", "DELETE", path + "retry")
        try transcript.send("System traits stay", "DELETE", path + "displayScale")
    }
}
