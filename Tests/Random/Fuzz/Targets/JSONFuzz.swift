// JSON texts, against a second reader that is written for clarity alone, and back through the writer.

import Glibc
import GuardedBytes
import JSONCodec
import JSONReference

enum JSONFuzz {
    /// Deep texts would exhaust the stack of the second reader, which recurses.
    private static let bracketsMax = 500

    /// The first byte chooses the limits, the rest is the text.
    static func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        var source = ByteSource(input)
        let isTight = source.byte() & 1 == 1
        let text = Array(source.rest)
        let limits =
            isTight
            ? JSONLimits(depthMax: 3, documentBytesMax: 200, valuesMax: 8, retainedBytesMax: 16)
            : JSONLimits(depthMax: 100)
        // A new seed for its hashes each time would make coverage depend on chance.
        let tape = JSONTape(limits: limits, hashSeed: 7)
        let memory = GuardedBytes(capacity: text.count)
        let bytes = text.withUnsafeBytes { memory.place($0) }
        let verdict = judge(tape, bytes)
        try expectSame("twice with one tape", verdict, judge(tape, bytes))
        switch verdict {
        case .failure(let error):
            try check(error, text, isTight)
        case .success(let tree):
            guard isTight || ReferenceReader.judge(text) == .accepted else {
                throw FuzzFailure("accepted, but it is no JSON")
            }
            try roundTrip(tree)
        }
    }

    private static func judge(
        _ tape: JSONTape, _ bytes: UnsafeRawBufferPointer
    ) -> Result<JSONTree, JSONError> {
        do throws(JSONError) {
            return .success(
                try tape.withDocument(bytes) { root in
                    exercise(root)
                    return JSONTree(root)
                })
        } catch {
            return .failure(error)
        }
    }

    /// The error must be where the second reader sees it, unless it is about a limit.
    private static func check(
        _ error: JSONError, _ text: [UInt8], _ isTight: Bool
    ) throws(FuzzFailure) {
        guard error.offset <= text.count, error.line >= 1, error.column >= 1 else {
            throw FuzzFailure("\(error) in \(text.count) bytes")
        }
        if let limit = error.limit {
            if !isTight, limit.name != "jsonDepthMax" { throw FuzzFailure("\(error)") }
            return
        }
        let brackets = text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        guard !isTight, brackets <= bracketsMax else { return }
        let isUnfinished = error.code == .unexpectedEnd || error.code == .emptyText
        try expectSame(
            "where the two readers stop", isUnfinished ? .incomplete : .wrong(at: error.offset),
            ReferenceReader.judge(text))
    }

    private static func roundTrip(_ tree: JSONTree) throws(FuzzFailure) {
        var writer = JSONWriter(capacity: 16)
        tree.write(to: &writer)
        let tape = JSONTape(limits: JSONLimits(depthMax: 100), hashSeed: 8)
        try expectSame("read and written", .success(tree), judge(tape, writer.bytes))
        try numbers(in: tree)
    }

    /// What a number is read as is read again when it is written.
    private static func numbers(in tree: JSONTree) throws(FuzzFailure) {
        switch tree {
        case .array(let elements): for element in elements { try numbers(in: element) }
        case .object(let members): for member in members { try numbers(in: member.value) }
        case .number(let text): try number(text)
        default: break
        }
    }

    private static func number(_ text: String) throws(FuzzFailure) {
        let (whole, real) = parsed(text)
        let nearest = strtod(text, nil)
        if (real ?? .infinity).magnitude != nearest.magnitude {
            throw FuzzFailure("\(text) is read as \(String(describing: real)), not \(nearest)")
        }
        if let whole {
            var writer = JSONWriter(capacity: 16)
            writer.value(whole)
            try expectSame("\(text) as an integer", whole, parsed(writer).0)
        }
        if let real {
            var writer = JSONWriter(capacity: 16)
            writer.value(real)
            // The sign of zero is not written, since no trait has two zeros.
            try expectSame("\(text) as a double", real, parsed(writer).1)
        }
    }

    private static func parsed(_ writer: borrowing JSONWriter) -> (Int64?, Double?) {
        parsed(String(decoding: writer.bytes, as: UTF8.self))
    }

    private static func parsed(_ text: String) -> (Int64?, Double?) {
        let tape = JSONTape(hashSeed: 9)
        return Array(text.utf8).withUnsafeBytes { bytes in
            guard let root = try? tape.parse(bytes) else { return (nil, nil) }
            return (root.int64, root.double)
        }
    }

    /// Asks every value everything.
    private static func exercise(_ value: JSONValue) {
        _ = value.int64
        _ = value.double
        _ = value.bool
        _ = value.string?.string
        _ = value.string?.prefix(bytesMax: 5)
        _ = value.member("a")
        _ = value.pointer
        for element in value.elements { exercise(element) }
        for (_, member) in value.members { exercise(member) }
    }
}
