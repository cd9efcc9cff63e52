// Every script, each with a golden file of its name.

extension ExchangeScript {
    package static let all: [ExchangeScript] = [
        operation, catalogue, collections, sessions, traits, nodes, overrides, supplied, resolved,
        transactions,
        registrations, streams, longPolls, problems, conditions, resolve, history, layout, scopes,
        environment, dynamics,
    ]
}

extension Transcript {
    /// Sets the scene: exchanges that other transcripts show already.
    func prepare(_ target: String, _ body: String) throws {
        try client.send(HTTPRequest("PUT", target, text: body)).success()
    }

    /// The session that most scripts begin with: the theme, and a scene down to one cell.
    func prepareShow() throws {
        try prepare(
            "/v1/sessions/show",
            #"""
            {"traits":{"theme":{"type":"enum",
             "cases":{"standard":0,"pastel":1,"bold":2,"monochrome":3},"default":"standard",
             "identifier":"com.myapp.theme","name":"Theme","affectsColorAppearance":true}},
             "nodes":[{"id":"scene","kind":"windowScene","parent":null},
             {"id":"window","kind":"window","parent":"scene"},
             {"id":"list","kind":"view","parent":"window"},
             {"id":"cell","kind":"view","parent":"list"}]}
            """#)
    }
}
