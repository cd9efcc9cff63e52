// The bytes of a request that is not complete yet, or that waits for its turn. A connection owns
// one only for as long.

import Glibc
import HTTPWire

/// A growable run of received bytes, with the state of looking at them.
final class InboundBuffer {
    private var block: GrowingBlock
    private(set) var count: Int
    private(set) var intake: Intake
    /// A request body refers to the bytes, so they must not be changed.
    var isShared = false
    private let budget: ByteBudget
    /// The bytes that the budget counts for this buffer.
    private var counted = 0

    /// Nil where the system refuses the memory.
    init?(_ bytes: UnsafeRawBufferPointer, intake: Intake, _ budget: ByteBudget) {
        guard let block = GrowingBlock(capacity: max(bytes.count, 512)) else { return nil }
        block.copy(bytes, to: 0)
        self.block = block
        self.budget = budget
        count = bytes.count
        self.intake = Intake(copying: intake)
    }

    deinit { _ = budget.change(by: -counted) }

    /// Updates the budget with the bytes held now. Returns whether they are within bounds.
    func account() -> Bool {
        let held = bytesHeld
        defer { counted = held }
        return budget.change(by: held &- counted)
    }

    var bytesHeld: Int { block.capacity &+ (intake.decoded?.capacity ?? 0) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: block.start, count: count) }

    /// Room to receive into. Grows by what has come, never by what was announced: an announcement
    /// costs its sender nothing.
    ///
    /// - Parameter bytesMax: the most bytes that are received now.
    /// - Returns: nil where the system refuses the memory; the bytes received so far are kept.
    func room(_ bytesMax: Int) -> UnsafeMutableRawBufferPointer? {
        let capacity = block.capacity
        if capacity - count < max(256, capacity / 4) {
            var wanted = capacity * 2
            if let expected = intake.bytesExpected, expected > count {
                wanted = min(wanted, max(expected, capacity + 256))
            }
            guard block.grow(to: wanted, keeping: count) else { return nil }
        }
        let room = min(bytesMax, block.capacity - count)
        block.touch(behind: count, upTo: count + room)
        return UnsafeMutableRawBufferPointer(start: block.start + count, count: room)
    }

    /// From here on another request is collected, which has got that far.
    func restart(at intake: Intake) { self.intake = Intake(copying: intake) }

    func received(_ size: Int) { count += size }

    /// Whether no more than an empty line has come, or a part of one.
    var isEmptyLine: Bool { count <= 2 && bytes.elementsEqual("\r\n".utf8.prefix(count)) }

    /// Takes `size` bytes out, `offset` from the front.
    func remove(_ size: Int, at offset: Int) {
        guard size > 0 else { return }
        precondition(offset >= 0 && offset + size <= count, "no such bytes")
        precondition(!isShared, "a request body refers to these bytes, too")
        memmove(block.start + offset, block.start + offset + size, count - offset - size)
        count -= size
    }
}
