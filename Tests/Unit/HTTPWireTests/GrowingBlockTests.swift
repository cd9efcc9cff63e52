// Blocks that grow from the allocator's memory into pages of their own.

import Background
import Testing

@testable import HTTPWire

@Suite("Growing blocks")
struct GrowingBlockTests {
    private func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 31 &+ 7) }

    private func fill(_ block: borrowing GrowingBlock, _ range: Range<Int>) {
        for index in range {
            block.start.storeBytes(of: byte(index), toByteOffset: index, as: UInt8.self)
        }
    }

    private func expectKept(_ block: borrowing GrowingBlock, _ count: Int) {
        let firstChanged = (0..<count).first {
            block.start.load(fromByteOffset: $0, as: UInt8.self) != byte($0)
        }
        #expect(firstChanged == nil)
    }

    private struct Refused: Error {}

    private func made(_ capacity: Int) throws -> GrowingBlock {
        guard let block = GrowingBlock(capacity: capacity) else { throw Refused() }
        return block
    }

    @Test(
        "One keeps its bytes from the smallest to many pages",
        arguments: [512, 100_000, LargeBlock.bytesMin - 1, LargeBlock.bytesMin, 300_001])
    func growth(first: Int) throws {
        var block = try made(first)
        var count = first
        fill(block, 0..<count)
        while count < 5_000_000 {
            let wanted = count * 2 + 1
            let hasGrown = block.grow(to: wanted, keeping: count)
            #expect(hasGrown)
            let capacity = block.capacity
            #expect(capacity == wanted)
            expectKept(block, count)
            fill(block, count..<wanted)
            count = wanted
        }
        expectKept(block, count)
    }

    @Test(
        "Touching its pages changes no byte that is in use",
        arguments: [1, 4_095, 4_096, 4_097, 299_999])
    func touching(count: Int) throws {
        var block = try made(300_000)
        fill(block, 0..<count)
        block.touch(behind: count, upTo: 290_000)
        block.touch(behind: count, upTo: 1_000_000)
        expectKept(block, count)
        fill(block, count..<300_000)
        block.touch(behind: 300_000, upTo: 300_000)
        let hasGrown = block.grow(to: 700_000, keeping: 300_000)
        #expect(hasGrown)
        block.touch(behind: 300_000, upTo: 700_000)
        expectKept(block, 300_000)
    }

    @Test("A small one is not touched")
    func small() throws {
        var block = try made(10_000)
        fill(block, 0..<10_000)
        block.touch(behind: 0, upTo: 10_000)
        expectKept(block, 10_000)
    }

    /// More than any process can address.
    private static let refusedBytes = 1 << 50

    @Test("The system's refusal makes none")
    func refused() {
        let block = GrowingBlock(capacity: Self.refusedBytes)
        let isRefused = block == nil
        #expect(isRefused)
    }

    @Test(
        "The system's refusal leaves one as it was, and smaller growth is possible after it",
        arguments: [512, LargeBlock.bytesMin - 1, LargeBlock.bytesMin, 3_000_000])
    func refusedGrowth(first: Int) throws {
        var block = try made(first)
        fill(block, 0..<first)
        let isRefused = !block.grow(to: Self.refusedBytes, keeping: first)
        #expect(isRefused)
        let capacity = block.capacity
        #expect(capacity == first)
        expectKept(block, first)
        let hasGrown = block.grow(to: first * 2, keeping: first)
        #expect(hasGrown)
        expectKept(block, first)
    }
}
