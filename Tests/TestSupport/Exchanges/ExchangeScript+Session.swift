// What can be asked of a whole session: many nodes at once, its history, its counters.

extension ExchangeScript {
    static let resolve = ExchangeScript("resolve") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show"
        try transcript.prepare(path + "/nodes/list/overrides/theme", #"{"value":"bold"}"#)
        try transcript.prepare(path + "/nodes/loose", #"{"kind":"view","parent":null}"#)
        try transcript.send(
            "Some nodes, in their order", "POST", path + "/resolve",
            #"{"nodes":["cell","scene","loose"],"traits":["theme","com.myapp.theme"]}"#)
        try transcript.send(
            "A subtree as lines", "POST", path + "/resolve",
            #"{"under":"window","traits":["systemTraitsAffectingColorAppearance","theme"]}"#,
            fields: [HTTPField("Accept", "application/x-ndjson")])
        try transcript.send("No node", "POST", path + "/resolve", #"{"nodes":[]}"#)
        try transcript.send(
            "An unknown node", "POST", path + "/resolve", #"{"nodes":["cell","lost"]}"#)
        try transcript.send(
            "An unknown trait", "POST", path + "/resolve",
            #"{"nodes":["cell"],"traits":["theem"]}"#)
        try transcript.send("Neither", "POST", path + "/resolve", "{}")
        try transcript.send(
            "Both", "POST", path + "/resolve", #"{"nodes":["cell"],"under":"cell"}"#)
    }

    static let history = ExchangeScript("history") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show"
        try transcript.prepare(
            path + "/registrations/r", #"{"node":"cell","traits":["theme"]}"#)
        try transcript.client.send(
            HTTPRequest(
                "PUT", path + "/nodes/scene/overrides/theme", text: #"{"value":"bold"}"#,
                fields: [HTTPField("Traitd-Request-Id", "my-own-id")])
        ).success()
        try transcript.send("Newest first", "GET", path + "/history")
        let page = try transcript.send(
            "Two a page, in full", "GET", path + "/history?pageSize=2&operations=true")
        let token = try page.json["nextPageToken"]?.string ?? ""
        try transcript.send("The rest", "GET", path + "/history?pageSize=2&pageToken=\(token)")
        try transcript.send("No such page", "GET", path + "/history?pageToken=after.theme")
        try transcript.send("Counters", "GET", path + "/stats")
    }
}
