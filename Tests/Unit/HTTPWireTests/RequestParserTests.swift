// Every case at every split point, byte by byte, and with nothing readable behind its last byte.

import GuardedBytes
import SeededRandom
import Testing

@testable import HTTPWire

@Suite("Request heads")
struct RequestParserTests {
    static let cases =
        HeadCase.requestLines + HeadCase.targets + HeadCase.fieldLines + HeadCase.framing
        + HeadCase.smuggling + HeadCase.limits

    @Test("are judged as each case says, wherever they are split", arguments: cases)
    func caseHolds(_ one: HeadCase) {
        let memory = GuardedBytes(capacity: max(1, one.bytes.count))
        let whole = HeadOutcome.of(
            one.bytes, lengths: [one.bytes.count], limits: one.limits, memory)
        #expect(whole == one.outcome)
        for split in 0..<one.bytes.count {
            let outcome = HeadOutcome.of(
                one.bytes, splitAt: split, limits: one.limits, memory)
            #expect(outcome == one.outcome, "split at \(split)")
        }
        let crawl = HeadOutcome.of(
            one.bytes, lengths: 0...one.bytes.count, limits: one.limits, memory)
        #expect(crawl == one.outcome, "byte by byte")
    }

    @Test("have names that tell the cases apart")
    func namesAreUnique() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }

    @Test("that are complete have no complete prefix, and no prefix of them is refused")
    func prefixesNeedMore() {
        for one in Self.cases where one.limits == WireLimits() {
            let memory = GuardedBytes(capacity: max(1, one.bytes.count))
            guard let size = one.outcome.split(separator: " ").last.flatMap({ Int($0) }) else {
                continue
            }
            for length in 0..<size {
                let outcome = HeadOutcome.of(
                    one.bytes, lengths: [length], limits: one.limits, memory)
                #expect(outcome == "needMore", "\(one.name), \(length) bytes")
            }
        }
    }

    @Test("leave nothing behind for the next request on the connection")
    func parserIsReusable() {
        var parser = RequestParser()
        var head = RequestHead()
        let memory = GuardedBytes(capacity: 4_096)
        let plain = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        for one in HeadCase.requestLines + HeadCase.fieldLines + HeadCase.framing {
            if case .needMore = parser.parse(memory.place(one.bytes), into: &head) {
                parser.reset()
            }
            let view = memory.place(plain)
            guard case .done = parser.parse(view, into: &head) else {
                Issue.record("not done after \(one.name)")
                continue
            }
            #expect(HeadOutcome.describe(head, view) == "GET / - h 1.1 none 27", "\(one.name)")
            #expect(head.first(.contentLength) == nil)
        }
    }

    @Test("of any bytes whatever are judged the same way whole and in pieces")
    func randomRequestsAreJudgedAlike() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let memory = GuardedBytes(capacity: 4_096)
        let pieces = Self.cases.map(\.bytes).filter { $0.count < 200 }
        for _ in 0..<3_000 {
            var bytes = pieces[Int(random.next() % UInt64(pieces.count))]
            for _ in 0..<(random.next() % 4) where !bytes.isEmpty {
                let index = Int(random.next() % UInt64(bytes.count))
                let odd: [UInt8] = [0, 9, 10, 13, 32, 35, 44, 58, 63, 127, 128, 255]
                switch random.next() % 3 {
                case 0: bytes[index] = odd[Int(random.next() % 12)]
                case 1: bytes.insert(odd[Int(random.next() % 12)], at: index)
                default: bytes.remove(at: index)
                }
            }
            // A line that comes in pieces is judged when its end is there.
            bytes += Array("\r\n\r\n".utf8)
            let limits = WireLimits()
            let whole = HeadOutcome.of(bytes, lengths: [bytes.count], limits: limits, memory)
            let crawl = HeadOutcome.of(bytes, lengths: 0...bytes.count, limits: limits, memory)
            #expect(whole == crawl, "seed \(seed): \(bytes)")
        }
    }
}
