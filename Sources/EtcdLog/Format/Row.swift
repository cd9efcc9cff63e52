// The value of one append: all its entries in one key, so that etcd stores and sends them together.
//
//     form    1 byte: 0, or 1 when the content is in pieces
//     tag     8 bytes, little-endian: random, the same for every try of one append. By it a writer knows its
//             own row when the answer to an earlier try was lost, also among equal entries of others.
//     name    2 bytes of length, little-endian, and the session's name, in the row with revision 1
//     content what `Deflate.pack` makes of the stored forms (`TLE`) of the entries, or for form 1 the number of
//             pieces (4 bytes) and of the content's bytes (8), little-endian

import SessionLog

struct Row {
    let tag: UInt64
    /// The session's name; empty in a row without revision 1.
    let name: String
    let content: Content

    enum Content {
        case entries([LogEntry])
        case pieces(count: Int, bytes: Int)
    }

    /// Rows from this number of bytes on are deflated.
    static let deflatedFrom = 4_096
    /// Bytes of content that one value has at most.
    static let pieceBytes = 524_288
    private static let piecesMax = 2_048
    private static let headBytes = 11

    // MARK: - Writing

    /// The value of a row, and the pieces that have to be there before it. O(payloads).
    static func encode(
        _ entries: [LogEntry], tag: UInt64, name: String
    ) -> (value: [UInt8], pieces: [ArraySlice<UInt8>]) {
        var forms: [UInt8] = []
        forms.reserveCapacity(entries.reduce(0) { $0 + $1.storedBytes })
        for entry in entries { entry.encode(into: &forms) }
        let content = Deflate.pack(forms, from: deflatedFrom)
        let name = Array((entries.first?.revision == 1 ? name : "").utf8.prefix(Int(UInt16.max)))
        let isWhole = content.count <= pieceBytes
        var value: [UInt8] = [isWhole ? 0 : 1]
        append(tag, to: &value)
        append(UInt16(name.count), to: &value)
        value += name
        if isWhole { return (value + content, []) }
        let pieces = Self.pieces(of: content)
        append(UInt32(pieces.count), to: &value)
        append(UInt64(content.count), to: &value)
        return (value, pieces)
    }

    static func pieces(of content: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: content.count, by: pieceBytes).map {
            content[$0..<min($0 + pieceBytes, content.count)]
        }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    // MARK: - Reading

    /// Reads a value and verifies its entries, if it has them. O(value).
    ///
    /// - Throws: `damaged` when a bit is not as it was written, `unsupported` when a later release wrote the row.
    init(_ value: [UInt8]) throws(LogFailure) {
        let damaged = LogFailure(.damaged(), "a row in etcd is damaged")
        guard value.count >= Self.headBytes else { throw damaged }
        guard value[0] <= 1 else {
            throw LogFailure(
                .unsupported(version: value[0]), "a row in etcd has the form \(value[0])")
        }
        tag = Self.number(value[1...])
        let nameEnd = Self.headBytes + Int(Self.number(value[9...]) as UInt16)
        guard value.count >= nameEnd else { throw damaged }
        name = String(decoding: value[Self.headBytes..<nameEnd], as: UTF8.self)
        let content = value[nameEnd...]
        if value[0] == 0 {
            self.content = .entries(try Self.entries(in: content))
            return
        }
        guard content.count == 12 else { throw damaged }
        let count: UInt32 = Self.number(content)
        let bytes: UInt64 = Self.number(content.dropFirst(4))
        guard count <= Self.piecesMax, bytes <= UInt64(count) * UInt64(Self.pieceBytes) else {
            throw damaged
        }
        self.content = .pieces(count: Int(count), bytes: Int(bytes))
    }

    /// The tag of a row of which only the beginning is there; nil for too little of it.
    static func tag(in start: [UInt8]) -> UInt64? { start.count > 8 ? number(start[1...]) : nil }

    /// The entries of a content that is whole.
    static func entries(in content: ArraySlice<UInt8>) throws(LogFailure) -> [LogEntry] {
        let forms = try Deflate.unpack(content)
        var entries: [LogEntry] = []
        let failure = forms.withUnsafeBytes { forms -> LogFailure? in
            var rest = forms[...]
            while !rest.isEmpty {
                let bytes = UnsafeRawBufferPointer(rebasing: rest)
                guard let count = LogEntry.storedBytes(of: bytes) else {
                    return LogFailure(.damaged(), "a row in etcd ends within an entry")
                }
                do throws(LogFailure) {
                    let entry = try LogEntry(
                        decoding: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                    if let before = entries.last, !follows(entry, before) {
                        return LogFailure(
                            .damaged(revision: entry.revision), LogAppend.brokenChain(entry))
                    }
                    entries.append(entry)
                } catch {
                    return error
                }
                rest = rest.dropFirst(count)
            }
            return entries.isEmpty ? LogFailure(.damaged(), "a row in etcd has no entry") : nil
        }
        if let failure { throw failure }
        return entries
    }

    private static func follows(_ entry: LogEntry, _ before: LogEntry) -> Bool {
        before.revision < .max && entry.revision == before.revision + 1
            && entry.previous == before.checksum && before.kind == .commit
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
        var number: Number = 0
        for (at, byte) in bytes.prefix(MemoryLayout<Number>.size).enumerated() {
            number |= Number(truncatingIfNeeded: byte) << Number(at * 8)
        }
        return number
    }
}
