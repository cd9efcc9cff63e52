// The ledger with a process whose memory the test sets.

import Synchronization
import Testing

@testable import Ledger

@Suite("The memory ledger")
struct MemoryLedgerTests {
    /// A process.
    final class Process: Sendable {
        let bytes = Atomic<Int>(0)
        let looks = Atomic<Int>(0)

        func set(_ bytes: Int) { self.bytes.store(bytes, ordering: .relaxed) }

        func ledger(_ bytesMax: Int, caller: Int = 100, session: Int = 100) -> MemoryLedger {
            MemoryLedger(
                bytesMax: bytesMax, sessionPercentMax: session, callerPercentMax: caller
            ) {
                self.looks.add(1, ordering: .relaxed)
                return self.bytes.load(ordering: .relaxed)
            }
        }
    }

    @Test("admits up to the last byte of the budget, and nothing beyond it")
    func limit() {
        let process = Process()
        process.set(400)
        let ledger = process.ledger(1_000)
        let looks = process.looks.load(ordering: .relaxed)
        #expect(ledger.admit(600))
        #expect(process.looks.load(ordering: .relaxed) == looks)
        #expect(ledger.bytes == 1_000)
        process.set(1_000)
        #expect(!ledger.admit(1))
        #expect(ledger.bytes == 1_000)
        #expect(ledger.shortage == MemoryShortage(.process, bytesMax: 1_000, bytes: 1_000))
    }

