// The public face, ahead of its bodies.

// swift-format-ignore-file
extension Hierarchy {
    // transaction
    public func begin() {}
    public func defineTrait(_ definition: TraitDefinition) throws(OperationError) -> TraitIndex { TraitIndex(rawValue: 0) }
    public func deleteTrait(_ trait: TraitIndex) throws(OperationError) {}
    public func createNode(_ identifier: String, kind: NodeKind, parent: NodeIndex? = nil, controller: NodeIndex? = nil, label: String? = nil) throws(OperationError) -> NodeIndex { NodeIndex(rawValue: 1) }
    public func createNode(_ identifier: UnsafeRawBufferPointer, kind: NodeKind, parent: NodeIndex? = nil, controller: NodeIndex? = nil, label: String? = nil) throws(OperationError) -> NodeIndex { NodeIndex(rawValue: 1) }
    public func updateNode(_ node: NodeIndex, parent: Change<NodeIndex> = .keep, controller: Change<NodeIndex> = .keep, label: Change<String> = .keep) throws(OperationError) {}
    public func deleteNode(_ node: NodeIndex) {}
    public func setOverride(_ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue) throws(OperationError) {}
    public func removeOverride(_ node: NodeIndex, _ trait: TraitIndex) {}
    public func setSupplied(_ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue) throws(OperationError) {}
    public func removeSupplied(_ node: NodeIndex, _ trait: TraitIndex) {}
    /// Exactly these overrides (supplied values) afterwards; others are removed.
    public func replaceOverrides(_ node: NodeIndex, _ values: [(TraitIndex, TraitValue)]) throws(OperationError) {}
    public func replaceSupplied(_ node: NodeIndex, _ values: [(TraitIndex, TraitValue)]) throws(OperationError) {}
    public func register(_ identifier: String, node: NodeIndex, traits: TraitSet) throws(OperationError) -> RegistrationIndex { RegistrationIndex(rawValue: 0) }
    public func register(_ identifier: UnsafeRawBufferPointer, node: NodeIndex, traits: TraitSet) throws(OperationError) -> RegistrationIndex { RegistrationIndex(rawValue: 0) }
    public func unregister(_ registration: RegistrationIndex) {}
    public func commit() -> Commit { Commit(revision: 0, isUnchanged: true, notifications: [], endedRegistrations: [], definitions: definitions, frames: [], wideSelections: []) }
    public func rollback() {}
    public var isInTransaction: Bool { false }

    // after commit
    /// Answers the watches that went with it, because their nodes had been created by it.
    @discardableResult public func undo() -> [RegistrationIndex] { [] }
    public func acknowledge(through revision: Int64) {}
    /// Frees up to about a thousand deleted nodes; true when more are left. acknowledge and begin do one slice each.
    @discardableResult public func reclaimSlice() -> Bool { false }

    // watches
    public func addWatch(node: NodeIndex, traits: TraitSet) throws(OperationError) -> RegistrationIndex { RegistrationIndex(rawValue: 0) }
    public func removeWatch(_ watch: RegistrationIndex) {}

    // nodes
    public func node(_ identifier: String) -> NodeIndex? { nil }
    public func node(_ identifier: UnsafeRawBufferPointer) -> NodeIndex? { nil }
    public func identifier(of node: NodeIndex) -> String { "" }
    public func withIdentifier<R, E: Error>(of node: NodeIndex, _ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R { try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    public func kind(of node: NodeIndex) -> NodeKind { .view }
    /// Structural.
    public func parent(of node: NodeIndex) -> NodeIndex? { nil }
    /// The controller that owns a view.
    public func controller(of view: NodeIndex) -> NodeIndex? { nil }
    /// The view that a controller owns.
    public func rootView(of controller: NodeIndex) -> NodeIndex? { nil }
    public func traitParent(of node: NodeIndex) -> NodeIndex? { nil }
    public func label(of node: NodeIndex) -> String? { nil }
    public func state(of node: NodeIndex) -> NodeState { .current }
    /// Levels of the trait tree above the node: 0 for a root.
    public func depth(of node: NodeIndex) -> Int { 0 }
    public var nodeCount: Int { 0 }
    public var registrationCount: Int { 0 }
    public var watchCount: Int { 0 }
    /// In tree order (preorder of the trait tree), `under` itself first; `after` resumes behind a node.
    public func forEachNode(under: NodeIndex? = nil, after: NodeIndex? = nil, _ body: (NodeIndex, _ level: Int) -> NodeVisit) {}

    // values
    public func value(of trait: TraitIndex, at node: NodeIndex) -> TraitValue { .null }
    public func word(of trait: TraitIndex, at node: NodeIndex) -> UInt64 { 0 }
    public func value(from word: UInt64, of trait: TraitIndex) -> TraitValue { .null }
    public func values(of traits: TraitSet, at node: NodeIndex, _ each: (TraitIndex, TraitValue) -> Void) {}
    public func words(of traits: TraitSet, at node: NodeIndex, _ each: (TraitIndex, UInt64) -> Void) {}
    /// Traits that some node from `node` up sets: candidates for a non-default value.
    public func specifiedTraits(at node: NodeIndex) -> TraitSet { TraitSet() }
    public func resolve(_ trait: TraitIndex, at node: NodeIndex) -> Resolution { Resolution(value: .null, source: .default) }
    public func chain(of trait: TraitIndex, at node: NodeIndex, includeAbsent: Bool = false) -> [ChainEntry] { [] }
    public func overrides(of node: NodeIndex) -> [(TraitIndex, TraitValue)] { [] }
    public func override(_ trait: TraitIndex, of node: NodeIndex) -> TraitValue? { nil }
    public func supplied(of node: NodeIndex) -> [(TraitIndex, TraitValue)] { [] }
    public func supplied(_ trait: TraitIndex, of node: NodeIndex) -> TraitValue? { nil }
    public func kept(of node: NodeIndex) -> [(TraitIndex, TraitValue)] { [] }

    // registrations
    public func registration(named identifier: String) -> RegistrationIndex? { nil }
    public func registration(named identifier: UnsafeRawBufferPointer) -> RegistrationIndex? { nil }
    public func registrationInfo(_ registration: RegistrationIndex) -> RegistrationInfo { RegistrationInfo(index: registration, identifier: nil, node: NodeIndex(rawValue: 1), traits: TraitSet(), createdRevision: 0) }
    /// Registrations (no watches) in the order in which they were made.
    public func registrations(after: RegistrationIndex? = nil, limit: Int = .max) -> [RegistrationIndex] { [] }
    public func registrations(of node: NodeIndex) -> [RegistrationIndex] { [] }

    public func checkInvariants() throws(InvariantError) {}
}

/// What to do after a node was visited.
public enum NodeVisit: Sendable { case descend, skipChildren, stop }

public struct InvariantError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
