// How many words a node's values take, and writing them.

/// The shape of a record's block for entries sorted by trait and from the top layer down.
struct BlockLayout {
    /// Traits that have a value.
    private(set) var count = 0
    /// Values that a nearer layer shadows.
    private(set) var shadowedCount = 0
    /// Words of the exact mask; 0 while every trait is below 64.
    let width: Int
    private(set) var fold: UInt64 = 0
    private(set) var isMixed = false
    /// Another layer than overrides, supplied and kept values is there.
    private(set) var isLayered = false

    init(_ entries: ContiguousArray<RecordEntry>) {
        let last = Int(entries[entries.count - 1].trait)
        width = last < 64 ? 0 : last >> 6 + 1
        var previous = -1
        for entry in entries {
            if entry.layer != entries[0].layer { isMixed = true }
            if entry.layer.isRare { isLayered = true }
            if Int(entry.trait) == previous {
                shadowedCount += 1
            } else {
                count += 1
                fold |= foldedBit(entry.trait)
            }
            previous = Int(entry.trait)
        }
    }

    private var maskWidth: Int { max(width, 1) }

    private var maskCount: Int { Int(Layer.maskCount(isLayered: isLayered)) }

    var wordCount: Int {
        width + 2 * count + (isMixed ? maskCount * maskWidth + 2 * shadowedCount : 0)
    }

    /// The flags that a record with this layout has.
    var flags: RecordFlags { isMixed ? isLayered ? [.mixed, .layered] : .mixed : [] }

    func write(
        _ entries: ContiguousArray<RecordEntry>, to block: UnsafeMutablePointer<UInt64>
    ) {
        entries.withUnsafeBufferPointer { write($0, to: block) }
        if shadowedCount > 0 {
            writeShadowed(entries, to: block + width + 2 * count + maskCount * maskWidth)
        }
    }

    private func write(
        _ entries: UnsafeBufferPointer<RecordEntry>, to block: UnsafeMutablePointer<UInt64>
    ) {
        let masks = block + width + 2 * count
        block.update(repeating: 0, count: width)
        if isMixed { masks.update(repeating: 0, count: maskCount * maskWidth) }
        var rank = -1
        var previous = -1
        for entry in entries {
            let bit = foldedBit(entry.trait)
            if Int(entry.trait) != previous {
                rank += 1
                block[width + rank] = entry.word
                block[width + count + rank] = UInt64(bitPattern: entry.revision)
                if width > 0 { block[Int(entry.trait >> 6)] |= bit }
            }
            if isMixed {
                let position = Int(entry.layer.maskPosition(isLayered: isLayered))
                masks[position &* maskWidth &+ Int(entry.trait &>> 6)] |= bit
            }
            previous = Int(entry.trait)
        }
    }

    private func writeShadowed(
        _ entries: ContiguousArray<RecordEntry>, to block: UnsafeMutablePointer<UInt64>
    ) {
        var target = block
        for layer in Layer.stored.dropFirst() {
            for index in 1..<entries.count
            where entries[index].layer == layer
                && entries[index - 1].trait == entries[index].trait
            {
                target[0] = entries[index].word
                target[1] = UInt64(bitPattern: entries[index].revision)
                target += 2
            }
        }
    }
}
