// Sessions in which writes only mark, and update passes show what was written.

extension ExchangeScript {
    static let layout = ExchangeScript("layout") { transcript in
        let path = "/v1/sessions/lazy"
        try transcript.send(
            "A session that updates as UIKit does", "PUT", path,
            #"{"updates":"layout","traits":{"theme":{"type":"int","default":0}},"nodes":["#
                + #"{"id":"scene","kind":"windowScene","supplied":{"displayScale":3}},"#
                + #"{"id":"window","kind":"window","parent":"scene"},"#
                + #"{"id":"list","kind":"view","parent":"window"},"#
                + #"{"id":"loose","kind":"view"}]}"#)
        try transcript.send(
            "Nothing is shown before the first pass", "GET",
            path + "/nodes/list/traits/displayScale")
        try transcript.send("A pass", "POST", path + "/layout")
        try transcript.send("Now it is", "GET", path + "/nodes/list/traits/displayScale")
        try transcript.send("Another pass has nothing to do", "POST", path + "/layout", "{}")
        try transcript.prepare(
            path + "/registrations/r", #"{"node":"list","traits":["theme"]}"#)
        try transcript.send(
            "A write marks; nobody hears of it yet", "PUT", path + "/nodes/scene/overrides/theme",
            #"{"value":1}"#)
        try transcript.send("It is set", "GET", path + "/nodes/scene/overrides/theme")
        try transcript.send("It does not show", "GET", path + "/nodes/list/traits/theme")
        try transcript.send(
            "What a pass would change", "POST", path + "/layout?dryRun=true")
        try transcript.send(
            "One subtree, by what its parent shows: nothing comes down from above", "POST",
            path + "/nodes/list/updateTraitsIfNeeded?changes=true")
        try transcript.send(
            "A larger subtree", "POST",
            path + "/nodes/scene/updateTraitsIfNeeded?changes=true")
        try transcript.send("It shows", "GET", path + "/nodes/list/traits/theme")
        try transcript.send(
            "A transaction may end with a pass", "POST", path + "/transactions?changes=true",
            #"{"operations":[{"op":"setOverride","node":"window","trait":"theme","value":2},"#
                + #"{"op":"updateTraitsIfNeeded","node":"window"},"#
                + #"{"op":"setOverride","node":"list","trait":"theme","value":3},"#
                + #"{"op":"layout"}]}"#)
        try transcript.prepare(
            path + "/registrations/w", #"{"node":"window","traits":["theme"]}"#)
        try transcript.send(
            "What a write on a window would change", "PUT",
            path + "/nodes/window/overrides/theme?dryRun=true", #"{"value":5}"#)
        try transcript.send(
            "A window shows a write at once", "PUT",
            path + "/nodes/window/overrides/theme?changes=true", #"{"value":5}"#)
        try transcript.send("It shows on the window", "GET", path + "/nodes/window/traits/theme")
        try transcript.send("What inherits waits", "GET", path + "/nodes/list/traits/theme")
        try transcript.send("And follows", "POST", path + "/layout?changes=true")
        try transcript.send(
            "The window's stream has the write", "GET",
            path + "/registrations/w/events?from=start&wait=0")
        try transcript.prepare(path + "/nodes/loose/overrides/theme", #"{"value":4}"#)
        try transcript.send(
            "What is detached waits for an update of its own", "POST", path + "/layout")
        try transcript.send(
            "Its own", "POST", path + "/nodes/loose/updateTraitsIfNeeded")
        try transcript.send("Detached, and shown", "GET", path + "/nodes/loose/traits/theme")
        try transcript.send(
            "The stream has the passes", "GET", path + "/events?from=3&wait=0&operations=true")
        try transcript.send(
            "An unknown node", "POST", path + "/nodes/lost/updateTraitsIfNeeded")
        try transcript.send("A body that says something", "POST", path + "/layout", #"{"a":1}"#)
        try transcript.prepare("/v1/sessions/eager", #"{"nodes":[{"id":"n","kind":"view"}]}"#)
        try transcript.send(
            "A session that updates at once has nothing to do", "POST",
            "/v1/sessions/eager/layout")
        try transcript.send(
            "Found only as it is", "PUT", path, #"{"updates":"immediate"}"#)
    }
}
