// What is done to a hierarchy, as data: the oracle and the engine take the same script, a failing
// one is cut down and printed.

import TraitEngine

/// One operation of a transaction. Nodes, traits and registrations are named, not indexed.
enum Operation: Sendable {
    case define(TraitDefinition)
    case deleteTrait(String)
    case create(String, NodeKind, parent: String?, controller: String?, label: String?)
    case update(
        String, parent: Change<String> = .keep, controller: Change<String> = .keep,
        label: Change<String> = .keep)
    case delete(String)
    /// Behind a sibling; nil for the first place.
    case order(String, behind: String?)
    case set(InputLayer, String, String, TraitValue)
    case remove(InputLayer, String, String)
    case register(
        String, String, [String], colors: [String] = [], images: [String] = [])
    case unregister(String)
    /// Of everything attached, or of one node.
    case updateTraits(String?)
    case legacyCollection(String, [String: TraitValue])
    case legacyStyle(String, TraitValue?)
    /// Ranks of content size categories.
    case limits(String, Int?, Int?)
    case predict(String, [String: TraitValue])
    case setScope(String, String, [String])
    case removeScope(String, String)
    case defineKey(EnvironmentKey)
    case deleteKey(String)
    case setEnvironment(String, String, TraitValue)
    case removeEnvironment(String, String)
    case defineDynamic(DynamicDefinition)
    case deleteDynamic(DynamicKind, String)
}

enum InputLayer: String, Sendable {
    case override, supplied
}

/// One step of a script.
enum Step: Sendable {
    case transaction([Operation], keep: Bool)
    case watch(String, String, [String])
    case unwatch(String)
    /// Takes the newest unacknowledged commit back.
    case undo
    /// Makes everything so far final.
    case acknowledge
}

struct Script: Sendable {
    var propagation: Propagation
    var updates: UpdateMode = .immediate
    var steps: [Step]
    var sizes = StructureSizes()
}

extension StructureSizes {
    /// Small trees use what only large ones need.
    package static let tiny = StructureSizes(blockLevels: 2, listedChildrenMax: 2)
}

/// The notifications of a commit, in words both sides understand.
struct Outcome: Equatable {
    struct Told: Equatable {
        var listener: String
        var node: String
        var changes: [Changed]
        /// Colours and images in the order in which the registration names them.
        var dynamics: [String] = []
    }

    struct Changed: Equatable {
        var trait: String
        var previous: TraitValue
        var current: TraitValue
        var source: Origin
    }

    var revision: Int64
    var isUnchanged: Bool
    var told: [Told] = []
    /// Sorted by name.
    var ended: [String] = []
    /// In the order of their notifications.
    var invalidations: [String] = []
}

/// Where a value came from.
struct Origin: Equatable {
    var layer: Layer
    var node: String?
    var revision: Int64?
    /// Whether the node has been deleted since.
    var isDeleted = false

    static let `default` = Origin(layer: .default)
}

extension Script: CustomStringConvertible {
    var description: String {
        var lines = ["propagation \(propagation), updates \(updates), \(sizes)"]
        for step in steps {
            if case .transaction(let operations, let keep) = step {
                lines += ["begin"] + operations.map { "    \($0)" } + [keep ? "commit" : "rollback"]
            } else {
                lines.append("\(step)")
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension Operation {
    /// Whether it can change from which node another one inherits.
    var isStructural: Bool {
        switch self {
        case .create, .update, .delete: true
        default: false
        }
    }

    /// Whether it may depend on what nodes show.
    var looksAtShown: Bool {
        switch self {
        case .deleteTrait, .deleteKey, .create, .update, .delete, .register, .setScope,
            .updateTraits, .predict:
            true
        default: false
        }
    }

    /// What is done, without what it is done to.
    var word: String { String(description.prefix { $0 != " " }) }
}

extension Operation: CustomStringConvertible {
    var description: String {
        switch self {
        case .define(let definition): "define \(definition.key) default \(definition.defaultValue)"
        case .deleteTrait(let key): "deleteTrait \(key)"
        case .create(let id, let kind, let parent, let controller, let label):
            "create \(id) \(kind.name) parent \(parent ?? "-") controller \(controller ?? "-")"
                + (label.map { " label \($0)" } ?? "")
        case .update(let id, let parent, let controller, let label):
            "update \(id) parent \(parent) controller \(controller) label \(label)"
        case .delete(let id): "delete \(id)"
        case .order(let id, let sibling): "order \(id) behind \(sibling ?? "-")"
        case .set(let layer, let node, let trait, let value):
            "set \(layer.rawValue) \(node) \(trait) \(value)"
        case .remove(let layer, let node, let trait): "remove \(layer.rawValue) \(node) \(trait)"
        case .register(let id, let node, let traits, let colors, let images):
            "register \(id) \(node) \(traits) \(colors) \(images)"
        case .unregister(let id): "unregister \(id)"
        case .updateTraits(let id): "updateTraits \(id ?? "of everything")"
        case .legacyCollection(let id, let values): "legacyCollection \(id) \(values)"
        case .legacyStyle(let id, let style): "legacyStyle \(id) \(style.map { "\($0)" } ?? "-")"
        case .limits(let id, let minimum, let maximum):
            "limits \(id) \(minimum ?? -1) \(maximum ?? -1)"
        case .predict(let id, let values): "predict \(id) \(values)"
        case .setScope(let id, let name, let reads): "setScope \(id) \(name) \(reads)"
        case .removeScope(let id, let name): "removeScope \(id) \(name)"
        case .defineKey(let key):
            "defineKey \(key.key) default \(key.defaultValue) of \(key.bridgedTrait ?? "-")"
        case .deleteKey(let name): "deleteKey \(name)"
        case .setEnvironment(let id, let key, let value): "setEnvironment \(id) \(key) \(value)"
        case .removeEnvironment(let id, let key): "removeEnvironment \(id) \(key)"
        case .defineDynamic(let definition): "defineDynamic \(definition)"
        case .deleteDynamic(let kind, let name): "deleteDynamic \(kind) \(name)"
        }
    }
}
