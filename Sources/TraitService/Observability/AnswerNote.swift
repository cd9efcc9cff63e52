// The note of an answer, taken when the answer leaves: figures, and the bytes that a log line or the list of slow
// requests shows. Notes lie one after another in a buffer of their shard until the end of the turn, when
// the duration of all of them is known from one look at the clock.

import HTTPServer
import HTTPWire

/// The fixed part of a note. Its bytes follow: request id, target, trace parent, caller, reason.
struct AnswerNote {
    /// Bytes of a target that a note keeps; the rest is cut off.
    static let targetBytesMax = 1_024

    /// Monotonic nanoseconds: the beginning of the turn in which the request was whole.
    var startedAt: UInt64 = 0
    /// Nanoseconds in which the answer waited for the log, and for the workers.
    var waitedForLog: UInt64 = 0
    var waitedForWorkers: UInt64 = 0
    /// The end of the turn in which the answer left, once that is known.
    var endedAt: UInt64 = 0
    /// Bytes of the body before any coding; below 0 for a stream.
    var bodyBytes = 0
    var client = ClientAddress.none
    var series: UInt32 = 0
    var status: UInt16 = 0
    var requestIDCount: UInt16 = 0
    var targetCount: UInt16 = 0
    var traceCount: UInt16 = 0
    /// The reason that the request gives for its commit.
    var reasonCount: UInt16 = 0
    /// The accessor of the caller's token.
    var callerCount: UInt8 = 0
    /// The target was longer than `targetBytesMax`.
    var isTargetCut = false
    /// A stream, or a long poll, whose duration says nothing about the server.
    var isWaiting = false
    /// The access log gets it.
    var isLogged = false

    var byteCount: Int {
        MemoryLayout<Self>.stride &+ Int(requestIDCount) &+ Int(targetCount) &+ Int(traceCount)
            &+ Int(callerCount) &+ Int(reasonCount)
    }
}

extension AnswerNote {
    /// Appends the note and its bytes. O(bytes).
    @inline(__always)
    static func append(
        _ note: AnswerNote, id: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer,
        query: UnsafeRawBufferPointer?, trace: UnsafeRawBufferPointer?, caller: String? = nil,
        reason: UnsafeRawBufferPointer? = nil, to out: OutputBuffer
    ) {
        var note = note
        var target = path.count
        if let query { target &+= query.count &+ 1 }
        note.isTargetCut = target > targetBytesMax
        let kept = min(target, targetBytesMax)
        note.requestIDCount = UInt16(truncatingIfNeeded: id.count)
        note.targetCount = UInt16(truncatingIfNeeded: kept)
        note.traceCount = UInt16(truncatingIfNeeded: trace?.count ?? 0)
        note.callerCount = UInt8(truncatingIfNeeded: min(caller?.utf8.count ?? 0, 255))
        note.reasonCount = UInt16(truncatingIfNeeded: min(reason?.count ?? 0, Int(UInt16.max)))
        out.withRoom(note.byteCount) { room in
            guard let base = room.baseAddress else { return 0 }
            base.storeBytes(of: note, as: AnswerNote.self)
            var end = base + MemoryLayout<AnswerNote>.stride
            copy(id, id.count, to: &end)
            let fromPath = min(path.count, kept)
            copy(path, fromPath, to: &end)
            if let query, fromPath < kept {
                end.storeBytes(of: UInt8(ascii: "?"), as: UInt8.self)
                end += 1
                copy(query, kept &- fromPath &- 1, to: &end)
            }
            if let trace { copy(trace, trace.count, to: &end) }
            if note.callerCount > 0, var caller {
                caller.withUTF8 {
                    copy(UnsafeRawBufferPointer($0), Int(note.callerCount), to: &end)
                }
            }
            if let reason { copy(reason, Int(note.reasonCount), to: &end) }
            return note.byteCount
        }
    }

    @inline(__always)
    private static func copy(
        _ bytes: UnsafeRawBufferPointer, _ count: Int, to end: inout UnsafeMutableRawPointer
    ) {
        guard let base = bytes.baseAddress, count > 0 else { return }
        end.copyMemory(from: base, byteCount: count)
        end += count
    }

    /// Calls `body` with each note of `bytes` and where it lies; it may change the note.
    static func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (inout AnswerNote, UnsafeRawBufferPointer) -> Void
    ) {
        var offset = 0
        let stride = MemoryLayout<AnswerNote>.stride
        while bytes.count - offset >= stride, let base = bytes.baseAddress {
            var note = (base + offset).loadUnaligned(as: AnswerNote.self)
            let size = note.byteCount
            guard size <= bytes.count - offset else { return }
            let whole = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
            body(&note, whole)
            offset += size
        }
    }

    /// The parts of a note's bytes.
    func requestID(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        part(bytes, 0, Int(requestIDCount))
    }

    func target(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        part(bytes, Int(requestIDCount), Int(targetCount))
    }

    func trace(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        part(bytes, Int(requestIDCount) + Int(targetCount), Int(traceCount))
    }

    func caller(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        part(bytes, Int(requestIDCount) + Int(targetCount) + Int(traceCount), Int(callerCount))
    }

    func reason(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        part(bytes, byteCount - MemoryLayout<Self>.stride - Int(reasonCount), Int(reasonCount))
    }

    private func part(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int
    ) -> UnsafeRawBufferPointer {
        let first = MemoryLayout<Self>.stride + start
        return UnsafeRawBufferPointer(rebasing: bytes[first..<first + count])
    }
}
