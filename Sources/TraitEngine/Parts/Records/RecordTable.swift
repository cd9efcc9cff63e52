// The values that nodes set: records and their blocks of words. Tops and frames are records, too.

struct RecordTable: ~Copyable {
    private var cells: Arena<Record>
    private var blocks: BlockArena
    private var firstFree: Int32
    /// Shortcuts in deep trees, the node above all roots included.
    private(set) var topCount: Int

    init() {
        cells = Arena()
        blocks = BlockArena()
        firstFree = -1
        topCount = 1
        // The record without values: of the node above all roots, and for nodes without a record.
        _ = cells.append(Record(node: 0))
        cells[0].flags = .top
    }

    init(copying other: inout RecordTable, _ copies: inout SnapshotCopies) {
        cells = Arena(copying: &other.cells, &copies)
        blocks = BlockArena(copying: &other.blocks, &copies)
        firstFree = other.firstFree
        topCount = other.topCount
    }

    // MARK: - Reading

    @inline(__always)
    subscript(record: Int32) -> Record { cells[record] }

    /// For walks: valid until a record or a block is made.
    @inline(__always)
    var reader: RecordReader { RecordReader(records: cells.reader, words: blocks.reader) }

    /// All records in use, and free ones.
    var indices: Range<Int32> { 0..<Int32(truncatingIfNeeded: cells.count) }

    /// The value that a record has in a layer; nil when it sets none there. O(1), and O(values)
    /// where layers mix.
    func value(_ record: Int32, _ trait: UInt16, _ layer: Layer) -> StoredValue? {
        let reader = reader
        if !reader.sets(record, trait) { return nil }
        let (value, effective) = reader.effective(record, trait)
        if effective == layer { return value }
        if layer > effective || !cells[record].flags.contains(.mixed) { return nil }
        var entries: ContiguousArray<RecordEntry> = []
        reader.entries(record, into: &entries)
        for entry in entries where entry.trait == trait && entry.layer == layer {
            return StoredValue(word: entry.word, revision: entry.revision)
        }
        return nil
    }

    var byteCount: Int { cells.byteCount + blocks.wordCount * 8 }
    var heldBytes: Int { cells.heldBytes &+ blocks.heldBytes }

    // MARK: - Making and freeing

    /// A record without values.
    mutating func make(_ node: Int32) -> Int32 {
        if firstFree < 0 { return cells.append(Record(node: node)) }
        let record = firstFree
        firstFree = cells[record].values
        let generation = cells[record].generation
        cells[record] = Record(node: node)
        cells[record].generation = generation
        return record
    }

    /// Frees a record with its block, but not what its words refer to.
    mutating func free(_ record: Int32) {
        if cells[record].flags.contains(.top) { topCount -= 1 }
        releaseBlock(record)
        cells[record].flags = .free
        cells[record].generation &+= 1
        cells[record].values = firstFree
        firstFree = record
    }

    // MARK: - Values

    /// Replaces a value where it lies, if it is the effective one: no mask changes.
    @inline(__always)
    mutating func overwrite(
        _ record: Int32, _ trait: UInt16, _ layer: Layer, _ value: StoredValue
    ) -> Bool {
        let reader = reader
        if !reader.sets(record, trait) { return false }
        let pointer = reader.records.pointer(record)
        let place = reader.place(pointer, reader.block(pointer), trait)
        if place.layer != layer { return false }
        replace(record, place, with: value)
        return true
    }

    @inline(__always)
    mutating func replace(
        _ record: Int32, _ place: RecordReader.Place, with value: StoredValue
    ) {
        let block = mutableBlock(record, count: place.revision + 1)
        block[place.word] = value.word
        block[place.revision] = UInt64(bitPattern: value.revision)
    }

    /// Writes entries, sorted by trait and from the top layer down, as the values of a record.
    mutating func pack(_ record: Int32, _ entries: ContiguousArray<RecordEntry>) {
        if entries.isEmpty { return clear(record) }
        let layout = BlockLayout(entries)
        makeRoom(record, layout.wordCount)
        layout.write(entries, to: mutableBlock(record, count: layout.wordCount))
        describe(record, layout.fold, width: layout.width, entries[0].layer, layout.flags)
    }

    /// Writes entries with the traits and layers that the record has already: only words and revisions differ.
    mutating func rewrite(_ record: Int32, _ entries: ContiguousArray<RecordEntry>) {
        let layout = BlockLayout(entries)
        layout.write(entries, to: mutableBlock(record, count: layout.wordCount))
    }

    /// Removes all values.
    private mutating func clear(_ record: Int32) {
        releaseBlock(record)
        describe(record, 0, width: 0, nil, [])
    }

    /// Says in the record what its block holds.
    private mutating func describe(
        _ record: Int32, _ mask: UInt64, width: Int, _ layer: Layer?, _ flags: RecordFlags
    ) {
        cells[record].mask = mask
        cells[record].width = UInt8(truncatingIfNeeded: width)
        if let layer { cells[record].layer = layer }
        cells[record].flags.subtract([.mixed, .layered])
        cells[record].flags.formUnion(flags)
    }

