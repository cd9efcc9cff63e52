// One operation of each kind, as JSON.

import SessionViews
import TraitEngine
import TraitSessions

extension ScriptGenerator {
    mutating func operation(_ view: HierarchyView) -> String {
        let kind = operationKind()
        note(kind.rawValue)
        let members = members(of: kind, view)
        return #"{"op":"\#(kind.rawValue)""# + (members.isEmpty ? "}" : "," + members + "}")
    }

    private mutating func operationKind() -> OperationKind {
        let often: [OperationKind] = [
            .createNode, .createNode, .createNode, .setOverride, .setOverride, .setOverride,
            .setOverride, .setSupplied, .register, .register, .setScope, .setEnvironment,
            .updateNode, .removeOverride, .layout, .defineTrait, .updateTrait, .renameNode,
            .copyNode,
        ]
        return random.chance(60) ? pick(often) : pick(Self.kinds)
    }

    /// A device comes to values that are supplied.
    private static let kinds = OperationKind.allCases.filter { $0 != .setDevice }

    private mutating func members(of kind: OperationKind, _ view: HierarchyView) -> String {
        switch kind {
        case .createNode: return String(nodeBody(view, isOperation: true).dropFirst().dropLast())
        case .updateNode: return #""node":"\#(existing(view))""# + linkMembers(view, percent: 50)
        case .putNode: return String(nodeBody(view, isOperation: true).dropFirst().dropLast())
        case .moveNode:
            let parent = random.chance(30) ? #","parent":"\#(existing(view))""# : ""
            let side = pick(["before", "after"])
            return #""node":"\#(existing(view))"\#(parent),"\#(side)":"\#(existing(view))""#
        case .renameNode: return #""node":"\#(existing(view))","to":"\#(node(view))""#
        case .renameTrait:
            let to = random.chance(20) ? trait(view) : "renamed\(random.below(3))"
            return #""trait":"\#(trait(view))","to":"\#(to)""#
        case .copyNode: return copyMembers(view)
        case .setDevice:
            let device = pick(["iPhone SE", "iPad Pro 11", "Apple TV 4K", "iPhone 99"])
            let settings = pick(["", #","settings":["dark"]"#, #","settings":["large","dim"]"#])
            return #""node":"\#(existing(view))","device":"\#(device)"\#(settings)"#
        case .putTrait:
            let sample = pick(TraitSample.all)
            return #""trait":"\#(sample.key)","definition":\#(pick(sample.definitions))"#
        case .deleteNode, .updateTraitsIfNeeded, .clearOverrides:
            return #""node":"\#(existing(view))""#
        case .setOverride, .setSupplied:
            let trait = trait(view)
            let end =
                kind == .setOverride && random.chance(20) ? #","ttl":\#(1 + random.below(30))"# : ""
            return
                #""node":"\#(existing(view))","trait":"\#(trait)","value":\#(value(of: trait))\#(end)"#
        case .removeOverride, .removeSupplied:
            return #""node":"\#(existing(view))","trait":"\#(trait(view))""#
        case .defineTrait:
            let sample = pick(TraitSample.all)
            return #""trait":"\#(sample.key)","definition":\#(pick(sample.definitions))"#
        case .updateTrait:
            let (key, patch) = pick(TraitSample.patches)
            return #""trait":"\#(key)","patch":\#(patch)"#
        case .deleteTrait: return #""trait":"\#(trait(view))""#
        case .register:
            return #""registration":"\#(pick(Self.registrations))","#
                + registrationBody(view).dropFirst().dropLast()
        case .unregister: return #""registration":"\#(pick(Self.registrations))""#
        case .layout: return ""
        case .setScope, .removeScope: return scopeMembers(kind, view)
        case .defineEnvironmentKey:
            let sample = pick(TraitSample.keys)
            return #""key":"\#(sample.key)","definition":\#(pick(sample.definitions))"#
        case .deleteEnvironmentKey: return #""key":"\#(pick(TraitSample.keys).key)""#
        case .setEnvironment:
            let sample = pick(TraitSample.keys)
            return #""node":"\#(existing(view))","key":"\#(sample.key)","#
                + #""value":\#(pick(sample.values))"#
        case .removeEnvironment:
            return #""node":"\#(existing(view))","key":"\#(pick(TraitSample.keys).key)""#
        case .defineColor:
            return #""color":"c\#(random.below(2))","definition":\#(pick(TraitSample.colors))"#
        case .defineImage:
            return #""image":"i\#(random.below(2))","definition":\#(pick(TraitSample.images))"#
        case .deleteColor: return #""color":"c\#(random.below(2))""#
        case .deleteImage: return #""image":"i\#(random.below(2))""#
        }
    }

    private mutating func copyMembers(_ view: HierarchyView) -> String {
        var members = #""node":"\#(existing(view))""#
        let prefix = #","prefix":["n","\#(pick(["m", "k", "n1"]))"]"#
        if random.chance(60) {
            members += #","to":"\#(node(view))""# + (random.chance(50) ? prefix : "")
        } else {
            members += prefix
        }
        if random.chance(30) {
            members += #","parent":\#(random.chance(20) ? "null" : "\"\(existing(view))\"")"#
        }
        if random.chance(15) {
            members += #","\#(pick(["before", "after"]))":"\#(existing(view))""#
        }
        if random.chance(30) { members += #","registrations":\#(random.chance(70))"# }
        if random.chance(50) { members += #","depth":\#(random.below(3))"# }
        return members
    }

    private mutating func scopeMembers(_ kind: OperationKind, _ view: HierarchyView) -> String {
        let node = random.pick(view.nodes)
        let methods = ScopeMethod.all.filter { method in
            node.map { method.kinds.contains($0.kind) } ?? false
        }
        let method = random.pick(methods)?.name ?? "content\(random.below(2))"
        let place = #""node":"\#(node?.id ?? "n1")","scope":"\#(method)""#
        return kind == .setScope ? place + #","reads":\#(traitList(view))"# : place
    }

    // MARK: - Values

    mutating func value(of trait: String) -> String {
        let samples = TraitSample.all + TraitSample.system
        let key = trait == TraitSample.identifier ? "level" : trait
        guard let sample = samples.first(where: { $0.key == key }) else { return "1" }
        return pick(sample.values)
    }

    /// An object of traits and values.
    mutating func values(_ view: HierarchyView, nulls: Bool) -> String {
        var members: [String: String] = [:]
        for _ in 0..<random.below(4) {
            let trait = trait(view)
            members[trait] = nulls && random.chance(30) ? "null" : value(of: trait)
        }
        let list = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
        return "{" + list.joined(separator: ",") + "}"
    }

    mutating func traitList(_ view: HierarchyView) -> String {
        var names = (0...random.below(3)).map { _ in trait(view) }
        if random.chance(20) { names.append(pick(TraitSetName.allCases).rawValue) }
        if random.chance(4) { names = [] }
        return "[" + names.map { #""\#($0)""# }.joined(separator: ",") + "]"
    }

    // MARK: - Bodies

    mutating func nodeBody(_ view: HierarchyView, isOperation: Bool) -> String {
        var parent = random.pick(view.nodes)
        var kinds: [NodeKind] = []
        if let parent {
            kinds = NodeKind.allCases.filter { $0.allowedParents.contains(parent.kind) }
        }
        if kinds.isEmpty || random.chance(10) { parent = nil }
        if parent == nil || random.chance(3) { kinds = NodeKind.allCases }
        let kind = view.nodes.isEmpty ? .windowScene : pick(kinds)
        let id = node(view)
        var members: [String] = []
        if isOperation { members.append(#""node":"\#(id)""#) }
        if isOperation || random.chance(70) { members.append(#""kind":"\#(kind.name)""#) }
        if let parent {
            members.append(#""parent":"\#(parent.id)""#)
        } else if random.chance(50) {
            members.append(#""parent":null"#)
        }
        let controllers = view.nodes.filter { $0.kind == .viewController }
        if kind == .view, random.chance(40), let controller = random.pick(controllers) {
            members.append(#""controller":"\#(controller.id)""#)
        }
        if random.chance(30) { members.append(#""label":\#(label())"#) }
        if random.chance(40) { members.append(#""overrides":\#(values(view, nulls: false))"#) }
        if random.chance(20) { members.append(#""supplied":\#(values(view, nulls: false))"#) }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func label() -> String { pick([#""main""#, #""ä\n\"x\"""#, #""""#, "null"]) }

    private mutating func linkMembers(_ view: HierarchyView, percent: Int) -> String {
        var text = ""
        if random.chance(percent) {
            let parent = random.chance(25) ? "null" : "\"\(existing(view))\""
            text += #","parent":\#(parent)"#
        }
        if random.chance(percent / 3) {
            let controllers = view.nodes.filter { $0.kind == .viewController }
            let controller = random.pick(controllers).map { "\"\($0.id)\"" } ?? "null"
            text += #","controller":\#(random.chance(30) ? "null" : controller)"#
        }
        if random.chance(percent) { text += #","label":\#(label())"# }
        return text
    }

    mutating func registrationBody(_ view: HierarchyView) -> String {
        var members = [#""node":"\#(existing(view))""#]
        if random.chance(20) {
            members.append(#""set":"\#(pick(TraitSetName.allCases).rawValue)""#)
        } else if random.chance(85) {
            members.append(#""traits":\#(traitList(view))"#)
        }
        if random.chance(25) { members.append(#""colors":["c\#(random.below(2))"]"#) }
        if random.chance(20) { members.append(#""images":["i\#(random.below(2))","i0"]"#) }
        if random.chance(50) {
            members.append(#""label":\#(pick([#""who""#, #""ä\"""#, #""""#]))"#)
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
