// Blocks that grow: what was in them stays, and large pages begin where they can.

import Testing

@testable import TraitEngine

@Suite struct MemoryTests {
    @Test(
        "A block that grows keeps its content, at every size", arguments: [64, 131_072, 1_000_003])
    func growing(bytes: Int) {
        let old = Memory.allocate(bytes, isZeroed: false)
        for position in 0..<bytes {
            old.storeBytes(
                of: UInt8(truncatingIfNeeded: position), toByteOffset: position, as: UInt8.self)
        }
        // Eight times as many bytes as are reserved otherwise, and no multiple of a page.
        for needed in [bytes + 1, 20_000_001] {
            let copy = Memory.allocate(bytes, isZeroed: false)
            copy.copyMemory(from: old, byteCount: bytes)
            let (block, size) = Memory.grow(copy, from: bytes, to: needed)
            #expect(size >= needed)
            #expect(
                (0..<bytes).allSatisfy {
                    block.load(fromByteOffset: $0, as: UInt8.self) == UInt8(truncatingIfNeeded: $0)
                })
            block.storeBytes(of: 7, toByteOffset: size - 1, as: UInt8.self)
            #expect(block.load(fromByteOffset: size - 1, as: UInt8.self) == 7)
            Memory.deallocate(block, size)
        }
        Memory.deallocate(old, bytes)
    }

    #if os(Linux)
        @Test("Large pages begin where the small ones of a growing block end")
        func largePages() {
            for needed in [200_000, 16_777_217, 33_333_333] {
                let (block, size) = Memory.grow(
                    Memory.allocate(8, isZeroed: true), from: 8, to: needed)
                let place = Int(bitPattern: block) + Memory.smallPagesBytes
                #expect(place % Memory.largePageBytes == 0)
                // All of it is there, the last byte included.
                block.storeBytes(of: 1, toByteOffset: size - 1, as: UInt8.self)
                Memory.deallocate(block, size)
            }
        }
    #endif
}