    /// A block of so many words for the record; what was in the old one may be gone.
    private mutating func makeRoom(_ record: Int32, _ wordCount: Int) {
        if wordCount <= Record.inlineWordsMax, !cells[record].flags.contains(.top) {
            releaseBlock(record)
            cells[record].flags.insert(.inline)
            return
        }
        let sizeClass = BlockArena.sizeClass(for: wordCount)
        if cells[record].values >= 0, cells[record].sizeClass == sizeClass { return }
        releaseBlock(record)
        cells[record].values = blocks.allocate(sizeClass)
        cells[record].sizeClass = sizeClass
    }

    /// Moves the values out of the record itself, which a top needs for its own words.
    private mutating func moveOut(_ record: Int32) {
        guard cells[record].flags.contains(.inline) else { return }
        let sizeClass = BlockArena.sizeClass(for: Record.inlineWordsMax)
        let values = blocks.allocate(sizeClass)
        blocks.mutablePointer(values, count: Record.inlineWordsMax).update(
            from: reader.block(cells.reader.pointer(record)), count: Record.inlineWordsMax)
        cells[record].flags.remove(.inline)
        cells[record].values = values
        cells[record].sizeClass = sizeClass
    }

    /// For writing the first words of a record's block; valid until the next allocation.
    @inline(__always)
    private mutating func mutableBlock(
        _ record: Int32, count: Int
    ) -> UnsafeMutablePointer<UInt64> {
        if !cells[record].flags.contains(.inline) {
            return blocks.mutablePointer(cells[record].values, count: count)
        }
        precondition(count <= Record.inlineWordsMax, "beyond a record")
        let pointer = UnsafeMutableRawPointer(cells.mutablePointer(record, count: 1))
        return (pointer + Record.inlineOffset).assumingMemoryBound(to: UInt64.self)
    }

    private mutating func releaseBlock(_ record: Int32) {
        cells[record].flags.remove(.inline)
        if cells[record].values >= 0 {
            blocks.release(cells[record].values, cells[record].sizeClass)
            cells[record].values = -1
        }
    }

    // MARK: - Tops

    /// Makes a record a top, without a jump.
    mutating func makeTop(_ record: Int32) {
        moveOut(record)
        cells[record].flags.insert(.top)
        cells[record].added = 0
        topCount += 1
    }

    /// Gives a top its jump and what is set in between.
    mutating func setJump(_ top: Int32, to above: Int32, pathMask: UInt64) {
        cells[top].pathMask = pathMask
        cells[top].jump = above
        cells[top].jumpGeneration = cells[above].generation
    }

    mutating func forgetJump(_ top: Int32) { cells[top].jump = -1 }

    /// Jumps to this top become invalid.
    mutating func invalidateJumps(to top: Int32) { cells[top].generation &+= 1 }

    /// Traits are set in the block of levels below a top that were not set there before.
    mutating func noteAdded(_ top: Int32, _ traits: UInt64) { cells[top].added |= traits }

    mutating func forgetAdded(_ top: Int32) { cells[top].added = 0 }

    // MARK: - Frames

    /// A frame of entries with one reference; nothing but its place below others is known.
    mutating func makeFrame(
        _ node: Int32, above: Int32, serial: UInt64, depth: Int, _ digest: StateDigest,
        _ entries: ContiguousArray<RecordEntry>
    ) -> Int32 {
        let shape = BlockLayout(entries)
        let sizeClass = BlockArena.sizeClass(for: shape.wordCount)
        let block = blocks.allocate(sizeClass)
        shape.write(entries, to: blocks.mutablePointer(block, count: shape.wordCount))
        let frame = make(node)
        cells[frame].values = block
        cells[frame].sizeClass = sizeClass
        cells[frame].mask = shape.fold
        cells[frame].width = UInt8(truncatingIfNeeded: shape.width)
        cells[frame].layer = entries[0].layer
        cells[frame].flags = shape.flags.union(.frame)
        cells[frame].above = above
        cells[frame].references = 1
        cells[frame].digest = digest
        cells[frame].traitsAbove =
            above == 0 ? 0 : cells[above].traitsAbove | cells[above].mask
        cells[frame].serial = serial
        cells[frame].depth = depth
        return frame
    }

    mutating func retainFrame(_ frame: Int32) { cells[frame].references &+= 1 }

    /// True when nothing refers to the frame any more: `free` is to follow.
    mutating func releaseFrame(_ frame: Int32) -> Bool {
        cells[frame].references &-= 1
        return cells[frame].references == 0
    }

    mutating func setDigest(_ frame: Int32, _ digest: StateDigest) {
        cells[frame].digest = digest
    }

    // MARK: - Invariants

    /// The first thing wrong with counts, blocks and the free list; nil when all is well.
    /// O(records).
    var fault: String? {
        var (free, tops, words, record) = (0, 0, 0, firstFree)
        while record >= 0 {
            if cells[record].flags != .free { return "a free record is in use" }
            (free, record) = (free + 1, cells[record].values)
        }
        for record in indices where cells[record].flags != .free {
            let cell = cells[record]
            if cell.flags.contains(.top) { tops += 1 }
            if cell.values >= 0 { words += 1 << Int(cell.sizeClass) }
            if cell.values >= 0, cell.flags.contains(.inline) { return "a record has two blocks" }
        }
        if indices.count(where: { cells[$0].flags == .free }) != free { return "records leaked" }
        if tops != topCount { return "\(tops) tops, \(topCount) counted" }
        let isWhole = words + blocks.freeWordCount == blocks.wordCount
        return isWhole ? nil : "blocks of values leaked"
    }
}
