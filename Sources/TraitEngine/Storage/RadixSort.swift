// Puts notes into delivery order. A comparison sort of a thousand notes costs as much as
// finding them; their keys are small numbers, so digits do better.

/// One registration that hears of a commit, before delivery.
struct Note: BitwiseCopyable {
    /// Depth in the 16 high bits, the registration's order in the 48 low ones.
    var key: UInt64
    var registration: Int32
    var node: Int32
    var selection: UInt64
    var frame: Int32
}

enum RadixSort {
    /// Stable, least significant digit first, digits in which all keys agree are skipped. O(n).
    static func sort(_ notes: inout ContiguousArray<Note>, _ scratch: inout ContiguousArray<Note>) {
        if notes.count < 2 { return }
        if notes.count <= 24 {
            insertionSort(&notes)
            return
        }
        var differing: UInt64 = 0
        let first = notes[0].key
        for note in notes { differing |= note.key ^ first }
        if scratch.count < notes.count {
            let filler = Note(key: 0, registration: 0, node: 0, selection: 0, frame: 0)
            scratch.append(
                contentsOf: repeatElement(filler, count: notes.count - scratch.count))
        }
        let count = notes.count
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            if (differing &>> shift) & 0xFF == 0 { continue }
            pass(notes, into: &scratch, count: count, shift: shift)
            swap(&notes, &scratch)
            // Lengths differ when the scratch was longer; only `count` elements are notes.
            if notes.count > count { notes.removeLast(notes.count - count) }
        }
    }

    private static func pass(
        _ notes: ContiguousArray<Note>, into target: inout ContiguousArray<Note>, count: Int,
        shift: UInt64
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { starts in
            starts.initialize(repeating: 0)
            for note in notes {
                starts[Int(truncatingIfNeeded: (note.key &>> shift) & 0xFF)] &+= 1
            }
            var sum = 0
            for digit in 0..<256 {
                let amount = starts[digit]
                starts[digit] = sum
                sum &+= amount
            }
            for note in notes {
                let digit = Int(truncatingIfNeeded: (note.key &>> shift) & 0xFF)
                target[starts[digit]] = note
                starts[digit] &+= 1
            }
        }
    }

    private static func insertionSort(_ notes: inout ContiguousArray<Note>) {
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
