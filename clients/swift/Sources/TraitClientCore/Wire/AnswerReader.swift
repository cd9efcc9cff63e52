// Reads an answer of HTTP/1.1 (RFC 9112) from its bytes, however they are cut, for systems whose Foundation has no
// transport that rests. The reader does no I/O. All that a server may send without end has a bound.

/// What the client uses of the head of an answer.
package struct AnswerHead: Sendable, Hashable {
    package let status: Int
    /// The field Content-Type, or nil.
    package let mediaType: String?
    /// The field Retry-After, or nil.
    package let retryAfter: String?

    package init(status: Int, mediaType: String?, retryAfter: String?) {
        (self.status, self.mediaType, self.retryAfter) = (status, mediaType, retryAfter)
    }
}

/// Bytes that are no answer of HTTP/1.1.
package struct MalformedAnswer: Error, Sendable, Hashable {
    package let reason: String
}

package struct AnswerReader: Sendable {
    package enum Event: Sendable, Hashable {
        case head(AnswerHead)
        case data(ArraySlice<UInt8>)
        case end
    }

    /// The most bytes of all heads of an answer, those of status 1xx included, and of its trailers.
    package static let headBytesMax = 64 << 10
    /// The most bytes of the line before a chunk.
    package static let chunkLineBytesMax = 4 << 10

    private enum State: Sendable, Hashable {
        case status, fields, chunkSize, chunkEnd, trailers, untilClose, done
        case chunk(left: Int)
        case length(left: Int)
    }

    private let isHeadOnly: Bool
    private var state = State.status
    private var line: [UInt8] = []
    private var headBytesLeft = headBytesMax
    private var status = 0
    private var keepsConnection = true
    /// The fields that the client uses, by their names in lower case.
    private var fields: [String: String] = [:]
    private var lastField: String?

    /// - Parameter method: of the request; an answer to HEAD has no body.
    package init(method: String) { isHeadOnly = method == "HEAD" }

    /// Whether the answer is complete, and the connection can take another request.
    package private(set) var isReusable = false

    /// Whether a part of the answer has come.
    package var hasBegun: Bool { headBytesLeft < Self.headBytesMax }

    /// Reads the bytes, and reports what they bring. Complexity: O(n).
    package mutating func read(
        _ bytes: ArraySlice<UInt8>, _ each: (Event) -> Void
    ) throws(MalformedAnswer) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .done:
                // What follows a complete answer belongs to no request.
                isReusable = false
                return
            case .untilClose:
                each(.data(rest))
                return
            case .chunk(let left):
                let part = rest.prefix(left)
                rest = rest[part.endIndex...]
                each(.data(part))
                state = part.count == left ? .chunkEnd : .chunk(left: left - part.count)
            case .length(let left):
                let part = rest.prefix(left)
                rest = rest[part.endIndex...]
                each(.data(part))
                if part.count == left {
                    finish(each)
                } else {
                    state = .length(left: left - part.count)
                }
            case .status, .fields, .trailers, .chunkSize, .chunkEnd:
                guard let text = try takeLine(&rest) else { return }
                try read(line: text, each)
            }
        }
    }

    /// The server has closed the connection.
    package mutating func close(_ each: (Event) -> Void) throws(MalformedAnswer) {
        switch state {
        case .done: return
        case .untilClose: finish(each)
        default: throw MalformedAnswer(reason: hasBegun ? "The answer was cut" : "No answer came")
        }
        isReusable = false
    }

    private mutating func finish(_ each: (Event) -> Void) {
        (state, isReusable) = (.done, keepsConnection)
        each(.end)
    }

    /// A whole line without its end, or nil.
    private mutating func takeLine(
        _ rest: inout ArraySlice<UInt8>
    ) throws(MalformedAnswer) -> String? {
        let end = rest.firstIndex(of: 0x0A)
        let part = rest[..<(end ?? rest.endIndex)]
        rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        if state == .chunkSize || state == .chunkEnd {
            guard line.count + part.count <= Self.chunkLineBytesMax else {
                throw MalformedAnswer(reason: "The line before a chunk is too long")
            }
        } else {
            headBytesLeft -= part.count + 1
            guard headBytesLeft >= 0 else {
                throw MalformedAnswer(
                    reason: "The head or the trailers have more than \(Self.headBytesMax) bytes")
            }
        }
        line.append(contentsOf: part)
        guard end != nil else { return nil }
        if line.last == 0x0D { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func read(
        line: String, _ each: (Event) -> Void
    ) throws(MalformedAnswer) {
        switch state {
        case .status: try readStatus(line)
        case .fields where line.isEmpty: try beginBody(each)
        case .fields: try readField(line)
        case .chunkSize:
            let digits = line.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
            guard digits.utf8.count <= 15, digits.allSatisfy(\.isHexDigit),
                let size = Int(digits, radix: 16)
            else { throw MalformedAnswer(reason: "A chunk has no size") }
            state = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd:
            guard line.isEmpty else {
                throw MalformedAnswer(reason: "A chunk is longer than its size")
            }
            state = .chunkSize
        case .trailers: if line.isEmpty { finish(each) }
        default: break
        }
    }

    private mutating func readStatus(_ line: String) throws(MalformedAnswer) {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0",
            parts[1].utf8.count == 3, let status = UInt16(parts[1]), status >= 100
        else { throw MalformedAnswer(reason: "The answer is no HTTP/1.1") }
        (self.status, keepsConnection) = (Int(status), parts[0] == "HTTP/1.1")
        (fields, lastField, state) = ([:], nil, .fields)
    }

    private static let usedFields = [
        "connection", "content-length", "content-type", "retry-after", "transfer-encoding",
    ]

    private mutating func readField(_ line: String) throws(MalformedAnswer) {
        func trimmed(_ text: Substring) -> String {
            let isBlank = { (character: Character) in character == " " || character == "\t" }
            return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        }
        if line.first == " " || line.first == "\t" {
            // A field that goes on in the next line (RFC 9112, section 5.2).
            if let lastField { fields[lastField]? += " " + trimmed(line[...]) }
            return
        }
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
            throw MalformedAnswer(reason: "A field has no name")
        }
        let name = line[..<colon].lowercased()
        lastField = name
        guard Self.usedFields.contains(name) else { return }
        let value = trimmed(line[line.index(after: colon)...])
        // Fields that come more than once are a list; the others count once.
        switch name {
        case "content-type", "retry-after": fields[name] = fields[name] ?? value
        default: fields[name] = fields[name].map { $0 + "," + value } ?? value
        }
    }

    private func list(_ name: String) -> [String] {
        (fields[name] ?? "").split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }

    private mutating func beginBody(_ each: (Event) -> Void) throws(MalformedAnswer) {
        if (100..<200).contains(status) {
            guard status != 101 else {
                throw MalformedAnswer(reason: "The server speaks another protocol")
            }
            state = .status
            return
        }
        if list("connection").contains("close") { keepsConnection = false }
        let codings = list("transfer-encoding")
        let lengths = Set(list("content-length"))
        state = .untilClose
        if isHeadOnly || status == 204 || status == 304 {
            state = .length(left: 0)
        } else if !codings.isEmpty {
            guard codings == ["chunked"] else {
                throw MalformedAnswer(reason: "The answer has an unknown transfer coding")
            }
            // With a length as well the answer may be smuggled: nothing after it is read (RFC 9112, section 6.3).
            if !lengths.isEmpty { keepsConnection = false }
            state = .chunkSize
        } else if let length = lengths.first {
            guard lengths.count == 1, length.utf8.count <= 18,
                length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let left = Int(length)
            else { throw MalformedAnswer(reason: "The length of the answer is no number") }
            state = .length(left: left)
        }
        each(
            .head(
                AnswerHead(
                    status: status, mediaType: fields["content-type"],
                    retryAfter: fields["retry-after"])))
        if state == .length(left: 0) { finish(each) }
    }
}
