// A session as its log describes it: values, when they end, and registrations, in the plainest form.

import JSONCodec
import SessionLog
import TraitJSON
import TraitSessions

struct LoggedState {
    /// Whether writes are known by causes: then nothing else is looked at.
    private let isMarked: Bool
    /// The value of each node for each trait; none for such.
    private(set) var values: [[Int]]
    /// When values end, in milliseconds since 1970, by the number of their node.
    private(set) var ends: [Int: Int64] = [:]
    /// When registrations may end, by their name.
    private(set) var leases: [String: Int64] = [:]
    private(set) var tally: [String: Int] = [:]

    /// The most milliseconds by which clocks differ. A lease counts by none of them.
    private let clocksDiffer: Int64

    init(isMarked: Bool, clocksDiffer: Int64) {
        self.isMarked = isMarked
        self.clocksDiffer = clocksDiffer
        values = isMarked ? [] : Handler.noValues
    }

    /// Follows one entry. Returns the values by which its writes are known, and what is wrong with it.
    mutating func follow(_ entry: LogEntry) -> (values: [Int], fault: String?) {
        var found: [Int] = []
        var fault: String?
        do throws(JSONError) {
            try entry.payload.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try JSONTape(hashSeed: 0).withDocument(UnsafeRawBufferPointer(bytes)) { root in
                    let mark = WriteMark.value(in: root)
                    if isMarked {
                        found = [mark].compactMap(\.self)
                        return
                    }
                    let isEnd = root.member("cause")?.member("expired")?.bool ?? false
                    for operation in root.member("operations")?.elements.map(\.self) ?? [] {
                        // The values that a revert brings back are those of other writes.
                        let (value, wrong) = follow(
                            operation, at: entry.time, isEnd: isEnd, isRevert: mark != nil)
                        if mark == nil, let value, found.last != value { found.append(value) }
                        fault = fault ?? wrong
                    }
                    if let mark { found = [mark] }
                }
            }
        } catch {
            fault = "is no JSON: \(error)"
        }
        return (found, fault)
    }

    private mutating func follow(
        _ operation: JSONValue, at time: Int64, isEnd: Bool, isRevert: Bool
    ) -> (value: Int?, fault: String?) {
        let id = operation.member("registration")?.string?.string ?? ""
        // The log does not show when it was renewed.
        if Keeper.registrations.contains(id) { return (nil, nil) }
        let node = operation.member("node")?.string.flatMap { Int($0.string.dropFirst()) }
        let trait = operation.member("trait")?.string.flatMap {
            World.traits.firstIndex(of: $0.string)
        }
        switch (operation.member("op")?.string?.string, node, trait) {
        case ("setOverride", let node?, let trait?):
            let value = Int(operation.member("value")?.int64 ?? 0)
            values[node][trait] = value
            if trait == 1 {
                ends[node] = operation.member("expiresAt")?.string.flatMap {
                    Timestamp.milliseconds($0.string)
                }
                if ends[node] == nil { return (value, "has a temporary value without an end") }
            }
            return (value, nil)
        case ("removeOverride", let node?, let trait?):
            values[node][trait] = 0
            if isRevert {
                if trait == 1 { ends[node] = nil }
                return (nil, nil)
            }
            tally["ended values", default: 0] += 1
            guard let end = ends.removeValue(forKey: node), isEnd else {
                return (nil, "ends a value of n\(node) that is not there")
            }
            return (nil, end > time ? "ends a value at \(time) that lasts until \(end)" : nil)
        case ("register", _, _):
            leases[id] = time + (operation.member("ttl")?.int64 ?? 0) * 1_000
            return (operation.member("label")?.string.flatMap { Int($0.string) }, nil)
        case ("unregister", _, _):
            tally["ended leases", default: 0] += 1
            guard let end = leases.removeValue(forKey: id), isEnd else {
                return (nil, "ends the registration \(id), which is not there")
            }
            let isEarly = end > time + clocksDiffer
            return (nil, isEarly ? "ends \(id) at \(time), and its lease lasts until \(end)" : nil)
        default: return (nil, nil)
        }
    }
}
