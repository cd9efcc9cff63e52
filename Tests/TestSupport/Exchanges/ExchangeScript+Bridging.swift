// Tracked scopes, environment keys, dynamic colours and images.

extension ExchangeScript {
    static let scopes = ExchangeScript("scopes") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show"
        let cell = path + "/nodes/cell"
        try transcript.prepare(path + "/registrations/r", #"{"node":"cell","traits":["theme"]}"#)
        try transcript.send(
            "What layoutSubviews read", "PUT", cell + "/scopes/layoutSubviews",
            #"{"reads":["horizontalSizeClass","theme"]}"#)
        try transcript.send(
            "The same again", "PUT", cell + "/scopes/layoutSubviews",
            #"{"reads":["theme","horizontalSizeClass"]}"#)
        try transcript.send(
            "Nothing was read", "PUT", cell + "/scopes/draw", #"{"reads":[]}"#)
        try transcript.send("Look at", "GET", cell + "/scopes/layoutSubviews")
        try transcript.send("All", "GET", cell + "/scopes")
        try transcript.send(
            "What would be invalidated", "PUT",
            path + "/nodes/scene/overrides/theme?dryRun=true", #"{"value":"bold"}"#)
        try transcript.stream(
            "Once, however often it changes", path + "/registrations/r/events",
            through: { $0.json["last"] == true && $0.revision == 6 },
            during: {
                for theme in ["bold", "pastel"] {
                    try transcript.prepare(
                        path + "/nodes/scene/overrides/theme", #"{"value":"\#(theme)"}"#)
                }
            })
        try transcript.send("Stale", "GET", cell + "/scopes/layoutSubviews")
        try transcript.send(
            "Read again", "PUT", cell + "/scopes/layoutSubviews", #"{"reads":["theme"]}"#)
        try transcript.send(
            "In a transaction", "POST", path + "/transactions?changes=true",
            #"{"operations":[{"op":"removeScope","node":"cell","scope":"draw"},"#
                + #"{"op":"setScope","node":"list","scope":"draw","reads":["theme"]},"#
                + #"{"op":"setOverride","node":"scene","trait":"theme","value":"bold"}]}"#)
        try transcript.send("As pages", "GET", path + "/events?from=6&wait=0&operations=true")
        try transcript.send("Tracked no longer", "DELETE", cell + "/scopes/layoutSubviews")
        try transcript.send("Again", "DELETE", cell + "/scopes/layoutSubviews")
        try transcript.send("Not tracked", "GET", cell + "/scopes/layoutSubviews")
        try transcript.send(
            "No such method", "PUT", cell + "/scopes/layoutSubview", #"{"reads":["theme"]}"#)
        try transcript.send(
            "A trait that is not defined", "PUT", cell + "/scopes/draw",
            #"{"reads":["theme","theem"]}"#)
    }

    static let environment = ExchangeScript("environment") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show"
        try transcript.send(
            "A bridged key", "PUT", path + "/environmentKeys/themeName",
            #"{"type":"string","default":"plain","bridgedTrait":"com.myapp.theme","#
                + #""map":{"plain":"standard","loud":"bold"}}"#)
        try transcript.send(
            "The same, written otherwise", "PUT", path + "/environmentKeys/themeName",
            #"{"type":"string","default":"plain","bridgedTrait":"theme","#
                + #""map":[{"environment":"plain","trait":0},{"environment":"loud","trait":2}]}"#)
        try transcript.send(
            "Another", "PUT", path + "/environmentKeys/themeName",
            #"{"type":"string","default":"plain"}"#)
        try transcript.send(
            "A key of its own", "PUT", path + "/environmentKeys/depth",
            #"{"type":"int","default":0}"#)
        try transcript.send(
            "Two values for one", "PUT", path + "/environmentKeys/twice",
            #"{"type":"bool","default":false,"bridgedTrait":"theme","#
                + #""map":{"true":"bold","false":"bold"}}"#)
        try transcript.send("All", "GET", path + "/environmentKeys")
        try transcript.send("One", "GET", path + "/environmentKeys/themeName")
        try transcript.prepare(path + "/registrations/r", #"{"node":"cell","traits":["theme"]}"#)
        try transcript.send(
            "Writing it overrides the trait", "PUT",
            path + "/nodes/list/environment/themeName?changes=true", #"{"value":"loud"}"#)
        try transcript.send("The override", "GET", path + "/nodes/list/overrides/theme")
        try transcript.send(
            "Read below", "GET", path + "/nodes/cell/environment/themeName")
        try transcript.prepare(path + "/nodes/list/overrides/theme", #"{"value":"monochrome"}"#)
        try transcript.prepare(path + "/nodes/window/environment/depth", #"{"value":3}"#)
        try transcript.send(
            "A value that the map has not reads as the default", "GET",
            path + "/nodes/cell/environment")
        try transcript.send(
            "A value that it has not cannot be written", "PUT",
            path + "/nodes/list/environment/themeName", #"{"value":"quiet"}"#)
        try transcript.send("In use", "DELETE", path + "/environmentKeys/depth")
        try transcript.send(
            "In a transaction", "POST", path + "/transactions",
            #"{"operations":[{"op":"removeEnvironment","node":"window","key":"depth"},"#
                + #"{"op":"deleteEnvironmentKey","key":"depth"},"#
                + #"{"op":"defineEnvironmentKey","key":"again","#
                + #""definition":{"type":"bool","default":false}},"#
                + #"{"op":"setEnvironment","node":"list","key":"again","value":true}]}"#)
        try transcript.send(
            "Removed", "DELETE", path + "/nodes/list/environment/themeName")
        try transcript.send("No such key", "GET", path + "/nodes/list/environment/themeNam")
        try transcript.send(
            "The commits", "GET", path + "/history?operations=true&pageSize=3")
    }

    static let dynamics = ExchangeScript("dynamics") { transcript in
        try transcript.prepareShow()
        let path = "/v1/sessions/show"
        try transcript.send(
            "A color", "PUT", path + "/colors/background",
            #"{"variants":[{"when":{"userInterfaceStyle":"light"},"value":"white"},"#
                + #"{"when":{"userInterfaceStyle":"dark"},"value":"black"},"#
                + #"{"when":{"userInterfaceStyle":"dark","theme":"bold"},"#
                + #""value":{"red": 0.5, "alpha": 1.0}}]}"#)
        try transcript.send(
            "Without conditions that hold, the first", "GET", path + "/nodes/cell/colors/background"
        )
        try transcript.send(
            "An image", "PUT", path + "/images/logo",
            #"{"variants":[{"value":"logo"},{"when":{"displayScale":3},"value":"logo@3x"}]}"#)
        try transcript.send("Its scale counts as 1", "GET", path + "/images/logo")
        try transcript.send(
            "Registered for both", "PUT", path + "/registrations/r",
            #"{"node":"cell","colors":["background"],"images":["logo"]}"#)
        try transcript.send("Look at", "GET", path + "/registrations/r")
        try transcript.stream(
            "They are told when their values change, and only then",
            path + "/registrations/r/events?initial=true",
            through: { $0.revision == 7 && $0.json["last"] == true },
            during: {
                try transcript.prepare(
                    path + "/nodes/scene/overrides/userInterfaceStyle", #"{"value":"light"}"#)
                try transcript.prepare(
                    path + "/nodes/scene/overrides/userInterfaceStyle", #"{"value":"dark"}"#)
                try transcript.prepare(
                    path + "/nodes/scene/overrides/displayScale", #"{"value":2}"#)
            })
        try transcript.send("The color now", "GET", path + "/nodes/cell/colors/background")
        try transcript.send("The image now", "GET", path + "/nodes/cell/images/logo")
        try transcript.send("In use", "DELETE", path + "/colors/background")
        try transcript.send(
            "Not replaced either", "PUT", path + "/colors/background",
            #"{"variants":[{"value":"grey"}]}"#)
        try transcript.send(
            "In a transaction", "POST", path + "/transactions?changes=true",
            #"{"operations":[{"op":"defineColor","color":"tint","#
                + #""definition":{"variants":[{"value":1}]}},"#
                + #"{"op":"register","registration":"q","node":"list","colors":["tint"]},"#
                + #"{"op":"setOverride","node":"list","trait":"theme","value":"bold"},"#
                + #"{"op":"unregister","registration":"q"},"#
                + #"{"op":"deleteColor","color":"tint"}]}"#)
        try transcript.send("All", "GET", path + "/colors")
        try transcript.send("No variants", "PUT", path + "/colors/c", #"{"variants":[]}"#)
        try transcript.send(
            "A misspelt condition", "PUT", path + "/images/i",
            #"{"variants":[{"when":{"displayScal":1},"value":1}]}"#)
        try transcript.send(
            "Unknown in a registration", "PUT", path + "/registrations/q",
            #"{"node":"cell","colors":["backgroun"]}"#)
        try transcript.send("No such image", "GET", path + "/nodes/cell/images/log")
    }
}
