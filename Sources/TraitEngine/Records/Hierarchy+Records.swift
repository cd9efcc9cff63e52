// Writing records: packing a node's values into its block.

extension Hierarchy {
    var recordReader: RecordReader {
        @inline(__always)
        get { parts.records.reader }
    }

    /// The value that a node has in a layer; nil when it sets none there.
    func storedValue(_ node: Int32, _ trait: UInt16, _ layer: Layer) -> StoredValue? {
        let record = recordIndex(of: node)
        return record < 0 ? nil : parts.records.value(record, trait, layer)
    }

    /// Stores or removes a value; the caller owns what was there and gives away what comes.
    /// Masks, shortcuts, watches and counts follow. O(values of the node).
    func store(_ node: Int32, _ trait: UInt16, _ layer: Layer, _ value: StoredValue?) {
        let record = recordIndex(of: node)
        if let value, record >= 0, parts.records.overwrite(record, trait, layer, value) { return }
        transaction.entries.removeAll(keepingCapacity: true)
        if record >= 0 { recordReader.entries(record, into: &transaction.entries) }
        var position = 0
        while position < transaction.entries.count {
            let entry = transaction.entries[position]
            if entry.trait > trait || (entry.trait == trait && entry.layer <= layer) { break }
            position += 1
        }
        let isThere =
            position < transaction.entries.count && transaction.entries[position].trait == trait
            && transaction.entries[position].layer == layer
        if let value {
            let entry = RecordEntry(
                trait: trait, layer: layer, word: value.word, revision: value.revision)
            if isThere {
                transaction.entries[position] = entry
            } else {
                transaction.entries.insert(entry, at: position)
                parts.traits.countValue(trait, layer, 1)
            }
        } else if isThere {
            transaction.entries.remove(at: position)
            parts.traits.countValue(trait, layer, -1)
        } else {
            return
        }
        pack(node)
    }

    /// Adds all values of a record to the counts, or takes them off.
    func countValues(of record: Int32, _ amount: Int32) {
        if parts.records[record].mask == 0 { return }
        transaction.entries.removeAll(keepingCapacity: true)
        recordReader.entries(record, into: &transaction.entries)
        for entry in transaction.entries {
            parts.traits.countValue(entry.trait, entry.layer, amount)
        }
    }

    /// Writes `transaction.entries`, sorted by trait and from the top layer down, as the node's
    /// values.
    private func pack(_ node: Int32) {
        var record = recordIndex(of: node)
        if record < 0 {
            if transaction.entries.isEmpty { return }
            record = attachRecord(node)
        }
        let old = parts.records[record].mask
        parts.records.pack(record, transaction.entries)
        recordChanged(node, record, added: parts.records[record].mask & ~old)
    }

    /// A node sets other traits: filter, watch node and shortcuts follow. A record without values
    /// goes, unless it is a top.
    private func recordChanged(_ node: Int32, _ record: Int32, added: UInt64) {
        setFilter(node, record)
        let watch = parts.nodes[node].watch
        let mask = parts.records[record].mask
        if watch >= 0 { parts.watches.setOverrides(watch, mask, ownTraits(of:)) }
        if added != 0 { noteAddedTraits(node, record, added) }
        if mask == 0, !parts.records[record].flags.contains(.top) { freeRecord(node, record) }
    }

    /// The node's record; -1 when it sets nothing.
    @inline(__always)
    func recordIndex(of node: Int32) -> Int32 {
        parts.nodes.record(of: node)
    }

    /// A record for a node that has none; the filter follows with what it sets.
    func attachRecord(_ node: Int32) -> Int32 {
        let record = parts.records.make(node)
        parts.nodes.setRecord(node, record)
        return record
    }

    /// Sets the node's filter to the traits of its record. Tops have all bits, so that every walk
    /// looks at them.
    @inline(__always)
    func setFilter(_ node: Int32, _ record: Int32) {
        let filter =
            parts.records[record].flags.contains(.top)
            ? .max : filter(of: parts.records[record].mask)
        parts.nodes.setFilter(node, filter)
    }

    private func freeRecord(_ node: Int32, _ record: Int32) {
        parts.nodes.clearRecord(node)
        parts.records.free(record)
    }

    /// Frees the record of a node that goes, with the pool's references. Counts are the caller's.
    func freeRecordOf(_ node: Int32) {
        let record = recordIndex(of: node)
        if record < 0 { return }
        transaction.entries.removeAll(keepingCapacity: true)
        recordReader.entries(record, into: &transaction.entries)
        for entry in transaction.entries
        where parts.traits.isPooled(entry.trait) {
            parts.pool.release(entry.word)
        }
        freeRecord(node, record)
    }
}
