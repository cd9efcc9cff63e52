// Follows what a log says of a session whose operations the model knows.

import JSONCodec

extension StreamWorld {
    /// Follows an operation of an entry. Returns false for one that the model does not know.
    ///
    /// - Parameter number: another one for each operation of the log.
    package mutating func follow(_ operation: JSONValue, _ number: Int) -> Bool {
        func name(_ member: StaticString) -> String? { operation.member(member)?.string?.string }
        let node = name("node") ?? ""
        let trait = name("trait") ?? ""
        switch name("op") {
        case "createNode":
            if nodes[node] != nil { return false }
            nodes[node] = Node(parent: name("parent"), made: number)
        case "deleteNode": delete(node)
        case "updateNode", "moveNode": nodes[node]?.parent = name("parent")
        case "register":
            registrations.removeAll { $0.id == name("registration") }
            let traits = operation.member("traits")?.elements.compactMap { $0.string?.string }
            registrations.append(
                Registration(
                    id: name("registration") ?? "", node: node, traits: traits ?? [], made: number))
        case "unregister": registrations.removeAll { $0.id == name("registration") }
        case "setOverride":
            nodes[node]?.overrides[trait] = operation.member("value").map(ReceivedRecord.text)
        case "removeOverride": nodes[node]?.overrides[trait] = nil
        case "defineTrait": return true
        default: return false
        }
        return true
    }
}
