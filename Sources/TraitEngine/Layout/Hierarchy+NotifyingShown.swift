// Which registrations and watches a commit of a layout hierarchy notifies: those on nodes that show
// something else than before.

extension Hierarchy {
    /// Compares what noted nodes showed before the transaction with what they show now; for what
    /// the transaction made, what they showed when it was made.
    func notifyShown(_ layout: LayoutState) -> CommitReport {
        let redefined = redefinedTraits
        if layout.changes.noted.isEmpty, redefined.isEmpty { return CommitReport() }
        notifying.start()
        var frames: [UInt64: Int32] = [:]
        var framesOfRedefined: [UInt64: Int32] = [:]
        for noted in layout.changes.noted + nodesShowing(redefined, layout)
        where !parts.nodes[noted.node].flags.contains(.dead) {
            let now = layout.nodes[noted.node].shown
            func key(_ before: Int32) -> UInt64 {
                UInt64(UInt32(bitPattern: before)) << 32 | UInt64(now)
            }
            func frame(since before: Int32) -> Int32 {
                if before == now { return 0 }
                let frame = frames[key(before)] ?? newFrame(before, now, layout)
                frames[key(before)] = frame
                return frame
            }
            guard !redefined.isEmpty else {
                noteRegistrations(of: noted, frame(since: noted.before), layout, frame)
                continue
            }
            let number =
                framesOfRedefined[key(noted.before)]
                ?? newFrameOfRedefined(noted.before, now, layout)
            framesOfRedefined[key(noted.before)] = number
            noteRegistrations(of: noted, number, layout, frame)
        }
        let report = collectNotes()
        notifying.finish()
        return report
    }

    /// Stores what the registration's node shows now: later changes count from here.
    func noteBaseline(of registration: Int32) {
        guard let layout, isInTransaction, !transaction.isUndoing else { return }
        layout.changes.baselines[registration] =
            layout.nodes[parts.registrations[registration].node].shown
    }

    /// Stores what the nodes of a scope that is set again show now.
    func noteBaselines(of scope: Scope) {
        if layout == nil { return }
        var hidden = scope.first
        while hidden >= 0 {
            noteBaseline(of: hidden)
            hidden = parts.registrations[hidden].nextOfScope
        }
    }

    /// Whether an armed scope becomes stale that the transaction set, or that came to cover a node: a
    /// trait that the scope reads has another value at the node than it had then. Asked when nothing
    /// else has changed. O(such scopes), and for each whose node took another frame O(frames that
    /// differ).
    var makesScopesStale: Bool {
        guard let layout else { return false }
        return layout.changes.baselines.contains { index, before in
            let registration = parts.registrations[index]
            guard registration.state == .alive, let owner = registration.scope,
                let scope = parts.scopes[owner], !scope.isStale
            else { return false }
            let node = layout.nodes[registration.node]
            return node.flags.contains(.noted) && before != node.shown
                && changedTraits(before, node.shown).intersects(listened(by: scope))
        }
    }

    /// The nodes with registrations on these traits that the transaction does not note otherwise.
    private func nodesShowing(_ traits: [UInt16], _ layout: LayoutState) -> [NotedNode] {
        if traits.isEmpty { return [] }
        let fold = traits.reduce(UInt64(0)) { $0 | foldedBit($1) }
        return (0..<Int32(truncatingIfNeeded: parts.watches.slotCount)).compactMap { watch in
            let node = parts.watches[watch]
            guard node.node > 0, node.own & fold != 0,
                !layout.nodes[node.node].flags.contains(.noted)
            else { return nil }
            return NotedNode(node: node.node, before: layout.nodes[node.node].shown)
        }
    }

    /// Changes of two frames, where the transaction redefined traits: a frame that does not set a trait showed the
    /// former default, and values in frames may have become other ones.
    private func newFrameOfRedefined(
        _ old: Int32, _ new: Int32, _ layout: LayoutState
    ) -> Int32 {
        var changes: [FrameChange] = []
        compareFrames(old, new) { trait, before, after in
            if transaction.lists.redefined[trait] == nil {
                changes.append(change(of: trait, before, after, inFrame: new, layout))
            }
        }
        for trait in transaction.lists.redefined.keys
        where definitions.definition(at: TraitIndex(rawValue: trait)) != nil {
            let found = locate(trait, inFrame: old)
            let before =
                found < 0
                ? defaultBefore(trait) : formerWord(recordReader.word(found, trait), trait)
            let after = frameWord(trait, new)
            if before != after {
                changes.append(change(of: trait, before, after, inFrame: new, layout))
            }
        }
        changes.sort { $0.trait < $1.trait }
        let start = notifying.changes.count
        notifying.changes.append(contentsOf: changes)
        return newFrame(from: start)
    }

    private func newFrame(_ old: Int32, _ new: Int32, _ layout: LayoutState) -> Int32 {
        let start = notifying.changes.count
        compareFrames(old, new) { trait, before, after in
            notifying.changes.append(change(of: trait, before, after, inFrame: new, layout))
        }
        return newFrame(from: start)
    }

    /// A trait that reads differently, with the source of what a frame shows.
    private func change(
        of trait: UInt16, _ before: UInt64, _ after: UInt64, inFrame new: Int32,
        _ layout: LayoutState
    ) -> FrameChange {
        var change = FrameChange(
            trait: trait, layer: .default, node: 0, revision: 0, old: before, new: after)
        let found = locate(trait, inFrame: new)
        if found >= 0 {
            let (value, layer) = recordReader.effective(found, trait)
            let node = frameNode(found, layout)
            change.layer = layer
            change.node = node > 0 ? node : ~found
            change.revision = value.revision
        }
        return change
    }

    private func noteRegistrations(
        of noted: NotedNode, _ number: Int32, _ layout: LayoutState,
        _ frameSince: (_ before: Int32) -> Int32
    ) {
        let node = noted.node
        let level = UInt64(min(level(of: node), 65_535)) << 48
        forEachRegistration(of: node) { index in
            var number = number
            var before = noted.before
            if !layout.changes.baselines.isEmpty, let baseline = layout.changes.baselines[index] {
                before = baseline
                number = frameSince(before)
            }
            let registration = parts.registrations[index]
            if registration.isHidden {
                if number != 0 {
                    noteHidden(
                        index, node, number, notifying.frames[Int(number)].allLive, level)
                }
                if parts.dynamics.usesDevices {
                    noteDevice(index, node, since: before, level, layout)
                }
                return
            }
            if number == 0 { return }
            let frame = notifying.frames[Int(number)]
            guard registration.mask & frame.fold != 0,
                let selection = select(registration, frame, frame.allLive)
            else { return }
            notifying.notes.append(
                Note(
                    key: level | registration.order, registration: index, node: node,
                    selection: selection, frame: number))
        }
    }

    /// The open transaction is over.
    func forgetNoted() {
        guard let layout else { return }
        if !layout.changes.written.isEmpty { forgetWritten(layout) }
        if !layout.changes.baselines.isEmpty { layout.changes.baselines = [:] }
        if layout.changes.noted.isEmpty { return }
        for noted in layout.changes.noted { layout.nodes.setNoted(noted.node, false) }
        layout.changes.noted.removeAll(keepingCapacity: layout.changes.noted.count < 65_536)
    }
}
