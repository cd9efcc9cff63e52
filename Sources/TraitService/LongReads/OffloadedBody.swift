// The body of a request, away from its shard.

import HTTPServer
import JSONCodec
import Ledger
import TraitSessions

/// A body that is parsed where it is worked on.
///
/// `@unchecked Sendable`: used by one step at a time.
final class OffloadedBody: @unchecked Sendable {
    private let bytes: RequestBody
    private let tape = JSONTape()
    private var root: JSONValue?
    private let memory: MemoryLedger

    init(_ bytes: RequestBody, _ memory: MemoryLedger) {
        self.bytes = bytes
        self.memory = memory
    }

    /// Parses the body in the first call, which answers nil: that was a step's work.
    func json() throws(SessionError) -> JSONValue? {
        if let root { return root }
        let reservation = try memory.reservingTape(of: bytes.bytes)
        defer { reservation?.settle() }
        do throws(JSONError) {
            root = try tape.parse(bytes.bytes)
        } catch {
            throw SessionError(error)
        }
        return nil
    }
}
