// What a connection remembers of its client, so that a token that was verified once is only compared
// when it comes again: that costs some thirty instructions, and hashing it some thousand.

import HTTPServer

/// Confined to the shard of its connection.
final class ClientState {
    /// The value of `Authorization` that was verified; empty for a caller without one.
    private let credential: UnsafeMutableRawBufferPointer
    /// How often the tokens had changed then.
    let changes: UInt64
    let caller: Caller
    /// The same, for those that need not keep it.
    let callerReference: Unmanaged<Caller>

    init(_ credential: UnsafeRawBufferPointer?, _ changes: UInt64, _ caller: Caller) {
        self.credential = .allocate(byteCount: credential?.count ?? 0, alignment: 8)
        if let credential { self.credential.copyMemory(from: credential) }
        self.changes = changes
        self.caller = caller
        callerReference = .passUnretained(caller)
    }

    deinit { credential.deallocate() }

    /// Whether the same token was sent again. The comparison takes the same time wherever the bytes
    /// differ.
    @inline(__always)
    func isSame(_ given: UnsafeRawBufferPointer?) -> Bool {
        let count = credential.count
        guard let given, let base = given.baseAddress else { return count == 0 }
        // Nothing shorter than a vector is ever verified.
        guard given.count == count, count >= 16, let known = credential.baseAddress else {
            return false
        }
        // The last vector overlaps the one before it.
        let last = count &- 16
        var difference =
            known.loadUnaligned(fromByteOffset: last, as: SIMD2<UInt64>.self)
            ^ base.loadUnaligned(fromByteOffset: last, as: SIMD2<UInt64>.self)
        var offset = 0
        while offset < last {
            difference |=
                known.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
                ^ base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
            offset &+= 16
        }
        return difference[0] | difference[1] == 0
    }
}
