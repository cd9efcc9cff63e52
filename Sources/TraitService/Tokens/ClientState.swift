// The verified token of a connection. When the client sends the same token again, the token is compared, which
// costs some thirty instructions, and not hashed, which costs some thousand.

import HTTPServer

/// Confined to the shard of its connection.
final class ClientState {
    /// The value of `Authorization` that was verified; empty for a caller without one.
    private let credential: UnsafeMutableRawBufferPointer
    /// The count of `TokenChanges` before the token was verified.
    let changes: UInt64
    let caller: Caller
    /// `caller`, for users that need not retain it.
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
