// When overrides end, as the operations in the log say it: a model that has no tree, no values and no clock.

import JSONCodec
import SessionLog
import SessionViews
import TraitJSON
import TraitSessions

struct ExpiryModel {
    /// Milliseconds since 1970, by node and trait. Also of nodes that are deleted.
    private var times: [String: [String: Int64]] = [:]
    /// The traits of bridged environment keys.
    private var bridged: [String: String] = [:]
    private(set) var revision: Int64 = 0

    /// Follows one entry.
    mutating func follow(_ operations: JSONValue, revision: Int64) throws {
        self.revision = revision
        for operation in operations.elements {
            func name(_ member: StaticString) throws -> String {
                try known(operation.member(member)?.string?.string)
            }
            switch try name("op") {
            case "setOverride":
                times[try name("node"), default: [:]][try name("trait")] = try operation.member(
                    "expiresAt"
                ).map { try known($0.string.flatMap { Timestamp.milliseconds($0.string) }) }
            case "removeOverride": times[try name("node")]?[try name("trait")] = nil
            case "setEnvironment", "removeEnvironment":
                if let trait = bridged[try name("key")] { times[try name("node")]?[trait] = nil }
            case "createNode": times[try name("node")] = nil
            case "renameNode":
                times[try name("to")] = times.removeValue(forKey: try name("node"))
            case "renameTrait":
                let (old, new) = (try name("trait"), try name("to"))
                times = times.mapValues { times in
                    var times = times
                    times[new] = times.removeValue(forKey: old)
                    return times
                }
                for (key, trait) in bridged where trait == old { bridged[key] = new }
            case "defineEnvironmentKey":
                bridged[try name("key")] =
                    operation.member("definition")?.member("bridgedTrait")?.string?.string
            default: break
            }
        }
    }

    /// When the overrides of these nodes end, by the names of node and trait.
    func times(of nodes: Set<String>) -> [String: Int64] {
        var found: [String: Int64] = [:]
        for (node, times) in times where nodes.contains(node) {
            for (trait, time) in times { found[node + " " + trait] = time }
        }
        return found
    }
}
