// Colours and images, whose values depend on traits, by their names.

public enum DynamicKind: String, Hashable, Sendable, CaseIterable {
    case color, image
}

struct DynamicName: Hashable, Sendable {
    let kind: DynamicKind
    let name: String
}
