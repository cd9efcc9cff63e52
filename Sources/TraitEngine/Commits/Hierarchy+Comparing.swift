// Changes at a node that the transaction touched: its own values or its place changed, not only
// values above it.

extension Hierarchy {
    /// Replaces the changes that arrive at a touched node by the changes of the node itself.
    func compare(_ watch: WatchNode, _ visit: inout Visit) {
        guard let position = transaction.journal.position(of: watch.node) else { return }
        let touched = transaction.journal.touched[position]
        let start = notifying.changes.count
        if touched.traitParent != parts.nodes.parent(of: watch.node) {
            compareMoved(watch, touched)
        } else {
            compareInPlace(watch, touched, visit)
        }
        enter(newFrame(from: start), &visit)
    }

    /// After a move every trait that is set above either place may differ.
    private func compareMoved(_ watch: WatchNode, _ touched: TouchedNode) {
        let wanted = watch.below
        let parent = parts.nodes.parent(of: watch.node)
        let before = inherited(from: touched.traitParent, wanted, asBefore: true)
        let after = inherited(from: parent, wanted, asBefore: false)
        var candidates = before.union(after).union(traitsOfValues(touched))
        for raw in transaction.lists.redefined.keys { candidates.insert(TraitIndex(rawValue: raw)) }
        for trait in candidates where foldedBit(trait.rawValue) & wanted != 0 {
            let raw = trait.rawValue
            let standard = parts.traits[raw].defaultWord
            let old =
                ownWordBefore(watch.node, raw)
                ?? (before.contains(trait) ? notifying.before[Int(raw)] : defaultBefore(raw))
            if let own = ownValue(watch.node, raw) {
                note(raw, old, own.word, own.source)
            } else {
                let new = after.contains(trait) ? notifying.after[Int(raw)] : standard
                if new != old { note(raw, old, new, resolvedValue(raw, parent).source) }
            }
        }
    }

    /// Without a move: the changes that arrive from the parent, and the node's own values.
    private func compareInPlace(_ watch: WatchNode, _ touched: TouchedNode, _ visit: Visit) {
        let values = traitsOfValues(touched)
        let frame = notifying.frames[Int(visit.frame)]
        var arriving: [FrameChange] = []
        for position in 0..<Int(frame.count)
        where !frame.isSmall || visit.live & (1 &<< UInt64(position)) != 0 {
            arriving.append(notifying.changes[Int(frame.start) + position])
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

    /// Passes a change from above on, unless the node sets the trait.
    private func passOn(_ change: FrameChange, _ node: Int32) {
        let record = recordIndex(of: node)
        if record >= 0, recordReader.sets(record, change.trait) { return }
        notifying.changes.append(change)
    }

    private func compareValue(_ node: Int32, _ trait: UInt16, _ arriving: FrameChange?) {
        let ownBefore = ownWordBefore(node, trait)
        let own = ownValue(node, trait)
        if ownBefore == nil, own == nil {
            if let arriving { notifying.changes.append(arriving) }
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
        notifying.changes.append(
            FrameChange(
                trait: trait, layer: source.kind, node: source.node?.rawValue ?? 0,
                revision: source.revision ?? 0, old: old, new: new))
    }

    // MARK: - Handing out

    /// Sorts the notes, and makes values of the words in the frames that notifications carry.
    func collectNotes() -> CommitReport {
        if notifying.notes.isEmpty, notifying.hidden.isEmpty { return CommitReport() }
        var report = CommitReport()
        if !notifying.hidden.isEmpty {
            report.invalidations = invalidateNoted()
            report.dynamics = noteDynamics()
        }
        let notes = notifying.sortedNotes()
        notifying.numbers.removeAll(keepingCapacity: true)
        notifying.numbers.append(contentsOf: repeatElement(-1, count: notifying.frames.count))
        if report.dynamics.isEmpty {
            report.notifications = [Notification](unsafeUninitializedCapacity: notes.count) {
                target, count in
                for position in notes.indices {
                    let notification = notification(of: notes[position], &report.frames)
                    target.initializeElement(at: position, to: notification)
                }
                count = notes.count
            }
        } else {
            for note in notes {
                if report.dynamics[note.registration] != nil {
                    addOwnFrame(note, &report)
                } else {
                    report.notifications.append(notification(of: note, &report.frames))
                }
            }
        }
        report.wideSelections = notifying.wideSelections
        return report
    }

    @inline(__always)
    private func notification(of note: Note, _ frames: inout [ChangeFrame]) -> Notification {
        var number = notifying.numbers[Int(note.frame)]
        if number < 0 {
            number = Int32(truncatingIfNeeded: frames.count)
            notifying.numbers[Int(note.frame)] = number
            frames.append(materialize(notifying.frames[Int(note.frame)]))
        }
        return Notification(
            registration: RegistrationIndex(rawValue: note.registration),
            node: NodeIndex(rawValue: note.node), frame: number, selection: note.selection)
    }

    private func materialize(_ frame: Frame) -> ChangeFrame {
        materialize(notifying.changes[Int(frame.start)..<Int(frame.end)])
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
