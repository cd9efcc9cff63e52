// Who hears of a commit in a layout hierarchy: registrations and watches on nodes that showed
// something else before.

extension Hierarchy {
    /// Compares what noted nodes showed before the transaction with what they show now.
    func tellShown(_ layout: LayoutState) -> Told {
        if layout.noted.isEmpty { return Told() }
        telling.start()
        var frames: [UInt64: Int32] = [:]
        for noted in layout.noted {
            let node = noted.node
            if links[node].flags.contains(.dead) { continue }
            let now = layout.nodes[node].shown
            if now == noted.before { continue }
            let key = UInt64(UInt32(bitPattern: noted.before)) << 32 | UInt64(now)
            let frame = frames[key] ?? newFrame(noted.before, now, layout)
            frames[key] = frame
            if frame > 0 { tellListeners(of: node, frame) }
        }
        let told = collectNotes()
        telling.finish()
        return told
    }

    private func newFrame(_ old: Int32, _ new: Int32, _ layout: LayoutState) -> Int32 {
        let start = telling.changes.count
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
            telling.changes.append(change)
        }
        return newFrame(from: start)
    }

    private func tellListeners(of node: Int32, _ number: Int32) {
        let frame = telling.frames[Int(number)]
        let level = UInt64(min(level(of: node), 65_535)) << 48
        forEachListener(of: node) { index in
            let registration = registrations[index]
            let isThere = registration.createdRevision <= revision || registration.isWatch
            if !isThere { return tellHidden(index, node, number, frame.allLive, level) }
            guard registration.mask & frame.fold != 0,
                let selection = select(registration, frame, frame.allLive)
            else { return }
            telling.notes.append(
                Note(
                    key: level | registration.order, registration: index, node: node,
                    selection: selection, frame: number))
        }
    }

    /// The open transaction is over.
    func forgetNoted() {
        guard let layout, !layout.noted.isEmpty else { return }
        for noted in layout.noted { layout.nodes[noted.node].flags.remove(.noted) }
        layout.noted.removeAll(keepingCapacity: layout.noted.count < 65_536)
    }
}
