// Every way in which an operation can be refused. An operation that throws has changed nothing.

/// Why an operation was refused. Carries what a caller needs to say what to do about it.
public enum OperationError: Error, Hashable, Sendable {
    /// A node, trait or registration of that name is there already.
    case nodeExists(String)
    case registrationExists(String)
    case malformedIdentifier(String)

    /// The parent's kind is not among `NodeKind.allowedParents`.
    case parentKind(child: NodeKind, parent: NodeKind)
    /// `controller` was given for a node that is no view, or names a node that is no controller.
    case controllerKind(node: NodeKind, controller: NodeKind)
    /// The controller already has a root view.
    case secondRootView(controller: String, view: String)
    /// The node would become its own ancestor, structurally or by inheritance.
    case cycle(node: String, parent: String)

    /// The two nodes have different trait parents, or are the same node.
    case notSiblings(String, String)

    /// The key belongs to a trait with a different definition.
    case traitImmutable(String)
    case systemTrait(String)
    /// A private member of a system set: it can be neither set nor watched by itself.
    case privateTrait(String)
    case traitInUse(String)
    /// The key, identifier or a set's name is taken by something else.
    case duplicateIdentifier(String, takenBy: String)
    /// A definition that cannot be: no cases, a default of another type, a NaN…
    case invalidDefinition(key: String, reason: String)
    /// The value is not of the trait's type; `expected` is a phrase for people.
    case typeMismatch(trait: String, expected: String)
    case emptyTraitList
    /// Nodes of that kind have no such method to track.
    case scopeKind(String, NodeKind)
    case unknownEnvironmentKey(String)
    /// The name belongs to an environment key with a different definition.
    case environmentKeyImmutable(String)
    case unknownDynamic(DynamicKind, String)
    /// A registration names the colour or image.
    case dynamicInUse(DynamicKind, String)

    /// A named limit would be exceeded.
    case limit(name: String, value: Int)
}
