// Writing records: packing a node's values into its block.

extension Hierarchy {
    var recordReader: RecordReader {
        RecordReader(records: records.reader, words: blocks.reader)
    }

    /// The value that a node has in a layer; nil when it sets none there.
    func storedValue(_ node: Int32, _ trait: UInt16, _ layer: Layer) -> StoredValue? {
        let record = recordIndex(of: node)
        let reader = recordReader
        if record < 0 || !reader.sets(record, trait) { return nil }
        let (value, effective) = reader.effective(record, trait)
        if effective == layer { return value }
        if layer > effective || !records[record].flags.contains(.mixed) { return nil }
        var entries: ContiguousArray<RecordEntry> = []
        reader.entries(record, into: &entries)
        for entry in entries where entry.trait == trait && entry.layer == layer {
            return StoredValue(word: entry.word, revision: entry.revision)
        }
        return nil
    }

    /// Stores or removes a value; the caller owns what was there and gives away what comes.
    /// Masks, shortcuts, watches and counts follow. O(values of the node).
    func store(_ node: Int32, _ trait: UInt16, _ layer: Layer, _ value: StoredValue?) {
        let record = recordIndex(of: node)
        if let value {
            if record >= 0, overwrite(record, trait, layer, value) { return }
            if insertPlain(node, trait, layer, value) { return count(trait, layer, 1) }
        } else if removePlain(node, trait, layer) {
            return count(trait, layer, -1)
        }
        entryScratch.removeAll(keepingCapacity: true)
        if record >= 0 { recordReader.entries(record, into: &entryScratch) }
        var position = 0
        while position < entryScratch.count {
            let entry = entryScratch[position]
            if entry.trait > trait || (entry.trait == trait && entry.layer <= layer) { break }
            position += 1
        }
        let isThere =
            position < entryScratch.count && entryScratch[position].trait == trait
            && entryScratch[position].layer == layer
        if let value {
            let entry = RecordEntry(
                trait: trait, layer: layer, word: value.word, revision: value.revision)
            if isThere {
                entryScratch[position] = entry
            } else {
                entryScratch.insert(entry, at: position)
                count(trait, layer, 1)
            }
        } else if isThere {
            entryScratch.remove(at: position)
            count(trait, layer, -1)
        } else {
            return
        }
        pack(node)
    }

    /// Replaces a value where it lies, if it is the effective one: no mask changes.
    @inline(__always)
    private func overwrite(
        _ record: Int32, _ trait: UInt16, _ layer: Layer, _ value: StoredValue
    ) -> Bool {
        let reader = recordReader
        if !reader.sets(record, trait) { return false }
        let pointer = reader.records.pointer(record)
        let place = reader.place(pointer, reader.block(pointer), trait)
        if place.layer != layer { return false }
        replace(record, place, with: value)
        return true
    }

    @inline(__always)
    func replace(_ record: Int32, _ place: RecordReader.Place, with value: StoredValue) {
        let block = mutableBlock(record, count: place.revision + 1)
        block[place.word] = value.word
        block[place.revision] = UInt64(bitPattern: value.revision)
    }

    func count(_ trait: UInt16, _ layer: Layer, _ amount: Int32) {
        if layer == .kept {
            traits[Int32(trait)].kept &+= amount
        } else {
            traits[Int32(trait)].values &+= amount
        }
    }

    /// Adds all values of a record to the counts, or takes them off.
    func countValues(of record: Int32, _ amount: Int32) {
        if records[record].mask == 0 { return }
        entryScratch.removeAll(keepingCapacity: true)
        recordReader.entries(record, into: &entryScratch)
        for entry in entryScratch { count(entry.trait, entry.layer, amount) }
    }

    // MARK: - Packing

    /// Writes `entryScratch`, sorted by trait and from the top layer down, as the node's values.
    private func pack(_ node: Int32) {
        var record = recordIndex(of: node)
        if entryScratch.isEmpty {
            if record >= 0 { empty(record) }
            return
        }
        if record < 0 { record = attachRecord(node) }
        let layout = BlockLayout(entryScratch)
        makeRoom(record, layout.wordCount)
        let old = records[record].mask
        layout.write(entryScratch, to: mutableBlock(record, count: layout.wordCount))
        describe(
            record, layout.fold, width: layout.width, entryScratch[0].layer, layout.flags)
        maskChanged(node, record, added: layout.fold & ~old)
    }

    /// Says in the record what its block holds; the node's filter follows.
    func describe(
        _ record: Int32, _ mask: UInt64, width: Int, _ layer: Layer?, _ flags: RecordFlags
    ) {
        records[record].mask = mask
        records[record].width = UInt8(truncatingIfNeeded: width)
        if let layer { records[record].layer = layer }
        records[record].flags.subtract([.mixed, .layered])
        records[record].flags.formUnion(flags)
        setFilter(records[record].node, record)
    }

