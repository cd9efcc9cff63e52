// The limits of addresses and mappings: writes are refused before the system refuses memory.

import Ledger
import Synchronization
import Testing

@Suite("The address space")
struct AddressSpaceTests {
    /// What a process uses, as a test sets it.
    private final class Use: Sendable {
        let addresses = Atomic<Int>(0)
        let data = Atomic<Int>(0)
        let mappings = Atomic<Int>(0)

        func space(_ limits: AddressSpace.Limit...) -> AddressSpace {
            AddressSpace(limits) { kind in
                switch kind {
                case .addresses: self.addresses.load(ordering: .relaxed)
                case .data: self.data.load(ordering: .relaxed)
                case .mappings: self.mappings.load(ordering: .relaxed)
                }
            }
        }
    }

    @Test("The room is that of the narrowest limit without its reserve")
    func room() {
        let use = Use()
        #expect(use.space().room() == nil)
        let space = use.space(.init(.addresses, max: 8_000), .init(.data, max: 4_000))
        #expect(space.room() == 3_500)
        use.addresses.store(6_000, ordering: .relaxed)
        #expect(space.room() == 1_000)
        use.addresses.store(7_500, ordering: .relaxed)
        #expect(space.room() == -500)
        #expect(AddressSpace.Limit(.addresses, max: 1 << 40).reserve == 256 << 20)
    }

    @Test("Mappings leave no room from the limit without its reserve on")
    func mappings() {
        let use = Use()
        let space = use.space(.init(.mappings, max: 800))
        use.mappings.store(699, ordering: .relaxed)
        #expect(space.room() == nil)
        use.mappings.store(700, ordering: .relaxed)
        #expect(space.room() == 0)
    }

    @Test(
        "A ledger admits no more than fits into the space, names the limit, and goes on with more room"
    )
    func ledger() throws {
        let use = Use()
        let ledger = MemoryLedger(
            bytesMax: 1_000_000, space: use.space(.init(.addresses, max: 800_000)), measure: { 0 })
        // 700,000 are free without the reserve.
        #expect(ledger.admit(700_000))
        use.addresses.store(699_999, ordering: .relaxed)
        ledger.measureNow()
        #expect(ledger.admit(1))
        use.addresses.store(700_000, ordering: .relaxed)
        #expect(!ledger.admit(1))
        #expect(ledger.reserve(1) == nil)
        let shortage = ledger.shortage
        #expect(shortage.limit == .space(.addresses))
        #expect(shortage.bytesMax == 800_000)
        #expect(shortage.bytes == 700_000)
        #expect(try #require(shortage.spaceText).contains("ulimit -v"))
        use.addresses.store(0, ordering: .relaxed)
        ledger.measureNow()
        #expect(ledger.admit(1_000))
        #expect(!ledger.admit(700_001))
    }

    @Test("Too many mappings refuse what adds something")
    func full() throws {
        let use = Use()
        let ledger = MemoryLedger(
            bytesMax: 1_000_000, space: use.space(.init(.mappings, max: 800)), measure: { 0 })
        #expect(ledger.admit(1))
        use.mappings.store(700, ordering: .relaxed)
        ledger.measureNow()
        #expect(!ledger.admit(1))
        #expect(ledger.shortage.limit == .space(.mappings))
        #expect(try #require(ledger.shortage.spaceText).contains("vm.max_map_count"))
    }

    @Test("What the process uses is what the system says")
    func process() throws {
        let space = AddressSpace.ofProcess { 7 }
        let max = try #require(space.mappingsMax)
        #expect(max > 1_000)
        #expect(space.room() == nil || space.bytesMax != nil)
    }
}
