// What each thread waits for, when a run comes to no end.

import CFibers
import Glibc

/// Swift's runtime: the readable form of a symbol, in memory of `malloc`.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

extension Scheduler {
    private static let framesMax = 12

    /// A line for each thread that has not ended, and the functions that it is in.
    package var report: String {
        var lines = ["at \(now) ns:"]
        for process in processes where !process.isKilled {
            for fiber in process.fibers.sorted(by: { $0.number < $1.number }) {
                lines.append(Self.line(fiber))
                lines += Self.frames(fiber).map { "        \($0)" }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ fiber: Fiber) -> String {
        let state =
            switch fiber.place {
            case .runnable: "can run"
            case .waiting where fiber.timer.isSet: "waits until \(fiber.timer.time) ns"
            case .waiting: "waits for ever"
            case .held: fiber.process.isStopped ? "is stopped" : "is stalled"
            case .running, .gone: "runs"
            }
        let name = fiber.name.isEmpty ? "" : " '\(fiber.name)'"
        let client = fiber.isClient ? ", a client," : ""
        return "    \(fiber.process.name): thread \(fiber.number)\(name)\(client) \(state)"
    }

    private static func frames(_ fiber: Fiber) -> [String] {
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: framesMax)
        let count = Int(traitd_fiber_frames(fiber.handle, &frames, Int32(framesMax)))
        return frames[..<count].compactMap { $0.map(name) }
    }

    /// The function at an address, or the address in its file for `llvm-symbolizer`.
    private static func name(_ address: UnsafeMutableRawPointer) -> String {
        var file: UnsafePointer<CChar>?
        var offset = 0
        guard let symbol = traitd_fiber_symbol(address, &file, &offset) else {
            return (file.map { String(cString: $0) } ?? "?") + "+0x" + String(offset, radix: 16)
        }
        guard let text = demangle(symbol, strlen(symbol), nil, nil, 0) else {
            return String(cString: symbol)
        }
        defer { free(text) }
        return String(cString: text)
    }
}