    @Test("looks at the process before it refuses: what was admitted may be gone again")
    func again() {
        let process = Process()
        process.set(100)
        let ledger = process.ledger(1_000)
        // Each takes its bytes and gives them back, ten times what there is.
        for _ in 0..<100 { #expect(ledger.admit(100)) }
        #expect(ledger.bytes <= 1_000)
        process.set(950)
        ledger.measureNow()
        #expect(!ledger.admit(100))
        #expect(ledger.admit(50))
    }

    @Test("counts what work under way has reserved until it is settled or let go")
    func reserved() throws {
        let process = Process()
        let ledger = process.ledger(1_000)
        var first = ledger.reserve(600)
        #expect(first != nil && ledger.bytes == 600)
        #expect(ledger.reserve(500) == nil)
        let second = try #require(ledger.reserve(300))
        #expect(!second.grow(by: 200))
        #expect(second.grow(by: 100))
        #expect(second.bytes == 400 && ledger.bytes == 1_000)
        first = nil
        #expect(ledger.bytes == 400)
        second.settle()
        #expect(ledger.bytes == 400 && second.bytes == 0)
        process.set(400)
        ledger.measureNow()
        #expect(ledger.bytes == 400)
    }

    @Test("takes what the allocator keeps for free, up to a quarter of the budget")
    func kept() {
        let process = Process()
        process.set(900)
        let ledger = process.ledger(1_000)
        ledger.setKept(200)
        ledger.measureNow()
        #expect(ledger.bytes == 700)
        ledger.setKept(800)
        ledger.measureNow()
        #expect(ledger.bytes == 650)
        #expect(ledger.residentBytes == 900)
    }

    @Test("confirms what has been taken already without counting it twice")
    func confirmed() {
        let process = Process()
        process.set(500)
        let ledger = process.ledger(1_000)
        process.set(900)
        #expect(ledger.confirm(600))
        #expect(ledger.bytes == 900)
        process.set(1_001)
        #expect(!ledger.confirm(600))
    }

    @Test("reserves a quarter of the budget for one caller at most, beside its only piece of work")
    func callers() throws {
        let ledger = Process().ledger(1_000)
        let one = ledger.accounts.account(of: CallerKey(high: 0, low: 1))
        let other = ledger.accounts.account(of: CallerKey(high: 0, low: 2))
        #expect(ledger.accounts.account(of: CallerKey(high: 0, low: 1)) === one)
        var held = ledger.reserve(250, for: one)
        #expect(held != nil && one.work.bytes == 250)
        #expect(ledger.reserve(1, for: one) == nil)
        #expect(ledger.reserve(100, for: other) != nil)
        held = nil
        #expect(one.work.bytes == 0 && other.work.bytes == 0)
        let large = try #require(ledger.reserve(600, for: one))
        #expect(!large.grow(by: 1))
        large.settle()
        #expect(one.work.bytes == 0)
    }

    @Test("leaves a sixteenth of the budget to writes when reads reserve all they can")
    func reading() throws {
        let process = Process()
        process.set(160)
        let ledger = process.ledger(1_600)
        let first = try #require(ledger.reserveForReading(1_300))
        #expect(ledger.reserveForReading(41) == nil)
        let second = try #require(ledger.reserveForReading(40))
        #expect(ledger.bytes == 1_500)
        #expect(ledger.admit(50))
        // What a write needs for its body.
        let body = try #require(ledger.reserve(50))
        process.set(210)
        #expect(!ledger.admit(1))
        for reservation in [first, second, body] { reservation.settle() }
    }

    @Test("leaves a sixteenth of the budget to small reads when large ones reserve all they can")
    func largeReads() throws {
        let process = Process()
        let mebibyte = 1 << 20
        let ledger = process.ledger(64 * mebibyte)
        let large = try #require(ledger.reserveForReading(56 * mebibyte))
        #expect(ledger.reserveForReading(mebibyte + 1) == nil)
        let small = try (0..<4).map { _ in try #require(ledger.reserveForReading(mebibyte)) }
        #expect(ledger.reserveForReading(1) == nil)
        #expect(ledger.admit(4 * mebibyte))
        for reservation in [large] + small { reservation.settle() }
    }

    @Test(
        "leaves a thirty-second of the budget to small reads when large writes reserve all they can"
    )
    func largeWrites() throws {
        let process = Process()
        let mebibyte = 1 << 20
        let ledger = process.ledger(64 * mebibyte)
        let large = try #require(ledger.reserve(57 * mebibyte))
        #expect(ledger.reserve(4 * mebibyte + 1) == nil)
        #expect(large.grow(by: mebibyte))
        #expect(!large.grow(by: 1), "it is a large one, however little it grows by")
        let small = try (0..<2).map { _ in try #require(ledger.reserveForReading(mebibyte)) }
        #expect(ledger.reserveForReading(1) == nil)
        #expect(ledger.reserve(mebibyte) != nil)
        for reservation in [large] + small { reservation.settle() }
    }

    @Test("keeps what work has taken in its caller's share until the work is over")
    func share() throws {
        let process = Process()
        let ledger = process.ledger(1_000)
        let caller = MemoryAccount(storedBytesMax: 1_000, workBytesMax: 250, streamBytesMax: 250)
        for isReleased in [false, true] {
            let reservation = try #require(ledger.reserve(200, for: caller))
            reservation.settle(through: 150)
            #expect(caller.work.bytes == 200)
            #expect(ledger.reserve(100, for: caller) == nil)
            if isReleased { reservation.release() } else { reservation.settle() }
            #expect(caller.work.bytes == 0)
        }
    }

    @Test("counts once what work under way has taken of its reservation")
    func taken() throws {
        let process = Process()
        let ledger = process.ledger(1_000)
        let reservation = try #require(ledger.reserve(600))
        for taken in [200, 200, 150, 450] {
            process.set(taken)
            reservation.settle(through: taken)
            ledger.measureNow()
        }
        #expect(reservation.bytes == 150)
        #expect(ledger.bytes == 450 + 150)
        #expect(reservation.grow(by: 100))
        process.set(900)
        reservation.settle(through: 900)
        ledger.measureNow()
        #expect(reservation.bytes == 0 && ledger.bytes == 900)
    }

    @Test("tells what a caller stores from what is made for it")
    func stored() {
        let ledger = Process().ledger(1_000, caller: 30)
        let account = ledger.accounts.account(of: CallerKey(high: 0, low: 1))
        let rooms = { [1, 2].map { account.stored.hasRoom(for: $0) } }
        account.stored.change(by: 300)
        #expect(rooms() == [false, false])
        #expect(ledger.reserve(100, for: account) != nil)
        account.stored.change(by: -1)
        #expect(rooms() == [true, false])
    }

    @Test("forgets callers that hold nothing and are not connected")
    func forgotten() {
        let ledger = Process().ledger(1_000)
        weak var account: MemoryAccount?
        for number in 0..<5_000 {
            let made = ledger.accounts.account(of: CallerKey(high: 1, low: UInt64(number)))
            if number == 0 { account = made }
        }
        #expect(account == nil)
    }

    @Test("never admits more than there is, from several threads at once")
    func threads() async {
        let process = Process()
        let ledger = process.ledger(1_000_000)
        let admitted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    for _ in 0..<20_000 {
                        guard let held = ledger.reserve(100) else { continue }
                        count += 1
                        // Half of it stays for good.
                        if count % 2 == 0 {
                            process.bytes.add(100, ordering: .relaxed)
                            held.settle()
                        }
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(admitted > 10_000)
        ledger.measureNow()
        #expect(ledger.bytes <= 1_000_000)
    }

    @Test("without a budget admits everything and never looks")
    func unlimited() {
        let ledger = MemoryLedger.unlimited
        #expect(!ledger.isLimited)
        #expect(ledger.admit(1 << 40))
        #expect(ledger.reserve(1 << 60) != nil)
        #expect(ledger.confirm(1 << 40))
    }

    @Test("sees what this process takes")
    func resident() throws {
        // Much more than other tests free at the same time.
        let size = 400_000_000
        let before = try #require(ResidentMemory.bytes())
        #expect(before > 1_000_000)
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        block.initializeMemory(as: UInt8.self, repeating: 1, count: size)
        let during = try #require(ResidentMemory.bytes())
        #expect(during - before > size / 2)
        #expect(ResidentMemory.allocator().used > size)
        block.deallocate()
    }
}
