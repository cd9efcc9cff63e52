// Traits, environment keys, colours and images of all types, in a few variants each: the same name
// comes back with another definition.

struct TraitSample {
    let key: String
    /// The first is what a creation defines; others mean the same or something else.
    let definitions: [String]
    /// Values as JSON; a few are of the wrong type.
    let values: [String]

    static let identifier = "com.example.level"

    static let all: [TraitSample] = [
        TraitSample(
            key: "flag",
            definitions: [
                #"{"type":"bool","default":false}"#,
                #"{"type":"bool","default":true,"name":"Flag"}"#,
            ], values: ["true", "false", "true", "1"]),
        TraitSample(
            key: "level",
            definitions: [
                #"{"identifier":"com.example.level","type":"int","default":0}"#,
                #"{"type":"int","default":-9223372036854775808}"#,
            ], values: ["0", "1", "9223372036854775807", "-3", "1.5"]),
        TraitSample(
            key: "ratio",
            definitions: [
                #"{"type":"double","default":1.5}"#, #"{"type":"double","default":0}"#,
            ], values: ["0", "-0.0", "0.1", "1e300", "5e-324", "2"]),
        TraitSample(
            key: "tongue",
            definitions: [
                #"{"type":"string","default":""}"#,
                #"{"type":"string","default":"\u00e4\n\"","name":"ä\u0000b"}"#,
            ], values: [#""""#, #""de""#, #""ä\u0000\n\"\\ 😀""#, #""unspecified""#, "3"]),
        TraitSample(
            key: "mood",
            definitions: [
                #"{"type":"enum","cases":{"calm":0,"unspecified":5,"7":-1},"default":"calm"}"#,
                #"{"type":"enum","cases":{"7":-1,"calm":0,"unspecified":5},"default":0}"#,
                #"{"type":"enum","cases":{"calm":0},"default":"calm"}"#,
            ], values: [#""calm""#, #""unspecified""#, "-1", "0", "99"]),
        TraitSample(
            key: "inset",
            definitions: [
                #"{"type":"struct","fields":{"x":"double","s":"string","b":"bool","i":"int"},"default":{"x":0,"s":"","b":false,"i":0}}"#,
                #"{"type":"struct","fields":{"i":"int","x":"double","s":"string","b":"bool"},"default":{"x":0,"s":"","b":false,"i":0}}"#,
            ],
            values: [
                #"{"x":1.25,"s":"ä","b":true,"i":-4}"#, #"{"i":0,"b":false,"s":"","x":0}"#,
                #"{"x":1}"#, #"{"x":0.5,"s":"ü","b":true,"i":3,"t":false}"#,
                #"{"x":0.5,"s":"ü","b":true,"i":3,"u":{"a":[]}}"#,
            ]),
        TraitSample(
            key: "perhaps",
            definitions: [
                #"{"type":"int","nullable":true,"default":null}"#,
                #"{"type":"int","nullable":true,"default":4,"affectsColorAppearance":true}"#,
            ], values: ["null", "4", "5"]),
        TraitSample(
            key: "settings",
            definitions: [
                #"{"type":"json","default":{"b":[1,2.50],"a":null}}"#,
                #"{"type":"json","default":null}"#,
            ],
            values: [
                #"{"a":null,"b":[1e0,2.5]}"#, "null", #""ä\u0000""#, "1e300",
                #"[[],{},-0,123456789012345678901234567890]"#, "1e999",
            ]),
        TraitSample(
            key: "maybe",
            definitions: [
                #"{"type":"struct","fields":{"n":"int"},"nullable":true,"default":null,"affectsColorAppearance":true}"#
            ],
            values: [
                "null", #"{"n":1}"#, #"{"n":2}"#, #"{"n":1,"k":1}"#, #"{"n":1,"k":2,"m":"ä"}"#,
            ]),
    ]

    /// Changes of definitions; whether they are possible depends on the values.
    static let patches: [(key: String, patch: String)] = [
        ("flag", #"{"default":true}"#), ("flag", #"{"default":false,"nullable":true}"#),
        ("flag", #"{"nullable":false}"#), ("flag", #"{"type":"json"}"#),
        ("flag", #"{"affectsColorAppearance":true,"name":"F","deprecated":true}"#),
        ("level", #"{"type":"double"}"#), ("level", #"{"default":1}"#),
        ("level", #"{"type":"json","default":[1]}"#), ("level", #"{"nullable":true}"#),
        ("ratio", #"{"default":2}"#), ("ratio", #"{"nullable":true,"default":null}"#),
        ("ratio", #"{"type":"json"}"#), ("ratio", #"{"unit":"rem","since":{"iOS":"17.0"}}"#),
        ("ratio", #"{"unit":null,"since":{"iOS":null,"ä":"1"}}"#),
        ("level", #"{"unit":"px"}"#), ("tongue", #"{"css":true}"#), ("tongue", #"{"css":false}"#),
        ("tongue", #"{"type":"enum","cases":{"de":7,"":0},"default":"de"}"#),
        ("tongue", #"{"nullable":true}"#), ("tongue", #"{"type":"json"}"#),
        ("mood", #"{"cases":{"7":null},"deprecated":["calm"]}"#),
        ("mood", #"{"cases":{"new":8},"default":"new"}"#),
        ("mood", #"{"cases":{"7":9}}"#), ("mood", #"{"type":"string"}"#),
        ("mood", #"{"nullable":true}"#), ("mood", #"{"nullable":null}"#),
        ("mood", #"{"cases":{"extra":0}}"#),
        ("inset", #"{"fields":{"i":"double","j":"json"},"default":{"j":[]}}"#),
        ("inset", #"{"fields":{"x":null}}"#), ("inset", #"{"type":"json"}"#),
        ("inset", #"{"fields":{"t":"bool"},"default":{"t":true}}"#),
        ("inset", #"{"fields":{"u":"json"},"default":{"u":{"b":1}}}"#),
        ("inset", #"{"fields":{"t":null}}"#), ("inset", #"{"fields":{"f1":null,"f2":null}}"#),
        ("inset", #"{"fields":{"t":"bool","x":null},"default":{"t":true}}"#),
        ("maybe", #"{"default":{"n":0}}"#), ("maybe", #"{"fields":{"k":"int"}}"#),
        ("maybe", #"{"fields":{"k":null}}"#),
        ("maybe", #"{"fields":{"k":"int"},"default":{"n":0,"k":1}}"#),
        ("perhaps", #"{"nullable":false,"default":3}"#), ("perhaps", #"{"default":5}"#),
        ("perhaps", #"{"type":"double"}"#), ("maybe", #"{"type":"json","name":null}"#),
        ("settings", #"{"default":{"a":1}}"#), ("settings", #"{"type":"int"}"#),
        ("userInterfaceStyle", #"{"name":"x"}"#), ("level", #"{"key":"x"}"#),
    ]

    static let system: [TraitSample] = [
        TraitSample(
            key: "userInterfaceStyle", definitions: [],
            values: [#""light""#, #""dark""#, #""unspecified""#, "7"]),
        TraitSample(key: "displayScale", definitions: [], values: ["1", "2", "3", "0"]),
        TraitSample(
            key: "preferredContentSizeCategory", definitions: [],
            values: [#""large""#, #""extraSmall""#, #""a size of its own""#, #""unspecified""#]),
        TraitSample(
            key: "horizontalSizeClass", definitions: [], values: [#""compact""#, #""regular""#]),
        TraitSample(
            key: "layoutDirection", definitions: [], values: [#""rightToLeft""#, #""leftToRight""#]),
        TraitSample(key: "activeAppearance", definitions: [], values: [#""active""#, "1"]),
    ]

    static let keys: [(key: String, definitions: [String], values: [String])] = [
        (
            "isDark",
            [
                #"{"type":"bool","default":false,"bridgedTrait":"userInterfaceStyle","map":{"false":"light","true":"dark"}}"#,
                #"{"type":"bool","default":false,"bridgedTrait":"userInterfaceStyle","map":[{"environment":true,"trait":"dark"},{"environment":false,"trait":"light"}]}"#,
                #"{"type":"bool","default":true}"#,
            ], ["true", "false", "3"]
        ),
        ("spacing", [#"{"type":"int","default":4}"#, #"{"type":"int","default":5}"#], ["4", "8"]),
        (
            "tone",
            [
                #"{"type":"int","nullable":true,"default":null,"bridgedTrait":"perhaps"}"#,
                #"{"type":"double","default":0.5}"#,
            ], ["null", "1", "4"]
        ),
        (
            "pace",
            [
                #"{"type":"int","nullable":true,"default":null,"bridgedTrait":"mood","map":[{"environment":null,"trait":"calm"},{"environment":3,"trait":"unspecified"}]}"#,
                #"{"type":"struct","fields":{"a":"int"},"default":{"a":1}}"#,
            ], ["null", "3", #"{"a":2}"#]
        ),
        (
            "pair",
            [
                #"{"type":"struct","fields":{"n":"int"},"nullable":true,"default":{"n":3},"bridgedTrait":"maybe"}"#,
                #"{"type":"int","default":0,"bridgedTrait":"maybe","map":[{"environment":1,"trait":{"n":1}},{"environment":2,"trait":null}]}"#,
            ], ["1", "2", "null", #"{"n":1}"#, #"{"n":1,"k":2}"#]
        ),
        (
            "word",
            [
                #"{"type":"string","default":"ä"}"#,
                #"{"type":"enum","cases":{"one":1,"two":2},"default":"two"}"#,
            ], [#""x""#, #""one""#, "2"]
        ),
    ]

    static let colors = [
        #"{"variants":[{"value":"white"},{"when":{"userInterfaceStyle":"dark"},"value":{"r": 0.10, "p":[1, 2 ,{}]}}]}"#,
        #"{"variants":[{"when":{},"value":"\u00e4"},{"when":{"flag":true,"userInterfaceStyle":2},"value":null}]}"#,
        #"{"variants":[{"value":1e2},{"when":{"level":1},"value":100},{"when":{"perhaps":null},"value":[]}]}"#,
        #"{"variants":[{"value":0},{"when":{"maybe":{"n":1}},"value":1},{"when":{"maybe":{"n":0}},"value":2}]}"#,
        #"{"variants":[]}"#,
    ]

    static let images = [
        #"{"variants":[{"when":{"displayScale":1},"value":"1x"},{"when":{"displayScale":3},"value":"3x"}]}"#,
        #"{"variants":[{"value":"any"},{"when":{"displayScale":2,"userInterfaceStyle":"dark"},"value":"2x dark"}]}"#,
    ]
}
