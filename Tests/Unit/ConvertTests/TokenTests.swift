// Design tokens: references, groups that extend others, and the contexts of resolver documents.

import Convert
import Testing

@Suite("A token file")
struct TokenTests {
    @Test("has a colour for each token, with references resolved, whatever the type")
    func references() throws {
        let json = try Converted.tokens(
            #"""
            {"a":{"$type":"dimension","$root":{"$value":{"value":1,"unit":"px"}},"b":{"$value":"{a.$root}"}},
            "c":{"$value":{"$ref":"#/a/$root/$value/unit"}},"d":{"$value":["{a.b}",{"x":"{c}"}]},"e":{"$ref":"#/d"},
            "f":{"$value":"{not an} alias"}}
            """#
        ).json
        #expect(
            json.member("colors") == """
                {"a":{"variants":[{"value":{"value":1,"unit":"px"}}]},\
                "a.b":{"variants":[{"value":{"value":1,"unit":"px"}}]},"c":{"variants":[{"value":"px"}]},\
                "d":{"variants":[{"value":[{"value":1,"unit":"px"},{"x":"px"}]}]},\
                "e":{"variants":[{"value":[{"value":1,"unit":"px"},{"x":"px"}]}]},\
                "f":{"variants":[{"value":"{not an} alias"}]}}
                """)
    }

    @Test("follows a pointer through an alias")
    func pointerThroughAlias() throws {
        let json = try Converted.tokens(
            ##"{"a":{"$value":{"x":[5,6]}},"b":{"$value":"{a}"},"c":{"$value":{"$ref":"#/b/$value/x/1"}}}"##
        ).json
        #expect(json.contains(#""c":{"variants":[{"value":6}]}"#))
    }

    @Test("has groups that extend others: its own tokens win, at every depth")
    func extending() throws {
        let json = try Converted.tokens(
            #"""
            {"x":{"$extends":"{m}","deep":{"own":{"$value":9}}},"m":{"$extends":"#/base","deep":{"p":{"$value":2}}},
            "base":{"deep":{"p":{"$value":1},"q":{"$value":3}},"r":{"$value":4}},"y":{"$ref":"#/base"}}
            """#
        ).json
        let names = [
            "x.deep.p": 2, "x.deep.q": 3, "x.deep.own": 9, "x.r": 4, "y.deep.p": 1, "y.r": 4,
        ]
        for (name, value) in names {
            #expect(json.contains(#""\#(name)":{"variants":[{"value":\#(value)}]}"#), "\(name)")
        }
    }

    @Test(
        "has the place and the names in each error",
        arguments: [
            (
                #"{"a":{"$value":"{b}"},"b":{"$value":"{c.d}"},"c":{"d":{"$value":"{b}"}}}"#,
                "t.json:1:37 /b/$value: the aliases {b} → {c.d} → {b} go in a circle"
            ),
            (
                #"{"a":{"$value":"{a}"}}"#,
                "t.json:1:16 /a/$value: the aliases {a} → {a} go in a circle"
            ),
            (#"{"a":{"$value":"{x.y}"}}"#, "t.json:1:16 /a/$value: 'x.y' is an alias to nothing"),
            (
                #"{"g":{"t":{"$value":1}},"a":{"$value":"{g}"}}"#,
                "t.json:1:39 /a/$value: 'g' is an alias to nothing"
            ),
            (
                #"{"a":{"$extends":"{b}"},"b":{"$extends":"{a}"}}"#,
                "t.json:1:41 /b/$extends: the groups extend one another in a circle, by way of 'a'"
            ),
            (
                #"{"a":{"c":{"$value":1},"b":{"$extends":"{a}"}}}"#,
                "t.json:1:40 /a/b/$extends: the groups extend one another in a circle, by way of 'a'"
            ),
            (
                #"{"a":{"$value":1},"b":{"$extends":"{a}"}}"#,
                "t.json:1:35 /b/$extends: 'a' is no group"
            ),
            (
                #"{"a":1}"#,
                "t.json:1:6 /a: a token or a group is an object; a value stands in '$value'"
            ),
            (
                #"{"a b":{"$value":1},"a":{"b":{"$value":1}}}"#,
                "t.json:1:40 /a/b/$value: 'a.b' becomes the colour 'a.b', as does t.json:1:18 /a b/$value: 'a b'. Rename one of them, or convert the files apart, each with a --prefix."
            ),
            ("[]", "t.json:1:1 /: an object is expected here"),
        ])
    func errors(_ text: String, _ line: String) {
        #expect(
            Converted.error { () throws(ConversionError) in try Converted.tokens(text) } == line)
    }

    @Test("ends at values that refer to values without bound")
    func exponential() {
        var text = #"{"t0":{"$value":[1,1,1,1,1,1,1,1,1,1]}"#
        for number in 1...30 {
            let alias = #""{t\#(number - 1)}""#
            text += #","t\#(number)":{"$value":[\#(alias),\#(alias),\#(alias),\#(alias)]}"#
        }
        let error = Converted.error { () throws(ConversionError) in try Converted.tokens(text + "}")
        }
        #expect(error.contains("a value with its references has more than 65536 bytes"))
    }

    @Test("ends at a chain of aliases that is too long for the stack")
    func longChain() {
        var text = #"{"t0":{"$value":1}"#
        for number in 1...5_000 { text += #","t\#(number)":{"$value":"{t\#(number - 1)}"}"# }
        let error = Converted.error { () throws(ConversionError) in try Converted.tokens(text + "}")
        }
        #expect(error.contains("more than 500 of them inside one another"))
    }

    @Test("ends at groups that extend one another in a row too long for the stack")
    func longExtension() {
        var text = #"{"g0":{"a":{"$value":1}}"#
        for number in (1...50_000).reversed() {
            text += #","g\#(number)":{"$extends":"{g\#(number - 1)}"}"#
        }
        let error = Converted.error { () throws(ConversionError) in try Converted.tokens(text + "}")
        }
        #expect(error.contains("more than 250 groups extend one another"))
    }

    @Test("ends at groups that extend one another to more tokens than can be")
    func manyCopies() {
        var text = #"{"g0":{"a":{"$value":1},"b":{"$value":1}}"#
        for number in 1...30 {
            text +=
                #","g\#(number)":{"l":{"$extends":"{g\#(number - 1)}"},"r":{"$extends":"{g\#(number - 1)}"}}"#
        }
        let error = Converted.error { () throws(ConversionError) in try Converted.tokens(text + "}")
        }
        #expect(error.contains("there are more than 200000 groups and tokens"))
    }
}

@Suite("A resolver document")
struct ResolverTests {
    /// With a set of two tokens, and the modifiers given.
    private func resolver(_ modifiers: String, order: String = "") -> String {
        #"""
        {"version":"2025.10","sets":{"f":{"sources":[{"a":{"$value":1},"b":{"$value":"{a}"}}]}},
        "modifiers":{\#(modifiers)},"resolutionOrder":[{"$ref":"#/sets/f"}\#(order)]}
        """#
    }

    private static let theme =
        #""theme":{"contexts":{"light":[],"dark":[{"a":{"$value":2}}]},"default":"light"}"#
    private static let size =
        #""size":{"contexts":{"s":[],"m":[{"b":{"$value":7}}],"l":[]},"default":"m"}"#

    @Test("has modifiers as traits, and a variant for each combination that a token depends on")
    func variants() throws {
        let json = try Converted.tokens(
            resolver(
                "\(Self.theme),\(Self.size)",
                order: ##",{"$ref":"#/modifiers/theme"},{"$ref":"#/modifiers/size"}"##)
        ).json
        #expect(
            json.member("traits")
                == #"{"theme":{"type":"enum","cases":{"light":0,"dark":1},"default":"light"},"size":{"type":"enum","cases":{"s":0,"m":1,"l":2},"default":"m"}}"#
        )
        #expect(
            json.member("colors") == """
                {"a":{"variants":[{"when":{"theme":"light"},"value":1},{"when":{"theme":"dark"},"value":2}]},\
                "b":{"variants":[{"when":{"theme":"light","size":"m"},"value":7},{"when":{"theme":"dark","size":"m"},"value":7},\
                {"when":{"theme":"light","size":"s"},"value":1},{"when":{"theme":"dark","size":"s"},"value":2},\
                {"when":{"theme":"light","size":"l"},"value":1},{"when":{"theme":"dark","size":"l"},"value":2}]}}
                """)
    }

    @Test("leaves out a modifier that makes no difference to a token")
    func minimal() throws {
        let json = try Converted.tokens(
            resolver(
                #""theme":{"contexts":{"light":[{"a":{"$value":1}}],"dark":[{"a":{"$value":1}}]}}"#,
                order: ##",{"$ref":"#/modifiers/theme"}"##)
        ).json
        #expect(json.contains(#""a":{"variants":[{"value":1}]}"#))
    }

    @Test("says where a token has no value")
    func missing() throws {
        let (json, skipped) = try Converted.tokens(
            resolver(
                #""theme":{"contexts":{"light":[],"dark":[{"z":{"$value":2}}]}}"#,
                order: ##",{"$ref":"#/modifiers/theme"}"##))
        #expect(json.contains(#""z":{"variants":[{"when":{"theme":"dark"},"value":2}]}"#))
        #expect(
            skipped == [
                "t.json:2:69 /modifiers/theme/contexts/dark/0/z/$value: 'z' has no value where theme is light; its first variant stands in"
            ])
    }

    @Test("reads other files, parts of them, sets in contexts, and inline items")
    func files() throws {
        let (json, skipped) = try Converted.tokens(
            #"""
            {"version":"2025.10","sets":{"base":{"sources":[{"$ref":"base.json"}]}},
            "resolutionOrder":[{"type":"set","name":"S","sources":[{"$ref":"parts.json#/sets/x"}]},
            {"type":"modifier","name":"M","contexts":{"on":[{"$ref":"#/sets/base"},{"b":{"$value":3}}],"off":[{"b":{"$value":4},"a":{"$value":5}}]}}]}
            """#,
            [
                "base.json": #"{"a":{"$value":1},"b":{"$value":2}}"#,
                "parts.json": #"{"sets":{"x":{"sources":[{"c":{"$value":"{a}"}}]}}}"#,
            ])
        #expect(
            json.member("colors") == """
                {"c":{"variants":[{"when":{"M":"on"},"value":1},{"when":{"M":"off"},"value":5}]},\
                "a":{"variants":[{"when":{"M":"on"},"value":1},{"when":{"M":"off"},"value":5}]},\
                "b":{"variants":[{"when":{"M":"on"},"value":3},{"when":{"M":"off"},"value":4}]}}
                """)
        #expect(skipped == [])
    }

    @Test(
        "has the place in each error",
        arguments: [
            (#"{"resolutionOrder":[]}"#, "t.json:1:1 /: 'version' is missing"),
            (
                #"{"version":"2024.1","resolutionOrder":[]}"#,
                #"t.json:1:12 /version: the version of a resolver document has to be "2025.10""#
            ),
            (
                ##"{"version":"2025.10","resolutionOrder":[{"$ref":"#/sets/x"}]}"##,
                "t.json:1:49 /resolutionOrder/0/$ref: '#/sets/x' leads to nothing: there is no 'sets'"
            ),
            (
                #"{"version":"2025.10","resolutionOrder":[{"type":"modifier","name":"m","contexts":{}}]}"#,
                "t.json:1:41 /resolutionOrder/0: the modifier 'm' needs at least one context"
            ),
            (
                #"{"version":"2025.10","resolutionOrder":[{"type":"modifier","name":"m","contexts":{"a":[]},"default":"b"}]}"#,
                "t.json:1:101 /resolutionOrder/0/default: 'b' is no context of 'm', which has a"
            ),
            (
                #"{"version":"2025.10","resolutionOrder":[{"type":"set","name":"m","sources":[{"$ref":"https://x/y"}]}]}"#,
                "t.json:1:85 /resolutionOrder/0/sources/0/$ref: 'https://x/y' is no file here: only files are read"
            ),
            (
                #"{"version":"2025.10","resolutionOrder":[{"type":"set","name":"m","sources":[{"$ref":"no.json"}]}]}"#,
                "t.json:1:85 /resolutionOrder/0/sources/0/$ref: there is no no.json"
            ),
            (
                ##"{"version":"2025.10","sets":{"a":{"sources":[{"$ref":"#/sets/a"}]}},"resolutionOrder":[{"$ref":"#/sets/a"}]}"##,
                "t.json:1:54 /sets/a/sources/0/$ref: the references t.json #/sets/a → t.json #/sets/a go in a circle"
            ),
        ])
    func errors(_ text: String, _ line: String) {
        #expect(
            Converted.error { () throws(ConversionError) in try Converted.tokens(text) } == line)
    }

    @Test("refuses a token that depends on too many combinations")
    func combinations() {
        var modifiers: [String] = []
        var order = ""
        for number in 0..<11 {
            modifiers.append(
                #""m\#(number)":{"contexts":{"x":[{"v\#(number)":{"$value":1}}],"y":[{"v\#(number)":{"$value":2}}]}}"#
            )
            order += ##",{"$ref":"#/modifiers/m\##(number)"}"##
        }
        let all = (0..<11).map { #""{v\#($0)}""# }.joined(separator: ",")
        let text = resolver(modifiers.joined(separator: ","), order: order)
            .replacing(#"{"a":{"$value":1}"#, with: #"{"a":{"$value":[\#(all)]}"#)
        let error = Converted.error { () throws(ConversionError) in try Converted.tokens(text) }
        #expect(error.contains("'a' depends on m0, m1,"))
        #expect(error.contains("more than 1000 combinations"))
    }
}
