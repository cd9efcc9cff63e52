// An incremental parser that owns nothing: it sees bytes and answers need-more, done or malformed.
//
// It goes from line to line. A line is judged only as a whole and always by the same code, so the
// verdict does not depend on where the bytes were split; what is remembered between two calls is
// which line comes next and how far its end has been looked for.

/// The result of parsing the bytes so far.
package enum ParseResult: Sendable {
    /// The head is not complete, and nothing is wrong so far.
    case needMore
    /// The head is complete; the body, if any, begins at `RequestHead.byteCount`.
    case done
    /// The request is refused; the connection cannot be used further.
    case malformed(WireError)
}

/// Parses the heads of requests, one after the other, strictly (RFC 9112).
///
/// Everything by which two programs could see two different requests in the same bytes is an error,
/// never repaired. Allocates nothing unless a request is malformed. O(bytes) in total, however they
/// are split. A plain value; each connection keeps its own.
package struct RequestParser: Sendable {
    package let limits: WireLimits

    private var phase = Phase.start
    /// The first byte of the line that comes next.
    private var lineStart = 0
    /// How far the end of that line was looked for in vain.
    private var scanned = 0
    private var fieldsStart = 0
    private var fieldCount = 0
    private var meaning = FieldMeaning()

    private enum Phase { case start, requestLine, fields }

    /// Limits too large for 32-bit offsets are reduced, negative ones count as zero.
    package init(limits: WireLimits = .init()) {
        var limits = limits
        let sizeMax = 1 << 29
        limits.requestLineBytesMax = min(max(limits.requestLineBytesMax, 0), sizeMax)
        limits.headerBytesMax = min(max(limits.headerBytesMax, 2), sizeMax)
        self.limits = limits
    }

    /// Forgets the request in progress; the next bytes are the first of another one.
    package mutating func reset() {
        phase = .start
        lineStart = 0
        scanned = 0
    }

    /// Looks at all bytes of a request that are there so far, which always begin with its first.
    ///
    /// After `done` and `malformed` the parser is ready for another request.
    package mutating func parse(
        _ bytes: UnsafeRawBufferPointer, into head: inout RequestHead
    ) -> ParseResult {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return .needMore }
        do throws(WireError) {
            guard try advance(base, bytes.count, &head) else { return .needMore }
            reset()
            return .done
        } catch {
            reset()
            return .malformed(error)
        }
    }

    /// Returns whether the head is complete.
    private mutating func advance(
        _ base: UnsafeRawPointer, _ count: Int, _ head: inout RequestHead
    ) throws(WireError) -> Bool {
        if scanned > lineStart, !hasNews(base, count) { return false }
        if phase != .fields {
            guard try requestLine(base, count, &head) else { return wait(base, count) }
        }
        guard try fields(base, count, &head) else { return wait(base, count) }
        do throws(WireError) {
            try meaning.conclude(&head, limits)
        } catch {
            var error = error
            error.isHeadComplete = true
            throw error
        }
        return true
    }

    /// Whether looking at the current line again can lead to anything: a control character has
    /// come, which ends the line or is wrong, or a limit is reached.
    private func hasNews(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
        let isOverLimit =
            phase == .fields
            ? count &- fieldsStart >= limits.headerBytesMax
            : count &- lineStart > limits.requestLineBytesMax &+ 1
        return isOverLimit || WireBytes(base, end: count).firstControl(from: scanned) < count
    }

    private mutating func wait(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
        // A carriage return at the end is looked at again, together with what follows it.
        let endsInCR = count > 0 && WireBytes(base, end: count)[count &- 1] == Ascii.cr
        scanned = endsInCR ? count &- 1 : count
        return false
    }

    private mutating func requestLine(
        _ base: UnsafeRawPointer, _ count: Int, _ head: inout RequestHead
    ) throws(WireError) -> Bool {
        if phase == .start {
            meaning = FieldMeaning()
            fieldCount = 0
            head.present = 0
            head.repeated = 0
            let bytes = WireBytes(base, end: count)
            if bytes[0] < Ascii.space {
                // Some clients send a line end too many after a body; one empty line is passed over
                // (RFC 9112 section 2.2).
                guard let start = try Self.skipEmptyLine(bytes) else { return false }
                lineStart = start
                scanned = start
            }
            phase = .requestLine
        }
        // Two bytes more than the longest line: its line end.
        let reach = lineStart &+ limits.requestLineBytesMax &+ 2
        let bytes = WireBytes(base, end: min(count, reach))
        guard let next = try RequestLine.parse(bytes, from: lineStart, into: &head) else {
            if count >= reach {
                throw .requestLineTooLong(
                    limits, at: lineStart &+ limits.requestLineBytesMax)
            }
            return false
        }
        phase = .fields
        lineStart = next
        fieldsStart = next
        return true
    }

    /// Where the request line begins after an empty line, or `nil` if that is not known yet.
    private static func skipEmptyLine(_ bytes: WireBytes) throws(WireError) -> Int? {
        if bytes[0] == 0x16 { throw .tlsOnPlainPort() }
        guard bytes[0] == Ascii.cr else { throw .method(bytes[0], at: 0) }
        guard bytes.end > 2 else {
            if bytes.end == 2, bytes[1] != Ascii.lf { throw .control(Ascii.cr, at: 0) }
            return nil
        }
        guard bytes[1] == Ascii.lf else { throw .control(Ascii.cr, at: 0) }
        if bytes[2] == Ascii.cr || bytes[2] == Ascii.lf { throw .emptyRequestLine(at: 2) }
        return 2
    }

    private mutating func fields(
        _ base: UnsafeRawPointer, _ count: Int, _ head: inout RequestHead
    ) throws(WireError) -> Bool {
        let reach = fieldsStart &+ limits.headerBytesMax
        let bytes = WireBytes(base, end: min(count, reach))
        let tables = WireTables.shared
        // A copy, because a register is faster than a member that every turn waits for.
        var start = lineStart
        var present = head.present
        defer {
            lineStart = start
            head.present = present
        }
        while start < bytes.end {
            if bytes[start] == Ascii.cr {
                guard start &+ 1 < bytes.end else { break }
                guard bytes[start &+ 1] == Ascii.lf else { throw .control(Ascii.cr, at: start) }
                head.fieldLines = ByteRange(fieldsStart, start)
                head.byteCount = start &+ 2
                return true
            }
            guard fieldCount < limits.headerCountMax else {
                throw .tooManyFields(limits, at: start)
            }
            guard let line = try FieldLine.parse(bytes, from: start, tables) else { break }
            if line.name != FieldLine.unknownName {
                head.record(line, &present)
                if FieldMeaning.isConcerned(line.name) { try meaning.take(line, bytes, tables) }
            }
            fieldCount &+= 1
            start = line.next
        }
        if count >= reach { throw .headerTooLarge(limits, at: reach) }
        return false
    }
}
