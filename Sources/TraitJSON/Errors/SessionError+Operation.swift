// The engine's refusals, in the words of the interface.

import TraitEngine

extension NodeKind {
    /// The name with its article: "a view", "an environment".
    package var named: String { ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + name }
}

extension SessionError {
    /// - Parameter error: why the engine refused the operation; it has changed nothing.
    package init(_ error: OperationError) {
        switch error {
        case .nodeExists(let node):
            self.init(
                .exists, "There is a node '\(node)' already.", hint: .changeNode(node))
        case .registrationExists(let registration):
            self.init(
                .exists,
                "There is a registration '\(registration)' already, for another node or other traits. Delete it first or take another name."
            )
        case .malformedIdentifier(let identifier):
            self = .malformedIdentifier(identifier)
        case .parentKind(let child, let parent):
            let allowed = child.allowedParents.map(\.name).joined(separator: ", ")
            self.init(
                .kindMismatch,
                "\(child.named.capitalizedFirst) cannot stand under \(parent.named): its parent may be \(allowed) or null.",
                pointer: "/parent")
        case .controllerKind(let node, let controller):
            self.init(
                .kindMismatch,
                "`controller` names the viewController that owns a view; here the node is \(node.named) and the controller \(controller.named).",
                pointer: "/controller")
        case .secondRootView(let controller, let view):
            self.init(
                .secondRootView,
                "The controller '\(controller)' owns the view '\(view)' already. Clear `controller` of '\(view)' first.",
                pointer: "/controller")
        case .cycle(let node, let parent):
            self.init(
                .cycle,
                "'\(node)' cannot go under '\(parent)', which is at or below it. Move '\(parent)' out first.",
                pointer: "/parent")
        case .notSiblings(let node, let sibling):
            self.init(
                .notSiblings,
                "'\(node)' and '\(sibling)' are no siblings: values come to them from different nodes. Name one with the same trait parent."
            )
        default:
            self.init(traitError: error)
        }
    }

    private init(traitError error: OperationError) {
        switch error {
        case .traitImmutable(let key):
            self.init(
                .traitImmutable,
                "The trait '\(key)' is defined differently. PATCH the definition (`updateTrait` in a transaction) to change it, or define another key."
            )
        case .systemTrait(let key):
            self.init(
                .systemTrait,
                "'\(key)' is a system trait: it can be overridden, but neither defined, changed nor deleted."
            )
        case .privateTrait(let key):
            self.init(
                .privateTrait,
                "'\(key)' is a private member of a system set: it cannot be set or watched by itself. Name the set instead."
            )
        case .traitInUse(let key):
            self.init(
                .inUse,
                "'\(key)' is still in use: set on a node, kept by a detached one, still shown by a pending one, or named by a registration, a stream, a tracked scope, an environment key, a color or an image. Remove those first."
            )
        case .duplicateIdentifier(let identifier, let holder):
            self.init(
                .duplicateIdentifier,
                "'\(identifier)' is taken by \(holder). Keys, identifiers and set names are unique in a session."
            )
        case .invalidDefinition(let key, let reason):
            self.init(.invalidDefinition, "The definition of '\(key)' is not valid: \(reason).")
        case .typeMismatch(let trait, let expected):
            self.init(
                .typeMismatch, "The value of '\(trait)' has to be \(expected).", pointer: "/value")
        case .emptyTraitList:
            self.init(
                .emptyTraitList, "Name at least one trait, or a set, to register for.",
                pointer: "/traits")
        case .scopeKind(let method, let kind):
            let known = ScopeMethod.all.filter { $0.kinds.contains(kind) }.map(\.name)
            self.init(
                .kindMismatch,
                known.isEmpty
                    ? "UIKit tracks no methods of \(kind.named); '\(method)' was named."
                    : "\(kind.named.capitalizedFirst) has no method '\(method)' that is tracked. It has \(known.joined(separator: ", ")).",
                didYouMean: Suggestion.nearest(to: method, among: known))
        case .unknownEnvironmentKey(let key):
            self.init(.unknownEnvironmentKey, "There is no environment key '\(key)'.")
        case .environmentKeyImmutable(let key):
            self.init(
                .environmentKeyImmutable,
                "The environment key '\(key)' is defined differently. Definitions never change. Define another key, or in one transaction remove what uses this one, delete the definition and define it again."
            )
        case .unknownDynamic(let kind, let name):
            self.init(
                kind == .color ? .unknownColor : .unknownImage,
                "There is no \(kind.rawValue) '\(name)'.")
        case .dynamicInUse(let kind, let name):
            self.init(
                .inUse,
                "A registration names the \(kind.rawValue) '\(name)'. Delete that first, or define another \(kind.rawValue)."
            )
        case .limit(let name, let value):
            let limit = HierarchyLimits.all.first { $0.name.description == name }
            let code: SessionErrorCode
            if case .refused(_, let name)? = limit?.beyond {
                code = SessionErrorCode(rawValue: name.description) ?? .quota
            } else {
                code = .quota
            }
            let words = limit.map { ": \($0.help.prefix(1).lowercased())\($0.help.dropFirst())" }
            self = .limit(
                code,
                "The limit \(name) is \(value)\(words ?? ".") Send less, or delete something first.",
                name: name, value: value)
        default:
            self.init(.internalError, "The engine refused the operation: \(error).")
        }
    }

    package static func malformedIdentifier(_ identifier: String) -> SessionError {
        SessionError(
            .malformedIdentifier,
            "'\(identifier.prefix(140))' is no identifier. Use 1 to 128 characters of A-Z a-z 0-9 . _ ~ - (and neither '.' nor '..')."
        )
    }
}
