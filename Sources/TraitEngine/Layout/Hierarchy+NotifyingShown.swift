// Which registrations and watches a commit of a layout hierarchy notifies: those on nodes that show
// something else than before.

extension Hierarchy {
    /// Compares what noted nodes showed before the transaction with what they show now; for what
    /// the transaction made, what they showed when it was made.
    func notifyShown(_ layout: LayoutState) -> CommitReport {
        let defaults = changesOfDefaults
        if layout.changes.noted.isEmpty, defaults.isEmpty { return CommitReport() }
        notifying.start()
        var frames: [UInt64: Int32] = [:]
        for noted in layout.changes.noted + nodesShowingDefaults(of: defaults, layout)
        where !parts.nodes[noted.node].flags.contains(.dead) {
            let now = layout.nodes[noted.node].shown
            func frame(since before: Int32) -> Int32 {
                before == now ? 0 : newFrame(before, now, layout)
            }
            let key = UInt64(UInt32(bitPattern: noted.before)) << 32 | UInt64(now)
            let number =
                frames[key]
                ?? (defaults.isEmpty
                    ? frame(since: noted.before)
                    : newFrame(noted.before, now, layout, defaults: defaults))
            frames[key] = number
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
                && changedTraits(before, node.shown).intersects(scope.reads)
        }
    }

    /// The nodes with registrations on other traits' defaults that the transaction does not note otherwise.
    private func nodesShowingDefaults(
        of changes: [FrameChange], _ layout: LayoutState
    ) -> [NotedNode] {
        if changes.isEmpty { return [] }
        let fold = changes.reduce(UInt64(0)) { $0 | foldedBit($1.trait) }
        return (0..<Int32(truncatingIfNeeded: parts.watches.slotCount)).compactMap { watch in
            let node = parts.watches[watch]
            guard node.node > 0, node.own & fold != 0,
                !layout.nodes[node.node].flags.contains(.noted)
            else { return nil }
            return NotedNode(node: node.node, before: layout.nodes[node.node].shown)
        }
    }

    /// - Parameter defaults: other defaults of traits, by trait index: changes where neither frame sets the trait.
    private func newFrame(
        _ old: Int32, _ new: Int32, _ layout: LayoutState, defaults: [FrameChange]
    ) -> Int32 {
        let frame = old == new ? 0 : newFrame(old, new, layout)
        var changes = Array(
            notifying.changes[
                Int(notifying.frames[Int(frame)].start)..<Int(notifying.frames[Int(frame)].end)])
        changes += defaults.filter {
            locate($0.trait, inFrame: old) < 0 && locate($0.trait, inFrame: new) < 0
        }
        changes.sort { $0.trait < $1.trait }
        let start = notifying.changes.count
        notifying.changes.append(contentsOf: changes)
        return newFrame(from: start)
    }

    private func newFrame(_ old: Int32, _ new: Int32, _ layout: LayoutState) -> Int32 {
        let start = notifying.changes.count
        compareFrames(old, new) { trait, before, after in
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
            notifying.changes.append(change)
        }
        return newFrame(from: start)
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
