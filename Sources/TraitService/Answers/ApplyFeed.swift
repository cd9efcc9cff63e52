// The document of an apply that is longer than other bodies. It is compared with the session as a whole, so it is
// collected, with memory that is asked for first.

import Background
import HTTPServer
import HTTPWire
import JSONCodec
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

/// Collects a document on the workers, a piece at a time.
///
/// `@unchecked Sendable`: used by one piece at a time, and by the shard after the last.
final class ApplyFeed: BodySink, @unchecked Sendable {
    private let bytes = OutputBuffer()
    private let bytesMax: Int
    /// For the bytes that have not come yet, and those that have.
    private let reservation: MemoryReservation
    private var reserved: Int
    private let memory: MemoryLedger
    /// Why the document is refused.
    private(set) var failure: SessionError?

    /// - Parameter expected: how long the document is; 0 when that is not known.
    /// - Throws: `bodyTooLarge`; why there is no memory.
    init(
        expected: Int, bytesMax: Int, _ memory: MemoryLedger, for caller: MemoryAccount?
    ) throws(SessionError) {
        let bytesMax = min(bytesMax, JSONLimits.documentBytesCeiling)
        self.bytesMax = bytesMax
        self.memory = memory
        if expected > bytesMax { throw Self.tooLarge(bytesMax) }
        reserved = max(expected, Self.growthBytes)
        reservation = try memory.reserving(reserved, for: caller)
    }

    /// No shard gives back the memory of a long document.
    deinit { Disposal.keepForAWhile(bytes) }

    private static let growthBytes = 1_048_576

    private static func tooLarge(_ bytesMax: Int) -> SessionError {
        .limit(
            .bodyTooLarge,
            "A document may have documentBytesMax=\(bytesMax) bytes. Start the server with a larger --limit document-bytes-max, or apply it in parts.",
            name: "documentBytesMax", value: bytesMax)
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        if failure != nil { return false }
        do throws(SessionError) {
            try add(piece)
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func add(_ piece: UnsafeRawBufferPointer) throws(SessionError) {
        let count = bytes.count + piece.count
        if count > bytesMax { throw Self.tooLarge(bytesMax) }
        if count > reserved {
            let more = max(count - reserved, reserved)
            guard reservation.grow(by: more) else { throw SessionError(memory.shortage) }
            reserved += more
        }
        // All at once, so that what has come is not moved for each piece.
        guard bytes.tryToReserve(max(piece.count, reserved - bytes.count)) else {
            throw SessionError(memory.shortage)
        }
        bytes.append(piece)
    }

    /// The document, which has come whole.
    ///
    /// - Throws: why it was refused on its way.
    func body() throws(SessionError) -> RequestBody {
        if let failure { throw failure }
        reservation.settle()
        return RequestBody(owning: bytes)
    }
}

extension TraitService {
    /// The feed for the body of an apply that may be longer than other bodies: one of that length, or of a length that
    /// is not known. Nil for other bodies.
    ///
    /// - Throws: `bodyTooLarge`; why there is no memory.
    func applyFeed(_ exchange: Exchange) throws(Problem) -> ApplyFeed? {
        let length = exchange.declaredBodyLength
        if let length, length <= exchange.bodyBytesMax, !exchange.isBodyCoded { return nil }
        return try translating { () throws(SessionError) in
            try ApplyFeed(
                expected: exchange.isBodyCoded ? 0 : length ?? 0,
                bytesMax: store.limits.documentBytesMax, environment.memory, for: exchange.caller)
        }
    }
}
