// The JSON of a request body that is parsed on the workers.

import Background
import HTTPServer
import JSONCodec
import Ledger
import TraitJSON
import TraitSessions

/// A body that is parsed on the workers.
///
/// `@unchecked Sendable`: used by one step, or one thread for writes, at a time.
final class OffloadedBody: @unchecked Sendable {
    /// The parts whose memory takes long to free when the body is long.
    private final class Parts: Sendable {
        let bytes: RequestBody
        /// The body's that holds these parts.
        nonisolated(unsafe) let tape = JSONTape()

        init(_ bytes: RequestBody) { self.bytes = bytes }
    }

    private var parts: Parts?
    private var root: JSONValue?
    private let memory: MemoryLedger
    /// A digest of the bytes, for `Idempotency-Key` and plans. The first call is O(bytes).
    private(set) lazy var digest = parts.map { Fingerprint.wide($0.bytes.bytes) } ?? 0

    init(_ bytes: RequestBody, _ memory: MemoryLedger) {
        parts = Parts(bytes)
        self.memory = memory
    }

    /// Frees the memory of a long body on another thread than the shard.
    deinit {
        guard let rest = parts, rest.bytes.bytes.count > Self.shortBytesMax else { return }
        parts = nil
        Disposal.keepForAWhile(rest)
    }

    private static let shortBytesMax = 131_072

    /// The root. The first call parses the body and returns nil, as parsing is the work of one step.
    func json() throws(SessionError) -> JSONValue? {
        if let root { return root }
        guard let parts else { return nil }
        let reservation = try memory.reservingTape(of: parts.bytes.bytes)
        defer { reservation?.settle() }
        do throws(JSONError) {
            root = try parts.tape.parse(parts.bytes.bytes)
        } catch {
            throw SessionError(error)
        }
        return nil
    }
}
