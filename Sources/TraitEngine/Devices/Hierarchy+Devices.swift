// The device of a node gives images the scale and the idiom where the node's own are unspecified, as
// UIKit does for a lookup that does not specify them. It is the node's window scene, or without one
// the root of its tree.

extension Hierarchy {
    /// The value by which an image is chosen at a node. O(depth).
    func imageWord(_ trait: UInt16, _ node: Int32) -> UInt64 {
        if let layout { return imageWord(trait, inFrame: layout.nodes[node].shown, node, layout) }
        let word = resolvedWord(trait, node)
        return isFromDevice(trait, word) ? resolvedWord(trait, device(of: node)) : word
    }

    func imageValue(_ trait: TraitIndex, _ node: Int32) -> TraitValue {
        value(from: imageWord(trait.rawValue, node), of: trait)
    }

    private func isFromDevice(_ trait: UInt16, _ word: UInt64) -> Bool {
        word == parts.traits[trait].defaultWord
            && ImageChoice.fromDevice.contains(TraitIndex(rawValue: trait))
    }

    private func device(of node: Int32) -> Int32 {
        var index = node
        while true {
            let parent = parts.nodes.parent(of: index)
            if parts.nodes[index].kind == .windowScene || parent <= 0 { return index }
            index = parent
        }
    }

    // MARK: - Before the transaction

    /// `imageWord` as it was before the open transaction, in an immediate hierarchy. O(depth).
    func imageWordBefore(_ trait: UInt16, _ node: Int32) -> UInt64 {
        let word = resolvedWordBefore(trait, node)
        if !isFromDevice(trait, word) { return word }
        var index = node
        while true {
            let parent = parentBefore(index)
            if parts.nodes[index].kind == .windowScene || parent <= 0 {
                return resolvedWordBefore(trait, index)
            }
            index = parent
        }
    }

    private func resolvedWordBefore(_ trait: UInt16, _ node: Int32) -> UInt64 {
        let found = inherited(from: node, foldedBit(trait), asBefore: true)
        return found.contains(TraitIndex(rawValue: trait))
            ? notifying.before[Int(trait)] : defaultBefore(trait)
    }

    /// Notes hidden registrations of images whose nodes read an unspecified scale or idiom before and
    /// after, while that of the device changed: the walk along changes ends where a node pins the
    /// unspecified value. O(watch nodes that watch one of these, below nodes that were moved or have
    /// another scale or idiom).
    func noteDevices(below starts: [Int32]) {
        let traits = ImageChoice.fromDevice
        var noted: Set<Int32>?
        var stack = starts
        var seen: Set<Int32> = []
        while let watch = stack.popLast() {
            if !seen.insert(watch).inserted { continue }
            if seen.count > notifying.stepsMax {
                notifying.isCutShort = true
                return
            }
            let node = parts.watches[watch]
            forEachRegistration(of: node.node) { hidden in
                let registration = parts.registrations[hidden]
                guard case .dynamics(let owner) = registration.role,
                    registration.createdRevision <= revision,
                    let subjects = parts.dynamics[parts.registrations[owner].dynamics],
                    subjects.deviceTraits.contains(where: { isOtherDevice($0, node.node) })
                else { return }
                if noted == nil { noted = Set(notifying.hidden.map(\.registration)) }
                if noted?.contains(hidden) == true { return }
                let level = UInt64(min(level(of: node.node), 65_535)) << 48
                notifying.hidden.append(
                    Note(
                        key: level | registration.order, registration: hidden, node: node.node,
                        selection: 0, frame: 0))
            }
            for child in parts.watches.children(of: node)
            where parts.watches[child].below & traits.folded != 0 {
                stack.append(child)
            }
        }
    }

    private func isOtherDevice(_ trait: TraitIndex, _ node: Int32) -> Bool {
        let raw = trait.rawValue
        // Where the node's own value is another one it was noted.
        return resolvedWord(raw, node) == parts.traits[raw].defaultWord
            && imageWordBefore(raw, node) != imageWord(raw, node)
    }

    /// The touched watch nodes that were moved, or have another scale or idiom of their own.
    func startsOfDevices() -> [Int32] {
        var starts: [Int32] = []
        for touched in transaction.journal.touched.view {
            let link = parts.nodes[touched.node]
            if link.watch < 0 || link.flags.contains(.dead) { continue }
            if touched.traitParent != parts.nodes.parent(of: touched.node)
                || traitsOfValues(touched).intersects(ImageChoice.fromDevice)
            {
                starts.append(link.watch)
            }
        }
        return starts
    }

    // MARK: - Frames

    /// The value by which an image is chosen, by what a frame of the node shows. O(depth).
    func imageWord(
        _ trait: UInt16, inFrame frame: Int32, _ node: Int32, _ layout: LayoutState
    ) -> UInt64 {
        let word = frameWord(trait, frame)
        if !isFromDevice(trait, word) || frame == 0 { return word }
        return frameWord(trait, deviceFrame(of: frame, node, layout))
    }

    /// The device's frame that `start` stands on. A device without values has no frame: it shares the one above.
    private func deviceFrame(of start: Int32, _ node: Int32, _ layout: LayoutState) -> Int32 {
        var top = start
        /// The lowest of the uppermost frames that are all of plain environments, which alone can
        /// be above a scene.
        var environments: Int32 = 0
        var frame = start
        while frame > 0 {
            let owner = frameNode(frame, layout)
            let kind = owner > 0 ? parts.nodes[owner].kind : nil
            if kind == .windowScene { return frame }
            if kind != .environment {
                environments = 0
            } else if environments == 0 {
                environments = frame
            }
            top = frame
            frame = parts.records[frame].above
        }
        if parts.nodes[device(of: node)].kind == .windowScene { return environments }
        let owner = frameNode(top, layout)
        return owner > 0 && parts.nodes.parent(of: owner) <= 0 ? top : 0
    }

    /// Notes a hidden registration of images on a node of a layout hierarchy, when the device's
    /// scale or idiom is another one and the node reads neither.
    func noteDevice(
        _ index: Int32, _ node: Int32, since before: Int32, _ level: UInt64, _ layout: LayoutState
    ) {
        let registration = parts.registrations[index]
        guard case .dynamics(let owner) = registration.role,
            let subjects = parts.dynamics[parts.registrations[owner].dynamics],
            !subjects.deviceTraits.isEmpty
        else { return }
        notifying.framesBefore[index] = before
        if notifying.hidden.last?.registration == index { return }
        let now = layout.nodes[node].shown
        let isOther = subjects.deviceTraits.contains { trait in
            imageWord(trait.rawValue, inFrame: before, node, layout)
                != imageWord(trait.rawValue, inFrame: now, node, layout)
        }
        if !isOther { return }
        notifying.hidden.append(
            Note(
                key: level | registration.order, registration: index, node: node, selection: 0,
                frame: 0))
    }
}
