// At a node that the transaction touched, what changed above is not enough: its own values or
// its place did.

extension Hierarchy {
    /// Replaces the changes that arrive at a touched node by those that hold there.
    func compare(_ watch: WatchNode, _ visit: inout Visit) {
        guard let position = touchedPosition(watch.node) else { return }
        let touched = transaction.journal.touched[position]
        let start = telling.changes.count
        if touched.traitParent != parts.nodes.parent(of: watch.node) {
            compareMoved(watch, touched)
        } else {
            compareInPlace(watch, touched, visit)
        }
        enter(newFrame(from: start), &visit)
    }

    /// Another parent: everything that either place sets may differ.
    private func compareMoved(_ watch: WatchNode, _ touched: TouchedNode) {
        let wanted = watch.below
        let parent = parts.nodes.parent(of: watch.node)
        let before = inherited(from: touched.traitParent, wanted, asBefore: true)
        let after = inherited(from: parent, wanted, asBefore: false)
        let candidates = before.union(after).union(traitsOfValues(touched))
        for trait in candidates where foldedBit(trait.rawValue) & wanted != 0 {
            let raw = trait.rawValue
            let standard = parts.traits[raw].defaultWord
            let old =
                ownWordBefore(watch.node, raw)
                ?? (before.contains(trait) ? telling.before[Int(raw)] : standard)
            if let own = ownValue(watch.node, raw) {
                note(raw, old, own.word, own.source)
            } else {
                let new = after.contains(trait) ? telling.after[Int(raw)] : standard
                if new != old { note(raw, old, new, resolvedValue(raw, parent).source) }
            }
        }
    }

    /// The same parent: what arrives from it, and the node's own values.
    private func compareInPlace(_ watch: WatchNode, _ touched: TouchedNode, _ visit: Visit) {
        let values = traitsOfValues(touched)
        let frame = telling.frames[Int(visit.frame)]
        var arriving: [FrameChange] = []
        for position in 0..<Int(frame.count)
        where !frame.isSmall || visit.live & (1 &<< UInt64(position)) != 0 {
            arriving.append(telling.changes[Int(frame.start) + position])
        }
        var next = 0
        for trait in values {
            let raw = trait.rawValue
            while next < arriving.count, arriving[next].trait < raw {
                passOn(arriving[next], watch.node)
                next += 1
            }
            var change: FrameChange?
            if next < arriving.count, arriving[next].trait == raw {
                change = arriving[next]
                next += 1
            }
            if foldedBit(raw) & watch.below != 0 {
                compareValue(watch.node, raw, change)
            }
        }
        for change in arriving[next...] { passOn(change, watch.node) }
    }

    /// A change from above passes a node whose values of the trait the transaction left alone.
    private func passOn(_ change: FrameChange, _ node: Int32) {
        let record = recordIndex(of: node)
        if record >= 0, recordReader.sets(record, change.trait) { return }
        telling.changes.append(change)
    }

    private func compareValue(_ node: Int32, _ trait: UInt16, _ arriving: FrameChange?) {
        let ownBefore = ownWordBefore(node, trait)
        let own = ownValue(node, trait)
        if ownBefore == nil, own == nil {
            if let arriving { telling.changes.append(arriving) }
            return
        }
        let parent = parts.nodes.parent(of: node)
        let old = ownBefore ?? arriving?.old ?? resolvedWord(trait, parent)
        if let own {
            note(trait, old, own.word, own.source)
        } else if let arriving {
            note(trait, old, arriving.new, arriving.source)
        } else {
            let inherited = resolvedValue(trait, parent)
            note(trait, old, inherited.word, inherited.source)
        }
    }

    private func ownValue(_ node: Int32, _ trait: UInt16) -> (word: UInt64, source: Source)? {
        let record = recordIndex(of: node)
        if record < 0 || !recordReader.sets(record, trait) { return nil }
        let (value, layer) = recordReader.effective(record, trait)
        let source = Source(
            kind: layer, node: NodeIndex(rawValue: node), revision: value.revision)
        return (value.word, source)
    }

    private func note(_ trait: UInt16, _ old: UInt64, _ new: UInt64, _ source: Source) {
        if old == new { return }
        telling.changes.append(
            FrameChange(
                trait: trait, layer: source.kind, node: source.node?.rawValue ?? 0,
                revision: source.revision ?? 0, old: old, new: new))
    }

    // MARK: - Handing out

    /// Sorts the notes, and makes values of the words in the frames that somebody hears of.
    func collectNotes() -> Told {
        if telling.notes.isEmpty, telling.hidden.isEmpty { return Told() }
        var told = Told()
        if !telling.hidden.isEmpty {
            told.invalidations = invalidateNoted()
            told.dynamics = noteDynamics()
        }
        let notes = telling.sortedNotes()
        telling.numbers.removeAll(keepingCapacity: true)
        telling.numbers.append(contentsOf: repeatElement(-1, count: telling.frames.count))
        if told.dynamics.isEmpty {
            told.notifications = [Notification](unsafeUninitializedCapacity: notes.count) {
                target, count in
                for position in notes.indices {
                    let notification = notification(of: notes[position], &told.frames)
                    target.initializeElement(at: position, to: notification)
                }
                count = notes.count
            }
        } else {
            for note in notes {
                if told.dynamics[note.registration] != nil {
                    addOwnFrame(note, &told)
                } else {
                    told.notifications.append(notification(of: note, &told.frames))
                }
            }
        }
        told.wideSelections = telling.wideSelections
        return told
    }

    @inline(__always)
    private func notification(of note: Note, _ frames: inout [ChangeFrame]) -> Notification {
        var number = telling.numbers[Int(note.frame)]
        if number < 0 {
            number = Int32(truncatingIfNeeded: frames.count)
            telling.numbers[Int(note.frame)] = number
            frames.append(materialize(telling.frames[Int(note.frame)]))
        }
        return Notification(
            registration: RegistrationIndex(rawValue: note.registration),
            node: NodeIndex(rawValue: note.node), frame: number, selection: note.selection)
    }

    private func materialize(_ frame: Frame) -> ChangeFrame {
        materialize(telling.changes[Int(frame.start)..<Int(frame.end)])
    }

    func materialize(_ changes: some Sequence<FrameChange>) -> ChangeFrame {
        ChangeFrame(
            changes: changes.map { change in
                let trait = TraitIndex(rawValue: change.trait)
                return TraitChange(
                    trait: trait, previous: value(from: change.old, of: trait),
                    current: value(from: change.new, of: trait), source: source(of: change))
            })
    }

    private func source(of change: FrameChange) -> Source {
        guard change.node < 0, let layout else { return change.source }
        return source(inFrame: ~change.node, change.layer, change.revision, layout)
    }
}