    /// A block of so many words for the record; what was in the old one may be gone.
    func makeRoom(_ record: Int32, _ wordCount: Int) {
        if wordCount <= Record.inlineWordsMax, !records[record].flags.contains(.top) {
            releaseBlock(record)
            records[record].flags.insert(.inline)
            return
        }
        let sizeClass = BlockArena.sizeClass(for: wordCount)
        if records[record].values >= 0, records[record].sizeClass == sizeClass { return }
        releaseBlock(record)
        records[record].values = blocks.allocate(sizeClass)
        records[record].sizeClass = sizeClass
    }

    /// Takes the values out of the record itself, whose room becomes a top's.
    func moveOut(_ record: Int32) {
        guard records[record].flags.contains(.inline) else { return }
        let values = blocks.allocate(BlockArena.sizeClass(for: Record.inlineWordsMax))
        blocks.mutablePointer(values, count: Record.inlineWordsMax).update(
            from: recordReader.block(records.reader.pointer(record)),
            count: Record.inlineWordsMax)
        records[record].flags.remove(.inline)
        records[record].values = values
        records[record].sizeClass = BlockArena.sizeClass(for: Record.inlineWordsMax)
    }

    /// For writing the first words of a record's block; valid until the next allocation.
    @inline(__always)
    func mutableBlock(_ record: Int32, count: Int) -> UnsafeMutablePointer<UInt64> {
        if !records[record].flags.contains(.inline) {
            return blocks.mutablePointer(records[record].values, count: count)
        }
        precondition(count <= Record.inlineWordsMax, "beyond a record")
        let pointer = UnsafeMutableRawPointer(records.mutablePointer(record, count: 1))
        return (pointer + Record.inlineOffset).assumingMemoryBound(to: UInt64.self)
    }

    func empty(_ record: Int32) {
        let node = records[record].node
        releaseBlock(record)
        describe(record, 0, width: 0, nil, [])
        maskChanged(node, record, added: 0)
        if !records[record].flags.contains(.top) { freeRecord(record) }
    }

    func maskChanged(_ node: Int32, _ record: Int32, added: UInt64) {
        let watch = links[node].watch
        if watch >= 0 {
            watchNodes[watch].overrides = records[record].mask
            refreshGroup(of: watch)
        }
        if added != 0 { noteAddedTraits(node, record, added) }
    }

    private func releaseBlock(_ record: Int32) {
        records[record].flags.remove(.inline)
        if records[record].values >= 0 {
            blocks.release(records[record].values, records[record].sizeClass)
            records[record].values = -1
        }
    }

    // MARK: - Records

    func allocateRecord(_ node: Int32) -> Int32 {
        if freeRecord < 0 { return records.append(Record(node: node)) }
        let record = freeRecord
        freeRecord = records[record].values
        let generation = records[record].generation
        records[record] = Record(node: node)
        records[record].generation = generation
        return record
    }

    /// The node's record; -1 when it sets nothing.
    @inline(__always)
    func recordIndex(of node: Int32) -> Int32 {
        hot[node].hasRecord ? recordIndices[node] : -1
    }

    /// A record for a node that has none; the filter follows with what it sets.
    func attachRecord(_ node: Int32) -> Int32 {
        let record = allocateRecord(node)
        recordIndices[node] = record
        return record
    }

    /// Makes the node's filter tell what its record sets. Tops have all bits, so that no walk
    /// passes them.
    func setFilter(_ node: Int32, _ record: Int32) {
        let filter =
            records[record].flags.contains(.top) ? .max : filter(of: records[record].mask)
        if hot[node].filter != filter { hot[node].filter = filter }
    }

    private func freeRecord(_ record: Int32) {
        let node = records[record].node
        hot[node].filter = 0
        recordIndices[node] = 0
        if records[record].flags.contains(.top) { topCount -= 1 }
        freeRecordSlot(record)
    }

    func freeRecordSlot(_ record: Int32) {
        records[record].flags = .free
        records[record].generation &+= 1
        records[record].values = freeRecord
        freeRecord = record
    }

    /// Frees the record of a node that goes, with the pool's references. Counts are the caller's.
    func freeRecordOf(_ node: Int32) {
        let record = recordIndex(of: node)
        if record < 0 { return }
        entryScratch.removeAll(keepingCapacity: true)
        recordReader.entries(record, into: &entryScratch)
        for entry in entryScratch where traits[Int32(entry.trait)].coding == .pooled {
            pool.release(entry.word)
        }
        releaseBlock(record)
        freeRecord(record)
    }
}
