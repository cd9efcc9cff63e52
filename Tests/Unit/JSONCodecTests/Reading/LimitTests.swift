// Every limit holds exactly: its value is accepted, one more is refused, and the error states it.

import JSONCodec
import Testing

@Suite("Limits of the reader")
struct LimitTests {
    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("the depth that is allowed is read and one more is refused at its bracket")
    func depth() throws {
        for depthMax in [0, 1, 2, 64, 500] {
            let tape = JSONTape(limits: JSONLimits(depthMax: depthMax))
            #expect(tape.error("1") == nil)
            if depthMax > 0 { #expect(tape.error(nested(depthMax)) == nil) }
            let error = try #require(tape.error(nested(depthMax + 1)))
            #expect(error.code == .depthLimit)
            #expect(error.offset == depthMax)
            #expect(error.limit == JSONError.Limit(name: "jsonDepthMax", value: depthMax))
        }
    }

    @Test("ten thousand levels are refused at the first bracket too many")
    func deep() throws {
        for open in ["[", "{\"a\":"] {
            let text = String(repeating: open, count: 10_000)
            let error = try #require(JSONTape().error(text))
            #expect(error.code == .depthLimit)
            #expect(error.offset == 64 * open.utf8.count)
            #expect(error.line == 1)
            #expect(error.column == 64 * open.utf8.count + 1)
            #expect(error.reason.contains("more than 64 deep"))
        }
    }

    @Test("depth costs no stack: a hundred thousand levels are read where they are allowed")
    func veryDeep() throws {
        let tape = JSONTape(limits: JSONLimits(depthMax: 100_000))
        let text = Array(nested(100_000).utf8)
        text.withUnsafeBytes { bytes in
            do throws(JSONError) {
                var value = try tape.parse(bytes)
                var depth = 1
                while let inner = value.elements.first(where: { _ in true }) {
                    value = inner
                    depth += 1
                }
                #expect(depth == 100_000)
                #expect(value.offset == 99_999)
            } catch {
                Issue.record("\(error.reason)")
            }
        }
    }

    @Test("siblings do not add to the depth")
    func siblings() {
        let tape = JSONTape(limits: JSONLimits(depthMax: 2))
        #expect(tape.error("[[],[],{},[1],{\"a\":1}]") == nil)
        #expect(tape.error("[[],[[]]]")?.offset == 5)
    }

    @Test("the length that is allowed is read and one byte more is refused")
    func length() throws {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: 10))
        #expect(tape.error("\"12345678\"") == nil)
        let error = try #require(tape.error("\"123456789\""))
        #expect(error.code == .documentBytesLimit)
        #expect(error.offset == 10)
        #expect(error.limit == JSONError.Limit(name: "jsonDocumentBytesMax", value: 10))
    }

    @Test("the number of values that is allowed is read and one more is refused where it stands")
    func values() throws {
        for valuesMax in [1, 2, 3, 255, 256, 257, 600] {
            let tape = JSONTape(limits: JSONLimits(valuesMax: valuesMax))
            // The array itself is a value.
            let fitting = Array(repeating: "1", count: valuesMax - 1).joined(separator: ",")
            #expect(tape.error("[\(fitting)]") == nil)
            let text = "[" + Array(repeating: "1", count: valuesMax).joined(separator: ",") + "]"
            let error = try #require(tape.error(text))
            #expect(error.code == .valuesLimit)
            #expect(error.offset == text.utf8.count - 2)
            #expect(error.limit == JSONError.Limit(name: "jsonValuesMax", value: valuesMax))
        }
    }

    @Test("names count as values")
    func names() {
        #expect(JSONTape(limits: JSONLimits(valuesMax: 3)).error("{\"a\":1}") == nil)
        #expect(JSONTape(limits: JSONLimits(valuesMax: 2)).error("{\"a\":1}")?.offset == 5)
        #expect(JSONTape(limits: JSONLimits(valuesMax: 1)).error("{\"a\":1}")?.offset == 1)
    }

    @Test("limits out of range are brought into it")
    func clamped() {
        let low = JSONLimits(
            depthMax: -1, documentBytesMax: -1, valuesMax: -1, retainedBytesMax: -1)
        #expect(
            low == JSONLimits(depthMax: 0, documentBytesMax: 0, valuesMax: 1, retainedBytesMax: 0))
        let high = JSONLimits(depthMax: .max, documentBytesMax: .max, valuesMax: .max)
        #expect(high.documentBytesMax == JSONLimits.documentBytesCeiling)
        #expect(high.valuesMax == JSONLimits.documentBytesCeiling)
        #expect(JSONTape(limits: high).error("[[1]]") == nil)
    }

    @Test("a tape that keeps nothing still reads one text after the other")
    func retained() {
        let tape = JSONTape(limits: JSONLimits(retainedBytesMax: 0))
        for _ in 0..<3 {
            #expect(tape.error("{\"a\\n\":[1,2,{\"b\":\"\\t\"}],\"c\":null}") == nil)
            #expect(
                tape.error("{\"a\\n\":[1,2,{\"b\":\"\\t\"}],\"a\\n\":null}")?.code == .duplicateKey)
        }
    }

    @Test("an empty buffer without an address is an empty text")
    func noAddress() {
        guard
            case .failure(let error) = JSONTape().read(UnsafeRawBufferPointer(start: nil, count: 0))
        else {
            Issue.record("accepted nothing")
            return
        }
        #expect(error.code == .emptyText)
    }
}
