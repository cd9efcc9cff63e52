// The colours and images that registrations name besides traits.

/// The colours and images of one registration.
struct DynamicSubjects {
    let colors: [String]
    let images: [String]
    /// The traits that can change which variants are chosen.
    let dependsOn: TraitSet
    /// The traits of `dependsOn` that images take from the device where the node's are unspecified.
    let deviceTraits: TraitSet
    /// The hidden registration that is notified of these; -1 while the registration has ended.
    fileprivate(set) var hidden: Int32 = -1

    init(colors: [String], images: [String], dependsOn: TraitSet, deviceTraits: TraitSet) {
        self.colors = colors
        self.images = images
        self.dependsOn = dependsOn
        self.deviceTraits = deviceTraits
    }

    var names: [DynamicName] {
        colors.map { DynamicName(kind: .color, name: $0) }
            + images.map { DynamicName(kind: .image, name: $0) }
    }
}

struct DynamicTable: ~Copyable {
    private var subjects: SlotArray<DynamicSubjects>
    /// How many registrations that are alive name each; a snapshot has none.
    private var uses: [DynamicName: Int] = [:]
    /// How many registrations that are alive use the device's scale or idiom.
    private var deviceUses = 0

    init() { subjects = SlotArray() }

    init(copying other: inout DynamicTable, _ copies: inout SnapshotCopies) {
        subjects = SlotArray(copying: &other.subjects, &copies)
    }

    /// The colours and images in the slot of a registration; nil for -1.
    subscript(slot: Int32) -> DynamicSubjects? { subjects[slot] }

    /// Whether a registration may use the scale or idiom of the device.
    var usesDevices: Bool { deviceUses > 0 }

    /// Whether a registration names a colour or an image.
    func isUsed(_ name: DynamicName) -> Bool { uses[name] != nil }

    var count: Int { subjects.count }
    /// Bytes that it takes of the process's memory, about, without names.
    var heldBytes: Int { subjects.heldBytes }

    mutating func insert(_ ask: DynamicSubjects) -> Int32 { subjects.insert(ask) }

    mutating func remove(_ slot: Int32) { subjects.remove(slot) }

    /// The registration is alive and is notified through a hidden one. O(names).
    mutating func arm(_ slot: Int32, hidden: Int32) {
        guard var ask = subjects[slot] else { return }
        ask.hidden = hidden
        subjects.replace(slot, ask)
        for name in ask.names { uses[name, default: 0] += 1 }
        if !ask.deviceTraits.isEmpty { deviceUses += 1 }
    }

    /// The registration has ended. Answers the hidden one, -1 for none. O(names).
    mutating func disarm(_ slot: Int32) -> Int32 {
        guard var ask = subjects[slot] else { return -1 }
        let hidden = ask.hidden
        ask.hidden = -1
        subjects.replace(slot, ask)
        for name in ask.names {
            let left = (uses[name] ?? 1) - 1
            uses[name] = left > 0 ? left : nil
        }
        if !ask.deviceTraits.isEmpty { deviceUses -= 1 }
        return hidden
    }

    /// Whether these are the counted uses, for the invariants.
    func usesAre(_ expected: [DynamicName: Int]) -> Bool { uses == expected }
}
