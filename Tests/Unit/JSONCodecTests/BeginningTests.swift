// Texts of which the end is missing.

import Testing

@testable import JSONCodec

@Suite("The beginning of a text")
struct BeginningTests {
    private static let text =
        #"{"a":[1,2],"n":12,"s":"x\"y,","list": [ 10 , 20,"a,]", {"b":[{}, 1]} ,[],null,true , -3.5e2 ] ,"#
        + #""other":[ ],"last":[[1],{"c":"}"}]}"#

    /// What is whole in a text: names with values, and where the open array goes on.
    private static func read(_ text: [UInt8]) throws -> (
        members: [String], end: Int?, isComplete: Bool
    )? {
        var found: (members: [String], end: Int?, isComplete: Bool)?
        try JSONTape().withBeginning(of: text, refusal: \.self) { beginning throws(JSONError) in
            let members = beginning.root.members.map { name, value in
                let elements =
                    value.kind == .array
                    ? value.elements.map { String(decoding: $0.rawBytes, as: UTF8.self) }.joined(
                        separator: ";")
                    : String(decoding: value.rawBytes, as: UTF8.self)
                #expect(value.kind != .array || value.count == Array(value.elements).count)
                return "\(name.string)=\(elements)"
            }
            #expect(beginning.root.count == members.count)
            found = (members, beginning.end, beginning.isComplete)
        }
        return found
    }

    private static func joined(_ parts: [String]) -> [String] {
        var members: [String] = []
        for part in parts {
            let name = part.prefix { $0 != "=" }
            if let last = members.last, last.prefix(while: { $0 != "=" }) == name {
                let rest = part.dropFirst(name.count + 1)
                members[members.count - 1] +=
                    (last.hasSuffix("=") || rest.isEmpty ? "" : ";") + rest
            } else {
                members.append(part)
            }
        }
        return members
    }

    @Test("Cut anywhere in a list, it goes on from there, and nothing is read twice or left out")
    func everyCut() throws {
        let text = Array(Self.text.utf8)
        let whole = try #require(try Self.read(text))
        #expect(whole.isComplete && whole.members.count == 6)
        var cuts = 0
        for count in 0..<text.count {
            guard let found = try Self.read(Array(text[..<count])) else { continue }
            #expect(!found.isComplete)
            guard let end = found.end else { continue }
            cuts += 1
            #expect(end <= count)
            let name = try #require(found.members.last?.prefix { $0 != "=" })
            let rest = try #require(try Self.read(Array("{\"\(name)\":[".utf8) + text[end...]))
            #expect(Self.joined(found.members + rest.members) == whole.members, "cut at \(count)")
        }
        #expect(cuts > 60)
    }

    @Test("A fault in what is there is one, and a name that occurs twice too")
    func faults() {
        for text in [
            #"{"a":[1,]"#, #"{"a":[1 2"#, #"{"a":1,"b":2,"a":[1,"#, #"{"a":[{"b":1,"b":2"#, "{,",
            #"{"a":[01"#,
            "{\"a\":[\"\u{1}",
        ] {
            #expect(throws: JSONError.self, "\(text)") { try Self.read(Array(text.utf8)) }
        }
    }

    @Test("A text that does not begin with an object has no such beginning")
    func others() throws {
        for text in ["", " ", "[1,2", "[1,2]", "12", "\"a", "tru", "{", "{\"a\"", "{\"a\":"] {
            let found = try Self.read(Array(text.utf8))
            #expect(
                found == nil || found?.members.isEmpty == true && text.hasPrefix("{"), "\(text)")
        }
    }
}
