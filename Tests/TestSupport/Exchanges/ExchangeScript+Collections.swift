// Trait collections as values, and two nodes compared.

extension ExchangeScript {
    private static let custom =
        #""traits":{"theme":{"type":"int","default":0,"#
        + #""identifier":"com.example.theme","affectsColorAppearance":true},"#
        + #""contained":{"type":"bool","default":false}}"#

    static let collections = ExchangeScript("collections") { transcript in
        let path = "/v1/collections"
        try transcript.send("The empty one", "POST", path, "{}")
        try transcript.send(
            "Unspecified is absent", "POST", path,
            #"{"modify":{"userInterfaceStyle":"unspecified","displayGamut":-1,"displayScale":0,"#
                + #""typesettingLanguage":null,"splitViewControllerLayoutEnvironment":"none"}}"#)
        try transcript.send(
            "Of each system trait the last wins, unspecified never does, and custom traits come from the first",
            "POST", path,
            #"{"from":[{"userInterfaceStyle":"light","theme":1,"displayScale":3},"#
                + #"{"userInterfaceStyle":"dark","theme":2,"contained":true},"#
                + #"{"displayScale":"unspecified"}],"# + custom + "}")
        try transcript.send(
            "Modified, one trait by its identifier", "POST", path,
            #"{"from":[{"theme":1,"userInterfaceStyle":"dark"}],"#
                + #""modify":{"com.example.theme":0,"userInterfaceStyle":"unspecified"},"#
                + custom + "}")
        try transcript.send(
            "Compared", "POST", path + "/compare",
            #"{"a":{"userInterfaceStyle":"dark","theme":1,"displayScale":3},"#
                + #""b":{"userInterfaceStyle":"light","displayScale":3,"contained":false},"#
                + custom + "}")
        try transcript.send(
            "Contained: custom traits do not count", "POST", path + "/compare",
            #"{"a":{"userInterfaceStyle":"dark","displayScale":3},"#
                + #""b":{"userInterfaceStyle":"dark","contained":true},"# + custom + "}")
        try transcript.send(
            "Nothing is the empty collection", "POST", path + "/compare",
            #"{"a":null,"b":{"userInterfaceStyle":0}}"#)
        try transcript.send(
            "A trait that is not defined", "POST", path,
            #"{"from":[{},{"userInterfaceStile":"dark"}]}"#)
        try transcript.send(
            "A value of another type", "POST", path + "/compare",
            #"{"a":{"displayScale":"three"},"b":{}}"#)
        try transcript.send(
            "The same trait twice", "POST", path,
            #"{"modify":{"theme":1,"com.example.theme":2},"# + custom + "}")
        try transcript.send(
            "A private trait", "POST", path, #"{"modify":{"vibrancy":1}}"#)
        try transcript.prepareShow()
        let nodes = "/v1/sessions/show/nodes"
        try transcript.prepare(nodes + "/list/overrides/theme", #"{"value":"bold"}"#)
        try transcript.prepare(nodes + "/cell/overrides/layoutDirection", #"{"value":1}"#)
        try transcript.send("Two nodes", "GET", nodes + "/cell/compare?with=window")
        try transcript.send("A node with itself", "GET", nodes + "/cell/compare?with=cell")
        try transcript.send("With no node", "GET", nodes + "/cell/compare")
        try transcript.send("With an unknown one", "GET", nodes + "/cell/compare?with=lost")
    }
}
