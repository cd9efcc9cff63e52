// The managers that a document names.

import JSONCodec
import TraitEngine
import TraitJSON

extension DocumentReader {
    /// Reads the managers of a node and of all that belongs to it.
    mutating func readManagers(
        _ json: JSONValue, _ node: NodeIndex
    ) throws(SessionError) {
        let object = try ObjectReader(
            json, "a node's managers",
            members: ["node", "overrides", "supplied"] + ManagedPlace.Kind.ofNodes.map(\.member))
        if let manager = try object.string("node") {
            managed.append((ManagedPlace(node), manager))
        }
        for kind in [.overrides, .supplied] + ManagedPlace.Kind.ofNodes {
            for (name, manager) in try Self.managers(kind, object) {
                let place =
                    switch kind {
                    case .overrides: ManagedPlace(node, .overrides, try trait(name))
                    case .supplied: ManagedPlace(node, .supplied, try trait(name))
                    default: ManagedPlace(node, kind, name)
                    }
                managed.append((place, manager))
            }
        }
    }

    func trait(_ name: String) throws(SessionError) -> TraitIndex {
        try holder(name, isEnvironment: false).0
    }

    /// `"KIND":{name: manager…}`.
    static func managers(
        _ kind: ManagedPlace.Kind, _ object: ObjectReader
    ) throws(SessionError) -> [(name: String, manager: String)] {
        guard let json = object[kind.member] else { return [] }
        var list: [(name: String, manager: String)] = []
        for (name, manager) in json.members {
            guard let manager = manager.string?.string else {
                throw object.wrongType(kind.member, "an object of name and manager", json)
            }
            list.append((name.string, manager))
        }
        return list
    }
}
