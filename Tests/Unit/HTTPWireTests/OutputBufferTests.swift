// The buffer under everything that is sent.

import Glibc
import SeededRandom
import Testing

@testable import HTTPWire

@Suite("An output buffer")
struct OutputBufferTests {
    private func text(_ buffer: OutputBuffer) -> String {
        String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test("appends text, bytes, and integers in decimal and hexadecimal")
    func appends() {
        let buffer = OutputBuffer()
        buffer.append("a" as StaticString)
        buffer.append([0x62, 0x63])
        buffer.append(byte: 0x64)
        buffer.append(String("é"))
        buffer.append(decimal: -12)
        buffer.append(hex: 0xFF)
        buffer.append(hex: 0)
        #expect(text(buffer) == "abcdé-12ff0")
    }

    @Test(
        "writes every integer as Swift does",
        arguments: [
            0, 1, 9, 10, 99, 100, 999, 1_000, -1, -10, 12_345_678_901, Int.max, Int.min,
        ])
    func decimals(_ value: Int) {
        let buffer = OutputBuffer()
        buffer.append(decimal: value)
        #expect(text(buffer) == String(value))
        buffer.removeAll()
        buffer.append(hex: UInt(bitPattern: value))
        #expect(text(buffer) == String(UInt(bitPattern: value), radix: 16))
    }

    @Test("behaves as an array that is appended to and consumed from")
    func matchesArray() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let buffer = OutputBuffer()
        var model: [UInt8] = []
        for _ in 0..<5_000 {
            switch random.next() % 8 {
            case 0, 1:
                let size = Int(random.next() % 700)
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
                buffer.append(bytes)
                model += bytes
            case 2:
                let size = Int(random.next() % 900)
                buffer.consume(size)
                model.removeFirst(min(size, model.count))
            case 3:
                let size = Int(random.next() % 4_000)
                buffer.truncate(to: size)
                if size < model.count { model.removeLast(model.count - size) }
            case 4:
                let front = [UInt8](repeating: 9, count: Int(random.next() % 300))
                front.withUnsafeBytes { buffer.prepend($0) }
                model = front + model
            case 5:
                let other = OutputBuffer()
                other.append([1, 2, 3])
                other.consume(1)
                buffer.exchangeStorage(with: other)
                #expect(other.array() == model)
                model = [2, 3]
            case 6:
                let count = Int(random.next() % 300)
                guard let storage = malloc(400) else { continue }
                memset(storage, 5, 400)
                buffer.removeAll()
                buffer.adopt(storage, count: count, capacity: 400)
                #expect(buffer.capacity == 400)
                model = [UInt8](repeating: 5, count: count)
            default:
                buffer.append(byte: 7)
                model.append(7)
            }
            guard buffer.array() == model, buffer.count == model.count else {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    @Test("keeps its storage when emptied, and gives it back when told")
    func releases() {
        let buffer = OutputBuffer(capacity: 1_000)
        buffer.append(byte: 1)
        buffer.releaseStorage()
        #expect(buffer.count == 1)
        buffer.removeAll()
        #expect(buffer.capacity >= 1_000)
        buffer.releaseStorage()
        #expect(buffer.capacity == 0)
        buffer.append(byte: 2)
        #expect(buffer.array() == [2])
        buffer.removeAll(keepingCapacity: false)
        #expect(buffer.capacity == 0)
    }

    @Test("reuses room that was consumed instead of growing")
    func compacts() {
        let buffer = OutputBuffer(capacity: 1_000)
        let capacity = buffer.capacity
        let piece = [UInt8](repeating: 1, count: 300)
        for _ in 0..<100 {
            buffer.append(piece)
            buffer.append(piece)
            buffer.consume(600 - 1)
            buffer.consume(1)
        }
        #expect(buffer.capacity == capacity)
    }

    @Test("keeps its bytes where the system refuses more room", arguments: [0, 10, 300_000])
    func refused(count: Int) {
        let buffer = OutputBuffer()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        buffer.append(bytes)
        #expect(!buffer.tryToReserve(1 << 50))
        #expect(buffer.array() == bytes)
        #expect(buffer.tryToReserve(1_000))
        buffer.append(bytes)
        #expect(buffer.array() == bytes + bytes)
    }
}
