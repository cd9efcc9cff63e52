// What a connection remembers of its client, so that a token that was verified once is only compared
// when it comes again: that costs some ten instructions for eight bytes, and hashing it some thousand.

import HTTPServer

/// Confined to the shard of its connection.
final class ClientState {
    /// The value of `Authorization` that was verified; empty for a caller without one.
    private let credential: [UInt8]
    /// The keeper's generation then.
    let generation: UInt64
    let caller: Caller
    /// The caller's, once it was needed.
    var quota: CallerQuota?

    init(_ credential: UnsafeRawBufferPointer?, _ generation: UInt64, _ caller: Caller) {
        self.credential = credential.map { Array($0) } ?? []
        self.generation = generation
        self.caller = caller
    }

    /// Whether the same was sent again. The time tells nothing about where it differs.
    func isSame(_ given: UnsafeRawBufferPointer?) -> Bool {
        guard let given, let base = given.baseAddress else { return credential.isEmpty }
        let count = credential.count
        guard given.count == count, count > 0 else { return false }
        return credential.withUnsafeBytes { known in
            guard let known = known.baseAddress else { return false }
            var difference: UInt64 = 0
            var offset = 0
            while offset &+ 8 <= count {
                difference |=
                    known.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    ^ base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            while offset < count {
                difference |= UInt64(
                    known.load(fromByteOffset: offset, as: UInt8.self)
                        ^ base.load(fromByteOffset: offset, as: UInt8.self))
                offset &+= 1
            }
            return difference == 0
        }
    }
}
