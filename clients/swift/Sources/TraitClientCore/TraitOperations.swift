// The operations of a transaction, made by functions instead of by hand.

/// The operations of a transaction, in their order. All of them are carried out, or none.
///
/// The functions cover everyday operations; ``append(_:)`` takes any other one of openapi.yaml.
public struct TraitOperations: Sendable, Hashable {
    /// The operations as JSON.
    public private(set) var operations: [TraitValue] = []

    /// Makes a list without operations.
    public init() {}

    /// Adds an operation as openapi.yaml describes it, such as `["op": "layout"]`.
    public mutating func append(_ operation: TraitValue) { operations.append(operation) }

    private mutating func append(_ name: String, _ members: [(String, TraitValue?)]) {
        let given = members.compactMap { name, value in value.map { (name, $0) } }
        operations.append(.object(TraitObject([("op", .string(name))] + given)))
    }

    /// Sets the override of a trait at a node.
    public mutating func setOverride(_ trait: String, _ value: TraitValue, at node: String) {
        append(
            "setOverride", [("node", .string(node)), ("trait", .string(trait)), ("value", value)])
    }

    /// Removes the override of a trait at a node.
    public mutating func removeOverride(_ trait: String, at node: String) {
        append("removeOverride", [("node", .string(node)), ("trait", .string(trait))])
    }

    /// Removes all overrides at a node.
    public mutating func clearOverrides(at node: String) {
        append("clearOverrides", [("node", .string(node))])
    }

    /// Sets the supplied value of a trait at a node.
    public mutating func setSupplied(_ trait: String, _ value: TraitValue, at node: String) {
        append(
            "setSupplied", [("node", .string(node)), ("trait", .string(trait)), ("value", value)])
    }

    /// Removes the supplied value of a trait at a node.
    public mutating func removeSupplied(_ trait: String, at node: String) {
        append("removeSupplied", [("node", .string(node)), ("trait", .string(trait))])
    }

    /// Creates a node.
    /// - Parameters:
    ///   - kind: such as `windowScene`, `window`, `viewController`, `view` or `environment`.
    ///   - parent: the structural parent, or nil for a root.
    ///   - controller: of a view, the view controller that owns the view.
    ///   - label: for people.
    ///   - overrides: values by trait.
    public mutating func createNode(
        _ node: String, kind: String, parent: String? = nil, controller: String? = nil,
        label: String? = nil, overrides: TraitObject? = nil
    ) {
        append(
            "createNode",
            [
                ("node", .string(node)), ("kind", .string(kind)),
                ("parent", parent.map(TraitValue.string)),
                ("controller", controller.map(TraitValue.string)),
                ("label", label.map(TraitValue.string)),
                ("overrides", overrides.map(TraitValue.object)),
            ])
    }

    /// Deletes a node and all below it.
    public mutating func deleteNode(_ node: String) {
        append("deleteNode", [("node", .string(node))])
    }

    /// Moves a node below another one, or makes a root of it if `parent` is nil.
    public mutating func moveNode(_ node: String, toParent parent: String?) {
        append(
            "moveNode",
            [("node", .string(node)), ("parent", parent.map(TraitValue.string) ?? .null)])
    }

    /// Gives a node another name. Values, registrations, scopes and streams stay with the node.
    public mutating func renameNode(_ node: String, to name: String) {
        append("renameNode", [("node", .string(node)), ("to", .string(name))])
    }

    /// Copies a node with what is below it (docs/names.md).
    /// - Parameters:
    ///   - name: the name of the copied node; alone it stands for `prefix: (node, name)`.
    ///   - prefix: names that begin with `old` begin with `new` in the copy.
    ///   - parent: below which the copy comes to stand, or nil for the parent of the original.
    ///   - registrations: whether registrations are copied, too, under names by the same rule.
    ///   - depth: levels below the node, or nil for all.
    public mutating func copyNode(
        _ node: String, to name: String? = nil, prefix: (old: String, new: String)? = nil,
        parent: String? = nil, registrations: Bool = false, depth: Int? = nil
    ) {
        append(
            "copyNode",
            [
                ("node", .string(node)), ("to", name.map(TraitValue.string)),
                ("prefix", prefix.map { [.string($0.old), .string($0.new)] }),
                ("parent", parent.map(TraitValue.string)),
                ("registrations", registrations ? true : nil),
                ("depth", depth.map { .integer(Int64($0)) }),
            ])
    }

    /// Supplies a node with the traits of one of Apple's devices (`GET /v1/devices`).
    /// - Parameters:
    ///   - orientation: `portrait` or `landscape`, or nil for the device's usual one.
    ///   - split: `full`, `1/2`, `1/3`, `2/3` or `slideOver`, or nil for the whole screen.
    ///   - settings: for example `dark` and `accessibilityLarge`.
    public mutating func setDevice(
        _ node: String, _ device: String, orientation: String? = nil, split: String? = nil,
        settings: [String] = []
    ) {
        append(
            "setDevice",
            [
                ("node", .string(node)), ("device", .string(device)),
                ("orientation", orientation.map(TraitValue.string)),
                ("split", split.map(TraitValue.string)),
                ("settings", settings.isEmpty ? nil : .array(settings.map(TraitValue.string))),
            ])
    }

    /// Defines a trait, for example by `["type": "int", "default": 0]`.
    public mutating func defineTrait(_ trait: String, _ definition: TraitObject) {
        append("defineTrait", [("trait", .string(trait)), ("definition", .object(definition))])
    }

    /// Changes the definition of a trait by a merge patch, for example `["default": 1]`.
    public mutating func updateTrait(_ trait: String, _ patch: TraitObject) {
        append("updateTrait", [("trait", .string(trait)), ("patch", .object(patch))])
    }

    /// Gives a custom trait another key. What has values of the trait, or names it, follows.
    public mutating func renameTrait(_ trait: String, to key: String) {
        append("renameTrait", [("trait", .string(trait)), ("to", .string(key))])
    }

    /// Deletes a custom trait that nothing uses.
    public mutating func deleteTrait(_ trait: String) {
        append("deleteTrait", [("trait", .string(trait))])
    }

    /// Registers for traits of a node.
    /// - Parameter ttl: the seconds after which the registration ends by itself, from 1 to 604,800, or nil.
    public mutating func register(
        _ registration: String, at node: String, traits: [String], ttl: Int? = nil
    ) {
        append(
            "register",
            [
                ("registration", .string(registration)), ("node", .string(node)),
                ("traits", .array(traits.map(TraitValue.string))),
                ("ttl", ttl.map { .integer(Int64($0)) }),
            ])
    }

    /// Removes a registration.
    public mutating func unregister(_ registration: String) {
        append("unregister", [("registration", .string(registration))])
    }
}
