// What a value says about itself.

import JSONCodec
import Testing

@Suite("Values")
struct JSONValueTests {
    private static let text =
        #" {"null":null,"yes":true,"no":false,"n":-1.5,"s":"a\tb","list":[1,[2,3],{"x":4}],"o":{}}"#

    @Test("each value has its kind, and no value of another kind")
    func kinds() throws {
        try JSONTape().with(Self.text) { root in
            let expected: [(StaticString, JSONKind)] = [
                ("null", .null), ("yes", .bool), ("no", .bool), ("n", .number), ("s", .string),
                ("list", .array), ("o", .object),
            ]
            #expect(root.kind == .object)
            #expect(root.count == expected.count)
            for (name, kind) in expected {
                let value = try #require(root.member(name))
                #expect(value.kind == kind)
                #expect(value.isNull == (kind == .null))
                #expect((value.bool != nil) == (kind == .bool))
                #expect((value.double != nil) == (kind == .number))
                #expect((value.string != nil) == (kind == .string))
                #expect(value.int64 == nil)
                #expect(value.elements.underestimatedCount == (kind == .array ? 3 : 0))
                #expect(Array(value.members).isEmpty)
            }
            #expect(root.member("yes")?.bool == true)
            #expect(root.member("no")?.bool == false)
            #expect(root.member("n")?.double == -1.5)
            #expect(root.member("nil") == nil)
            #expect(root.member("s")?.member("x") == nil)
        }
    }

    @Test("a value knows its place and its source text")
    func source() throws {
        try JSONTape().with(Self.text) { root in
            let whole = Array(Self.text.utf8)
            func check(_ value: JSONValue) {
                let raw = value.rawBytes
                #expect(Array(raw) == Array(whole[value.offset..<value.offset + raw.count]))
                for element in value.elements { check(element) }
                for (_, member) in value.members { check(member) }
            }
            check(root)
            #expect(root.offset == 1)
            #expect(root.rawBytes.count == whole.count - 1)
            let list = try #require(root.member("list"))
            #expect(list.rawBytes.elementsEqual(#"[1,[2,3],{"x":4}]"#.utf8))
            #expect(list.elements.map { $0.rawBytes.count } == [1, 5, 7])
        }
    }

    @Test("members come in their order, with values of any size between them")
    func members() throws {
        try JSONTape().with(Self.text) { root in
            #expect(
                root.members.map(\.key.string) == ["null", "yes", "no", "n", "s", "list", "o"])
            let inner = try #require(root.member("list")?.elements.map { $0 }.last?.member("x"))
            #expect(inner.int64 == 4)
        }
    }

    @Test("a pointer leads from the root to the value")
    func pointer() throws {
        try JSONTape().with(#"{"a":[0,{"b/c":[[],[1,2]]}],"~":{"":5}}"#) { root in
            #expect(root.pointer == "")
            let second = try #require(root.member("a")?.elements.map { $0 }.last)
            #expect(second.pointer == "/a/1")
            let two = try #require(
                second.member("b/c")?.elements.map { $0 }.last?.elements.map { $0 }.last)
            #expect(two.int64 == 2)
            #expect(two.pointer == "/a/1/b~1c/1/1")
            #expect(root.member("~")?.pointer == "/~0")
            #expect(root.member("~")?.member("")?.pointer == "/~0/")
        }
    }

    @Test("a lone scalar is a whole document")
    func scalar() throws {
        try JSONTape().with(" 17 ") { root in
            #expect(root.int64 == 17)
            #expect(root.pointer == "")
            #expect(root.count == 0)
            #expect(root.rawBytes.elementsEqual("17".utf8))
        }
    }

    @Test("the error of the body comes through, and the tape is free again")
    func bodyThrows() {
        struct Refusal: Error, Equatable { let line: Int }
        let tape = JSONTape()
        func read(_ text: String) throws -> Int {
            let bytes = Array(text.utf8)
            return try bytes.withUnsafeBytes { (raw) throws(Refusal) -> Int in
                try tape.withDocument(
                    raw, refusal: { Refusal(line: $0.line) },
                    { (root) throws(Refusal) -> Int in
                        guard root.count > 0 else { throw Refusal(line: 0) }
                        return root.count
                    })
            }
        }
        #expect(throws: Refusal(line: 0)) { try read("[]") }
        #expect(throws: Refusal(line: 2)) { try read("[\n") }
        #expect((try? read("[1,2]")) == 2)
    }

    @Test("using a tape while a document of it is in use is a programmer's error")
    func reentrancy() async {
        await #expect(processExitsWith: .failure) {
            let tape = JSONTape()
            try tape.with("[1]") { _ in _ = tape.error("[2]") }
        }
    }
}
