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
            let (block, size) = Memory.grow(copy, from: bytes, to: needed, wanted: needed)
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

    @Test(
        "Where the system refuses a large reservation, a block grows to what it wants, then to what it needs",
        arguments: [(3_000_000, 3_002_368), (2_000_000, 2_002_944)])
    func refused(mostBytes: Int, gets: Int) {
        let old = Memory.allocate(1_000_000, isZeroed: true)
        old.storeBytes(of: 9, toByteOffset: 999_999, as: UInt8.self)
        var asked: [Int] = []
        let (block, size) = Memory.grow(old, from: 1_000_000, to: 2_000_000, wanted: 3_000_000) {
            asked.append($0)
            return $0 < mostBytes + 4_096 ? Memory.allocate($0, isZeroed: true) : nil
        }
        #expect(asked.first == 134_217_728)
        #expect(asked.last == gets && size == gets)
        #expect(block.load(fromByteOffset: 999_999, as: UInt8.self) == 9)
        #expect(block.load(fromByteOffset: size - 1, as: UInt8.self) == 0)
        Memory.deallocate(block, size)
    }

    @Test("Mappings are counted while blocks have them")
    func mappings() {
        // Other tests have blocks at the same time: of these only some hundred.
        let before = Reserving.mappings
        let blocks = (0..<2_000).map { _ in Memory.allocate(131_072, isZeroed: false) }
        #expect(Reserving.mappings > before + 1_000)
        for block in blocks { Memory.deallocate(block, 131_072) }
        #expect(Reserving.mappings < before + 1_000)
    }

    #if os(Linux)
        @Test("Large pages begin where the small ones of a growing block end")
        func largePages() {
            for needed in [200_000, 16_777_217, 33_333_333] {
                let (block, size) = Memory.grow(
                    Memory.allocate(8, isZeroed: true), from: 8, to: needed, wanted: needed)
                let place = Int(bitPattern: block) + Memory.smallPagesBytes
                #expect(place % Memory.largePageBytes == 0)
                // All of it is there, the last byte included.
                block.storeBytes(of: 1, toByteOffset: size - 1, as: UInt8.self)
                Memory.deallocate(block, size)
            }
        }
    #endif
}
