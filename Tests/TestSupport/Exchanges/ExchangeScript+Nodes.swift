// Nodes, what is set on them, and what they resolve to.

extension ExchangeScript {
    static let nodes = ExchangeScript("nodes") { transcript in
        try transcript.prepare("/v1/sessions/show", "{}")
        let path = "/v1/sessions/show/nodes"
        try transcript.send(
            "Create by name", "PUT", path + "/scene",
            #"{"kind":"windowScene","parent":null,"label":"main","supplied":{"displayScale":3}}"#)
        try transcript.send(
            "Create with an id", "POST", path, #"{"id":"window","kind":"window","parent":"scene"}"#)
        let made = try transcript.send(
            "Create without one", "POST", path, #"{"kind":"viewController","parent":"window"}"#)
        transcript.redact(try made.json["id"]?.string, as: "<node>")
        try transcript.client.send("DELETE", made[header: "Location"] ?? "").success()
        try transcript.prepare(path + "/root", #"{"kind":"viewController","parent":"window"}"#)
        try transcript.send(
            "A controller's view", "PUT", path + "/view",
            #"{"kind":"view","parent":"window","controller":"root"}"#)
        try transcript.send("Look at", "GET", path + "/view")
        try transcript.send("A label", "PATCH", path + "/view", #"{"label":"the view"}"#)
        try transcript.prepare(path + "/cell", #"{"kind":"view","parent":"view"}"#)
        try transcript.send(
            "Detach", "PATCH", path + "/cell", #"{"parent":null}"#,
            type: "application/merge-patch+json")
        try transcript.send(
            "It keeps what it inherited last", "GET", path + "/cell/traits/displayScale")
        try transcript.send("Move back", "PATCH", path + "/cell", #"{"parent":"window"}"#)
        try transcript.send("A cycle", "PATCH", path + "/view", #"{"parent":"view"}"#)
        try transcript.send(
            "A kind that does not fit", "PUT", path + "/w2", #"{"kind":"window","parent":"view"}"#)
        try transcript.send("In tree order", "GET", path)
        try transcript.send("Two a page", "GET", path + "?pageSize=2&kind=view")
        try transcript.send("Delete a subtree", "DELETE", path + "/window")
        try transcript.send("Gone with it", "GET", path + "/view")
    }

    static let overrides = ExchangeScript("overrides") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show/nodes/scene/overrides"
        try transcript.send("Set", "PUT", path + "/theme", #"{"value":"monochrome"}"#)
        try transcript.send("The same by its raw value", "PUT", path + "/theme", #"{"value":3}"#)
        try transcript.send("Read", "GET", path + "/theme")
        try transcript.send("Contains", "HEAD", path + "/theme")
        try transcript.send(
            "Does not contain", "HEAD", "/v1/sessions/show/nodes/cell/overrides/theme")
        try transcript.send(
            "Reading what is not set", "GET", "/v1/sessions/show/nodes/cell/overrides/theme")
        try transcript.send(
            "Several at once", "PATCH", path,
            #"{"theme":null,"userInterfaceStyle":"dark","displayScale":2,"#
                + #""preferredContentSizeCategory":"extraLarge"}"#)
        try transcript.send(
            "Unspecified is a value", "PUT", path + "/userInterfaceStyle",
            #"{"value":"unspecified"}"#)
        try transcript.send(
            "A raw value outside the cases", "PUT", path + "/userInterfaceIdiom", #"{"value":99}"#)
        try transcript.send("All", "GET", path)
        try transcript.send("Remove", "DELETE", path + "/displayScale")
        try transcript.send("Remove again", "DELETE", path + "/displayScale")
        try transcript.send("Dry", "PUT", path + "/theme?dryRun=true", #"{"value":"bold"}"#)
    }

    static let supplied = ExchangeScript("supplied") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show/nodes/window/supplied"
        try transcript.send("Set", "PUT", path + "/horizontalSizeClass", #"{"value":"compact"}"#)
        try transcript.send("Read", "GET", path + "/horizontalSizeClass")
        try transcript.send(
            "Several", "PATCH", path, #"{"verticalSizeClass":"regular","displayScale":3}"#)
        try transcript.send("All", "GET", path)
        try transcript.send(
            "An override wins", "PUT",
            "/v1/sessions/show/nodes/window/overrides/horizontalSizeClass", #"{"value":"regular"}"#)
        try transcript.send(
            "Explained", "GET",
            "/v1/sessions/show/nodes/cell/traits/horizontalSizeClass?explain=true")
        try transcript.send("Remove", "DELETE", path + "/horizontalSizeClass")
    }

    static let resolved = ExchangeScript("resolved") { transcript in
        try transcript.prepareShow()
        try transcript.prepare(
            "/v1/sessions/show/nodes/scene/overrides/theme", #"{"value":"monochrome"}"#)
        try transcript.prepare("/v1/sessions/show/nodes/list/overrides/theme", #"{"value":"bold"}"#)
        try transcript.prepare(
            "/v1/sessions/show/nodes/scene/supplied/displayScale", #"{"value":2.5}"#)
        let path = "/v1/sessions/show/nodes/cell/traits"
        try transcript.send("All, defaults included", "GET", path)
        try transcript.send("Those that are specified", "GET", path + "?specified=true")
        try transcript.send("Some", "GET", path + "?traits=theme,UITraitDisplayScale")
        try transcript.send("A set", "GET", path + "?traits=affectingColorAppearance")
        try transcript.send("Explained", "GET", path + "?traits=theme&explain=true")
        try transcript.send("One", "GET", path + "/theme")
        try transcript.send("One by its identifier", "GET", path + "/com.myapp.theme")
        try transcript.send("One, explained", "GET", path + "/theme?explain=true")
        try transcript.send(
            "One, with every layer that is absent", "GET", path + "/theme?explain=true&absent=true")
        try transcript.send("Nobody sets it", "GET", path + "/legibilityWeight")
        try transcript.send(
            "A misspelt trait in the query", "GET", path + "?traits=theme,displayScal")
    }
}
