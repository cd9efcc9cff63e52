// What a run did, in order: as a hash always, and as text when it is asked for. Two runs of one seed must have equal
// traces; the first line that differs shows where something beside the seed decided.

package final class Trace {
    /// Over all facts so far; the same with and without text.
    package private(set) var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// Lines, if they are kept.
    package private(set) var text: [UInt8] = []
    package let keepsText: Bool

    package init(keepsText: Bool = false) { self.keepsText = keepsText }

    private func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
        hash ^= hash >> 29
    }

    private func mix(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at &+ 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at &+= 8
        }
        var rest: UInt64 = 0
        for byte in bytes[at...] { rest = rest << 8 | UInt64(byte) }
        mix(rest)
        mix(UInt64(bytes.count))
    }

    /// A thread is chosen.
    func step(_ thread: Int, _ time: UInt64) {
        mix(UInt64(truncatingIfNeeded: thread) ^ time << 16)
        if keepsText { line("\(time) thread \(thread)") }
    }

    /// A fact, such as a fault, at a time.
    package func note(_ time: UInt64, _ words: @autoclosure () -> String, _ number: UInt64 = 0) {
        mix(time)
        mix(number)
        if keepsText { line("\(time) \(words()) \(number)") }
    }

    /// A request or an answer, at a time.
    package func note(_ time: UInt64, _ words: StaticString, _ bytes: [UInt8]) {
        mix(time)
        bytes.withUnsafeBytes(mix)
        if keepsText { line("\(time) \(words) \(String(decoding: bytes, as: UTF8.self))") }
    }

    private func line(_ line: String) {
        text.append(contentsOf: line.utf8)
        text.append(0x0A)
    }
}
