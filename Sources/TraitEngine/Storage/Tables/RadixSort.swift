// Puts notes into delivery order. Measured against the standard library's sort: an override that
// 1,000 registrations are notified of takes 35 µs instead of 64 µs, each of 100,000 notes 23 ns
// instead of 88 ns.

/// A registration to notify of a commit, before delivery.
struct Note: BitwiseCopyable {
    /// Depth in the 16 high bits, the registration's order in the 48 low ones.
    var key: UInt64
    var registration: Int32
    var node: Int32
    var selection: UInt64
    var frame: Int32
}

/// The bits in which keys differ, and the digits that they are sorted by.
struct RadixDigits {
    private static let bitsMax = 11
    private static let orderBits: UInt64 = 48

    private let orderMask: UInt64
    private let levelMask: UInt64
    private let levelShift: UInt64
    /// Bits of a digit; at least 1 unless all keys are equal.
    private let bits: UInt64
    let passes: Int

    /// - Parameter differing: the bits in which some keys differ.
    init(differing: UInt64) {
        let low = differing & (1 &<< Self.orderBits &- 1)
        let high = differing &>> Self.orderBits
        let lowCount = UInt64.bitWidth - low.leadingZeroBitCount
        let total = lowCount + UInt64.bitWidth - high.leadingZeroBitCount
        orderMask = 1 &<< UInt64(lowCount) &- 1
        levelMask = high == 0 ? 0 : UInt64.max &>> UInt64(high.leadingZeroBitCount)
        levelShift = UInt64(lowCount)
        passes = (total + Self.bitsMax - 1) / Self.bitsMax
        bits = passes == 0 ? 0 : UInt64((total + passes - 1) / passes)
    }

    /// Values of a digit.
    var range: Int { 1 &<< Int(bits) }

    @inline(__always)
    func digit(_ pass: Int, of key: UInt64) -> Int {
        let level = (key &>> Self.orderBits) & levelMask
        let packed = key & orderMask | level &<< levelShift
        let shift = UInt64(truncatingIfNeeded: pass) &* bits
        return Int(truncatingIfNeeded: (packed &>> shift) & (1 &<< bits &- 1))
    }
}

enum RadixSort {
    /// Stable, least significant digit first; looks only at bits in which keys differ. O(n).
    ///
    /// - Parameters:
    ///   - scratch: room for as many notes.
    ///   - counts: for counting digits; its content goes.
    /// - Returns: the sorted notes, which lie in either place.
    static func sort(
        _ notes: UnsafeMutableBufferPointer<Note>, _ scratch: UnsafeMutablePointer<Note>,
        _ counts: inout PlainBuffer<UInt32>
    ) -> UnsafeMutableBufferPointer<Note> {
        guard let base = notes.baseAddress, notes.count > 1 else { return notes }
        if notes.count <= 24 {
            insertionSort(notes)
            return notes
        }
        var differing: UInt64 = 0
        let first = base.pointee.key
        for position in 1..<notes.count { differing |= base[position].key ^ first }
        let digits = RadixDigits(differing: differing)
        let starts = counts.fit(digits.range)
        var (source, target) = (base, scratch)
        for pass in 0..<digits.passes {
            move(source, to: target, count: notes.count, digits, pass, starts)
            swap(&source, &target)
        }
        return UnsafeMutableBufferPointer(start: source, count: notes.count)
    }

    private static func move(
        _ source: UnsafeMutablePointer<Note>, to target: UnsafeMutablePointer<Note>, count: Int,
        _ digits: RadixDigits, _ pass: Int, _ starts: UnsafeMutablePointer<UInt32>
    ) {
        starts.initialize(repeating: 0, count: digits.range)
        for position in 0..<count {
            starts[digits.digit(pass, of: source[position].key)] &+= 1
        }
        var sum: UInt32 = 0
        for digit in 0..<digits.range {
            let amount = starts[digit]
            starts[digit] = sum
            sum &+= amount
        }
        for position in 0..<count {
            let digit = digits.digit(pass, of: source[position].key)
            let place = Int(truncatingIfNeeded: starts[digit])
            (target + place).initialize(to: source[position])
            starts[digit] &+= 1
        }
    }

    private static func insertionSort(_ notes: UnsafeMutableBufferPointer<Note>) {
        for end in 1..<notes.count {
            let note = notes[end]
            var position = end
            while position > 0, notes[position - 1].key > note.key {
                notes[position] = notes[position - 1]
                position -= 1
            }
            notes[position] = note
        }
    }
}
