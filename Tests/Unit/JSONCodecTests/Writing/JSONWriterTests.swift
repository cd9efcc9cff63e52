// The writer: commas, escapes, growth and truncation.

import Glibc
import GuardedBytes
import JSONCodec
import JSONReference
import SeededRandom
import Testing

@Suite("The writer")
struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("gives its storage away, and writes on as a new one", arguments: [0, 1, 255, 100_000])
    func gives(count: Int) {
        let filler = String(repeating: "x", count: count)
        var writer = JSONWriter()
        writer.beginArray()
        writer.value(filler)
        let storage = writer.giveStorage()
        #expect(storage.capacity >= storage.count)
        let text = UnsafeRawBufferPointer(start: storage.base, count: storage.count)
        #expect(String(decoding: text, as: UTF8.self) == "[\"\(filler)\"")
        free(storage.base)
        #expect(writer.count == 0)
        writer.value(filler)
        writer.value(1)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(filler)\",1")
    }

    @Test("commas stand between elements and members, and nowhere else")
    func commas() {
        let text = written { writer in
            writer.beginObject()
            writer.key("a")
            writer.value(1)
            writer.key("b")
            writer.beginArray()
            writer.value(true)
            writer.value(false)
            writer.null()
            writer.beginArray()
            writer.endArray()
            writer.beginObject()
            writer.endObject()
            writer.value("s")
            writer.value(StaticLiteral.text)
            writer.value(Int64.min)
            writer.value(0.5)
            writer.raw(Array("{\"r\":1}".utf8))
            writer.endArray()
            writer.key("c\n" as String)
            Array("d".utf8).withUnsafeBytes { writer.value(bytes: $0) }
            Array("é".utf8).withUnsafeBytes { writer.key($0) }
            writer.null()
            writer.endObject()
        }
        #expect(
            text == #"{"a":1,"b":[true,false,null,[],{},"s","static",-9223372036854775808,0.5,"#
                + #"{"r":1}],"c\n":"d","é":null}"#)
    }

    @Test("a member is a name and a value of any type, and may be absent")
    func members() {
        let absent: String? = nil
        let text = written { writer in
            writer.beginObject()
            writer.member("bool", true)
            writer.member("int", 1 as Int)
            writer.member("int64", Int64.max)
            writer.member("double", 0.5)
            writer.member("literal", "a")
            writer.member("string", "b\n" as String)
            Array("c".utf8).withUnsafeBytes { writer.member("bytes", bytes: $0) }
            writer.member("raw", raw: Array("[1]".utf8))
            writer.member("absent", ifPresent: absent)
            writer.member("present", ifPresent: 2 as Int64?)
            writer.flag("no", when: false)
            writer.flag("yes", when: true)
            writer.beginObject("object")
            writer.endObject()
            writer.beginArray("array")
            writer.endArray()
            writer.endObject()
        }
        #expect(
            text == #"{"bool":true,"int":1,"int64":9223372036854775807,"double":0.5,"literal":"a","#
                + #""string":"b\n","bytes":"c","raw":[1],"present":2,"yes":true,"object":{},"array":[]}"#
        )
    }

    private enum StaticLiteral {
        static let text: StaticString = "static"
    }

    @Test("records of newline-delimited JSON stand alone")
    func lines() {
        let text = written { writer in
            for number in 1...3 {
                writer.verbatim("data: ")
                writer.beginObject()
                writer.key("n")
                writer.value(number)
                writer.endObject()
                writer.newline()
            }
            writer.rawByte(0x0A)
        }
        #expect(text == "data: {\"n\":1}\ndata: {\"n\":2}\ndata: {\"n\":3}\n\n")
    }

    @Test("every ASCII character is escaped if it must be and only then")
    func escapes() throws {
        let short: [UInt8: String] = [
            0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: "\\\"",
            0x5C: "\\\\",
        ]
        for byte in 0...0x7F as ClosedRange<UInt8> {
            let character = String(Unicode.Scalar(byte))
            let hex = String(byte, radix: 16)
            let long = "\\u00" + (byte < 0x10 ? "0" : "") + hex
            let expected = short[byte] ?? (byte < 0x20 ? long : character)
            #expect(written { $0.value(character) } == "\"\(expected)\"")
        }
        #expect(written { $0.value("é\u{2028}😀\u{7F}") } == "\"é\u{2028}😀\u{7F}\"")
    }

    @Test("any string at any length, with escapes anywhere, reads back the same")
    func positions() throws {
        let tape = JSONTape()
        for length in 0..<40 {
            for special in ["\"", "\\", "\u{1}", "\n", "é", "😀"] {
                for position in 0...length {
                    var characters = Array(repeating: "x", count: length)
                    characters.insert(special, at: position)
                    let content = characters.joined()
                    // The least capacity, so that every length meets a growth.
                    var writer = JSONWriter(capacity: 0)
                    writer.beginArray()
                    writer.value(content)
                    writer.value(content)
                    writer.endArray()
                    let tree = try tape.read(writer.array()).get()
                    let string = JSONTree.string(Array(content.utf8))
                    try #require(tree == .array([string, string]))
                }
            }
        }
    }

    @Test("no byte beyond a string is read while it is written")
    func guardPage() throws {
        for length in 0..<70 {
            for last in ["x", "\"", "\u{1}", "é"] {
                let content = Array((String(repeating: "y", count: length) + last).utf8)
                let guarded = GuardedBytes(content)
                var writer = JSONWriter()
                writer.value(bytes: guarded.bytes)
                #expect(try JSONTape().read(writer.array()).get() == .string(content))
            }
        }
    }

    @Test("strings of nothing but escapes grow the memory as they need it")
    func allEscapes() throws {
        let content = [UInt8](repeating: 1, count: 10_000)
        var writer = JSONWriter(capacity: 0)
        content.withUnsafeBytes { writer.value(bytes: $0) }
        #expect(writer.count == 60_002)
        #expect(try JSONTape().read(writer.array()).get() == .string(content))
    }

    @Test("integers of every length are written as Swift writes them")
    func integers() {
        var random = SeededRandom.make("written integers")
        var values: [Int64] = [0, 1, -1, 9, 10, .max, .min, .max - 1, .min + 1]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            values += [power - 1, power, power + 1, -power, 1 - power]
        }
        for shift in 0..<64 as Range<Int64> {
            for _ in 0..<20 { values.append(Int64(truncatingIfNeeded: random.next()) >> shift) }
        }
        for value in values { #expect(written { $0.value(value) } == "\(value)") }
    }

    @Test("literals are written as they are, strings are escaped")
    func literals() {
        let name = "a\n"
        #expect(written { $0.value(name) } == #""a\n""#)
        #expect(written { $0.value("plain é") } == "\"plain é\"")
        #expect(written { $0.value("a") } == "\"a\"")
        #expect(written { $0.value("") } == "\"\"")
    }

    @Test("prepared names and framing are written as they are")
    func verbatim() {
        let prepared = Array(#""na\nme":"#.utf8)
        let text = written { writer in
            writer.verbatim("event: é\ndata: ")
            writer.beginObject()
            writer.member(prepared)
            writer.value(1)
            writer.member(prepared)
            writer.null()
            writer.endObject()
            Array("\n\n".utf8).withUnsafeBytes { writer.verbatim($0) }
            writer.value(2)
        }
        #expect(text == "event: é\ndata: {\"na\\nme\":1,\"na\\nme\":null}\n\n2")
    }

    @Test("resetting starts over with a clean slate")
    func reset() {
        var writer = JSONWriter()
        writer.value(1)
        writer.reset()
        #expect(writer.count == 0)
        writer.value(2)
        #expect(writer.array() == Array("2".utf8))
        writer.value(String(repeating: "x", count: 100_000))
        writer.reset(keeping: 1_000)
        writer.value(3)
        #expect(writer.array() == Array("3".utf8))
    }

    @Test("the text can be truncated to an earlier length, commas included")
    func truncate() {
        for keepsFirst in [true, false] {
            let text = written { writer in
                writer.beginObject()
                writer.key("list")
                writer.beginArray()
                if keepsFirst { writer.value("a:") }
                let mark = writer.count
                writer.value(2)
                writer.beginObject()
                writer.truncate(to: mark)
                writer.value(3)
                writer.endArray()
                let end = writer.count
                writer.key("gone")
                writer.truncate(to: end)
                writer.key("here")
                let afterKey = writer.count
                writer.value(4)
                writer.truncate(to: afterKey)
                writer.value(5)
                writer.endObject()
            }
            #expect(text == "{\"list\":[\(keepsFirst ? "\"a:\"," : "")3],\"here\":5}")
        }
        #expect(
            written { writer in
                writer.value(1)
                writer.newline()
                let mark = writer.count
                writer.value(2)
                writer.truncate(to: mark)
                writer.value(3)
                writer.truncate(to: 0)
                writer.value(4)
            } == "4")
    }

    @Test("what an attempt wrote stays or is taken back, and a comma that was due is due again")
    func attempt() {
        for isKept in [true, false] {
            let text = written { writer in
                writer.beginArray()
                writer.value(1)
                writer.reset()
                writer.separate()
                #expect(
                    writer.attempt {
                        $0.value(2)
                        return isKept
                    } == isKept)
                writer.value(3)
                writer.endArray()
            }
            #expect(text == (isKept ? ",2,3]" : ",3]"))
        }
    }

    @Test("a string that was read can be written")
    func copied() throws {
        try JSONTape().with(#"{"k\ney":"v\u0001"}"#) { root in
            for (key, value) in root.members {
                let string = try #require(value.string)
                let text = written { writer in
                    writer.beginObject()
                    writer.key(key.bytes)
                    writer.value(bytes: string.bytes)
                    writer.endObject()
                }
                #expect(text == #"{"k\ney":"v\u0001"}"#)
            }
        }
    }
}
