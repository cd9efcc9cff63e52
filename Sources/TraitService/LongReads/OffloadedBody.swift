// The body of a request, away from its shard.

import Background
import HTTPServer
import JSONCodec
import Ledger
import TraitSessions

/// A body that is parsed where it is worked on.
///
/// `@unchecked Sendable`: used by one step at a time.
final class OffloadedBody: @unchecked Sendable {
    /// What takes a while to give back when the body was long.
    private final class Parts: @unchecked Sendable {
        // Confined to the body that holds it.
        let bytes: RequestBody
        let tape = JSONTape()

        init(_ bytes: RequestBody) { self.bytes = bytes }
    }

    private var parts: Parts?
    private var root: JSONValue?
    private let memory: MemoryLedger
    /// A digest of the bytes, for a request that its client may repeat. O(bytes) for the first call.
    private(set) lazy var digest = parts.map { Fingerprint.wide($0.bytes.bytes) } ?? 0

    init(_ bytes: RequestBody, _ memory: MemoryLedger) {
        parts = Parts(bytes)
        self.memory = memory
    }

    /// No shard gives back the memory of a long body.
    deinit {
        guard let rest = parts, rest.bytes.bytes.count > Self.shortBytesMax else { return }
        parts = nil
        Disposal.keepForAWhile(rest)
    }

    private static let shortBytesMax = 131_072

    /// Parses the body in the first call, which answers nil: that was a step's work.
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
