// A body that outlives the call in which its handler sees it, so that it can be worked on elsewhere.

import HTTPWire

/// The bytes of one body. They are not copied when they lie in storage of their own already, as those
/// of long bodies do.
package final class RequestBody: Sendable {
    /// Valid as long as this object is. Nothing changes them: the connection does not write to a shared buffer.
    nonisolated(unsafe) package let bytes: UnsafeRawBufferPointer
    /// Kept, and not used.
    nonisolated(unsafe) private let owners: (AnyObject?, AnyObject?)
    private let budget: ByteBudget
    private let counted: Int

    /// Bytes that `owners` keep; they are counted already.
    init(_ bytes: UnsafeRawBufferPointer, keeping owners: (AnyObject?, AnyObject?)) {
        self.bytes = bytes
        self.owners = owners
        budget = ByteBudget(bytesMax: 0)
        counted = 0
    }

    /// The bytes of `buffer`, to which there is no other reference.
    init(_ buffer: OutputBuffer, _ budget: ByteBudget) {
        bytes = buffer.bytes
        owners = (buffer, nil)
        self.budget = budget
        counted = buffer.capacity
        _ = budget.change(by: counted)
    }

    /// The bytes of a buffer that nothing changes any more. Another budget counts them.
    package convenience init(owning buffer: OutputBuffer) {
        self.init(buffer.bytes, keeping: (buffer, nil))
    }

    deinit { _ = budget.change(by: -counted) }
}

extension Connection {
    /// Bodies shorter than this are copied, which costs less than giving away their storage.
    private static let copiedBytesMax = 16_384

    /// The body of the request at hand without a copy; nil when it is short, or in no storage that can be
    /// kept.
    func takeLongBody() -> RequestBody? {
        let body = shard.request.body
        guard body.count > Self.copiedBytesMax else { return nil }
        if let owner = shard.request.bodyOwner { return RequestBody(body, keeping: (owner, nil)) }
        if body.isInside(shard.inflated.bytes) {
            let taken = shard.inflated
            shard.inflated = OutputBuffer()
            return RequestBody(taken, shard.collected)
        }
        if let decoded = intake.decoded, body.isInside(decoded.bytes) {
            return RequestBody(body, keeping: (decoded, inbound))
        }
        if let inbound, body.isInside(inbound.bytes) {
            inbound.isShared = true
            return RequestBody(body, keeping: (inbound, nil))
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isInside(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return false }
        return start >= otherStart && start + count <= otherStart + other.count
    }
}
