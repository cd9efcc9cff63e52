// Asset catalogs: each rule of docs/design-files.md in its smallest form.

import Convert
import Testing

@Suite("A catalog")
struct CatalogTests {
    @Test(
        "has components as fractions, as bytes and in hexadecimal",
        arguments: [
            (#""0.12""#, "0.12"), (#""1.000""#, "1"), (#""0x1F""#, "0.12156862745098039"),
            (#""31""#, "0.12156862745098039"), (#""255""#, "1"), (#""1""#, "0.00392156862745098"),
            ("0.5", "0.5"), ("31", "0.12156862745098039"), (#""1.25""#, "1.25"),
            (#""-0.2""#, "-0.2"), (#""0xff""#, "1"),
        ])
    func components(_ text: String, _ value: String) throws {
        let json = try Converted.color(
            #"{"idiom":"universal","color":{"color-space":"srgb","components":{"red":\#(text),"green":"0.0","blue":"0.0","alpha":"1.000"}}}"#
        ).json
        #expect(
            json.member("colors")
                == #"{"A":{"variants":[{"value":{"colorSpace":"srgb","components":[\#(value),0,0]}}]}}"#
        )
    }

    @Test(
        "has alpha as a fraction also when it is written as 0 or 1",
        arguments: [("0", "0"), ("1", nil), ("0.500", "0.5"), ("0x80", "0.5019607843137255")])
    func alpha(_ text: String, _ value: String?) throws {
        let json = try Converted.color(
            #"{"color":{"color-space":"srgb","components":{"red":"0","green":"0","blue":"0","alpha":"\#(text)"}}}"#
        ).json
        #expect(json.contains(#""alpha":"#) == (value != nil))
        if let value { #expect(json.contains(#""alpha":\#(value)}"#)) }
    }

    @Test(
        "keeps the colour space",
        arguments: [
            ("srgb", "srgb"), ("extended-srgb", "srgb"), ("display-p3", "display-p3"),
            ("extended-linear-srgb", "srgb-linear"),
        ])
    func spaces(_ space: String, _ name: String) throws {
        let json = try Converted.color(
            #"{"color":{"color-space":"\#(space)","components":{"red":"0.1","green":"0.2","blue":"0.3"}}}"#
        ).json
        #expect(json.contains(#"{"colorSpace":"\#(name)","components":[0.1,0.2,0.3]}"#))
    }

    @Test("has grey as equal components", arguments: ["gray-gamma-22", "extended-gray"])
    func grey(_ space: String) throws {
        let json = try Converted.color(
            #"{"color":{"color-space":"\#(space)","components":{"white":"0.25","alpha":"1.0"}}}"#
        ).json
        #expect(json.contains(#"{"colorSpace":"srgb","components":[0.25,0.25,0.25]}"#))
    }

    @Test("keeps the name of a system colour")
    func reference() throws {
        let json = try Converted.color(
            #"{"color":{"platform":"ios","reference":"systemBlueColor"}}"#
        ).json
        #expect(json.contains(#"{"value":"systemBlueColor"}"#))
    }

    @Test(
        "has each condition as a condition on a trait",
        arguments: [
            (#""idiom":"universal""#, ""),
            (#""idiom":"iphone""#, #""userInterfaceIdiom":"phone""#),
            (#""idiom":"ipad""#, #""userInterfaceIdiom":"pad""#),
            (#""idiom":"ipad","subtype":"mac-catalyst""#, #""userInterfaceIdiom":"mac""#),
            (#""idiom":"tv""#, #""userInterfaceIdiom":"tv""#),
            (#""idiom":"car""#, #""userInterfaceIdiom":"carPlay""#),
            (#""idiom":"mac""#, #""userInterfaceIdiom":"mac""#),
            (#""idiom":"vision""#, #""userInterfaceIdiom":"vision""#),
            (#""scale":"3x""#, #""displayScale":3"#),
            (#""display-gamut":"display-P3""#, #""displayGamut":"P3""#),
            (#""display-gamut":"sRGB""#, #""displayGamut":"SRGB""#),
            (#""width-class":"compact""#, #""horizontalSizeClass":"compact""#),
            (#""height-class":"regular""#, #""verticalSizeClass":"regular""#),
            (#""language-direction":"right-to-left""#, #""layoutDirection":"rightToLeft""#),
            (
                #""appearances":[{"appearance":"luminosity","value":"dark"}]"#,
                #""userInterfaceStyle":"dark""#
            ),
            (
                #""appearances":[{"appearance":"luminosity","value":"light"},{"appearance":"contrast","value":"high"}]"#,
                #""accessibilityContrast":"high","userInterfaceStyle":"light""#
            ),
        ])
    func conditions(_ members: String, _ when: String) throws {
        let (json, skipped) = try Converted.catalog([
            "A.imageset": #"{"images":[{"filename":"a.png",\#(members)}]}"#
        ])
        let written = when.isEmpty ? "" : #""when":{\#(when)},"#
        #expect(
            json.member("images") == #"{"A":{"variants":[{\#(written)"value":"a.png"}]}}"#)
        #expect(skipped == [])
    }

    @Test(
        "skips a slot with a condition that no trait expresses, with a line",
        arguments: [
            (
                #""locale":"fr""#,
                "A.imageset/Contents.json:1:72 /images/1/locale: no trait expresses 'locale'"
            ),
            (
                #""idiom":"watch""#,
                "A.imageset/Contents.json:1:71 /images/1/idiom: 'watch' is no known idiom"
            ),
            (
                #""appearances":[{"appearance":"luminosity","value":"tinted"}]"#,
                "A.imageset/Contents.json:1:113 /images/1/appearances/0/value: 'luminosity' 'tinted' is no known appearance"
            ),
            (
                #""subtype":"736h""#,
                "A.imageset/Contents.json:1:73 /images/1/subtype: no trait expresses the subtype '736h'"
            ),
        ])
    func unknownConditions(_ members: String, _ line: String) throws {
        let (json, skipped) = try Converted.catalog([
            "A.imageset":
                #"{"images":[{"filename":"a.png"},{"filename":"b.png",          \#(members)}]}"#
        ])
        #expect(json.member("images") == #"{"A":{"variants":[{"value":"a.png"}]}}"#)
        #expect(skipped == [line + "; the slot is left out"])
    }

    @Test("takes the last of two slots with the same conditions, with a line")
    func sameConditions() throws {
        let (json, skipped) = try Converted.catalog([
            "A.imageset": #"""
            {"images":[{"filename":"a.png","scale":"2x","idiom":"mac"},{"filename":"b.png"},
            {"filename":"c.png","idiom":"mac","scale":"2x"}]}
            """#
        ])
        #expect(
            json.member("images")
                == #"{"A":{"variants":[{"value":"b.png"},{"when":{"displayScale":2,"userInterfaceIdiom":"mac"},"value":"c.png"}]}}"#
        )
        #expect(skipped.count == 1)
    }

    @Test("leaves out slots without a file, and symbols are images")
    func slotsWithoutFile() throws {
        let (json, skipped) = try Converted.catalog([
            "A.imageset": #"{"images":[{"scale":"1x"},{"filename":"a.png","scale":"2x"}]}"#,
            "S.symbolset": #"{"symbols":[{"filename":"s.svg","idiom":"universal"}]}"#,
            "E.imageset": #"{"images":[{"idiom":"universal"}]}"#,
        ])
        #expect(
            json.member("images")
                == #"{"A":{"variants":[{"when":{"displayScale":2},"value":"a.png"}]},"S":{"variants":[{"value":"s.svg"}]}}"#
        )
        #expect(skipped == ["E.imageset/Contents.json:1:1 /: the image has no slot with a file"])
    }

    @Test("has the names of groups that provide a namespace in the names below them")
    func namespaces() throws {
        let set = #"{"images":[{"filename":"a.png"}]}"#
        let json = try Converted.catalog(
            [
                "": #"{"info":{}}"#,
                "My Group": #"{"properties":{"provides-namespace":true}}"#,
                "My Group/Plain": "{}",
                "My Group/Plain/Big Icon.imageset": set,
                "Other/Icon.imageset": set,
            ], prefix: "ios."
        ).json
        #expect(
            json.member("images")
                == #"{"ios.My.Group.Big.Icon":{"variants":[{"value":"a.png"}]},"ios.Icon":{"variants":[{"value":"a.png"}]}}"#
        )
    }

    @Test("refuses two sets with one name, and names both")
    func clash() {
        let set = #"{"images":[{"filename":"a.png"}]}"#
        let error = Converted.error { () throws(ConversionError) in
            try Converted.catalog(["A B.imageset": set, "X/A.B.imageset": set])
        }
        #expect(
            error == """
                X/A.B.imageset/Contents.json:1:1 /: 'A.B' becomes the image 'A.B', as does A B.imageset/Contents.json:1:1 /: \
                'A B'. Rename one of them, or convert the files apart, each with a --prefix.
                """)
    }

    @Test("skips other types of assets, and reads over the comma that Xcode reads over")
    func others() throws {
        let (json, skipped) = try Converted.catalog([
            "I.appiconset": "{}",
            "A.imageset": "{\"images\": [ {\"filename\": \"a,}.png\", },\n ],\n}",
        ])
        #expect(json.member("images") == #"{"A":{"variants":[{"value":"a,}.png"}]}}"#)
        #expect(
            skipped == [
                "I.appiconset/Contents.json:1:1 /: 'appiconset' is not converted",
                "A.imageset/Contents.json:1:1 /: a comma before a closing bracket is read over, as Xcode does",
            ])
    }

    @Test(
        "has the place in each error",
        arguments: [
            ("{", "A.colorset/Contents.json:1:2: the text ends too early,"),
            ("{}", "A.colorset/Contents.json:1:1 /: 'colors' is missing"),
            (#"{"colors":{}}"#, "A.colorset/Contents.json:1:11 /colors: an array is expected here"),
            (
                #"{"colors":[1]}"#,
                "A.colorset/Contents.json:1:12 /colors/0: an object is expected here"
            ),
            (
                #"{"colors":[{"color":{"components":{}}}]}"#,
                "A.colorset/Contents.json:1:21 /colors/0/color: 'color-space' is missing"
            ),
            (
                #"{"colors":[{"color":{"color-space":"cmyk","components":{}}}]}"#,
                "A.colorset/Contents.json:1:36 /colors/0/color/color-space: 'cmyk' is no known colour space"
            ),
            (
                #"{"colors":[{"color":{"color-space":"srgb","components":{"red":"x"}}}]}"#,
                "A.colorset/Contents.json:1:63 /colors/0/color/components/red: 'x' is no component: 0.12, 31 and 0x1F are some"
            ),
            (
                #"{"colors":[{"color":{"color-space":"srgb","components":{"red":"nan"}}}]}"#,
                "A.colorset/Contents.json:1:63 /colors/0/color/components/red: 'nan' is no component: 0.12, 31 and 0x1F are some"
            ),
        ])
    func errors(_ text: String, _ line: String) {
        let error = Converted.error { () throws(ConversionError) in
            try Converted.catalog(["A.colorset": text])
        }
        #expect(error == line)
    }
}
