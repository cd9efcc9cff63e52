// The settings of a session, which are fixed when it is created.

import JSONCodec
import TraitEngine

package struct SessionConfiguration: Equatable, Sendable {
    package var propagation: Propagation = .unified
    package var updates: UpdateMode = .immediate
    package var limits: SessionLimits = .init()

    package init() {}

    /// Reads `propagation`, `updates` and `limits` of the object.
    ///
    /// - Parameter server: the ceilings of the limits; nil when they were admitted once.
    /// - Throws: `unsupportedMode`, `malformedBody`.
    init(_ object: ObjectReader, server: HierarchyLimits?) throws(SessionError) {
        propagation =
            try object.choice(
                "propagation", "`propagation` is unified (iOS 17 and later) or legacy (before)")
            ?? propagation
        updates =
            try object.choice(
                "updates",
                "`updates` is immediate (every commit ends with an update pass) or layout (writes mark, a layout updates)"
            ) ?? updates
        if let json = object["limits"] {
            limits = try within("/limits", try SessionLimits.read(json, server: server))
        }
    }
}

/// The limits a session asked for; each is at most the server's.
package struct SessionLimits: Equatable, Sendable {
    private(set) var values: [Int?] = none

    private static let none = [Int?](repeating: nil, count: names.count)

    static let names: [StaticString] = [
        "nodesMax", "depthMax", "registrationsMax", "customTraitsMax",
    ]

    var isEmpty: Bool { values.allSatisfy { $0 == nil } }

    /// - Throws: `malformedBody` for values outside 1…the server's limit.
    static func read(_ json: JSONValue, server: HierarchyLimits?) throws(SessionError)
        -> SessionLimits
    {
        let object = try ObjectReader(json, "limits", members: names)
        var limits = SessionLimits()
        for (position, name) in names.enumerated() {
            guard let value = try object.integer(name) else { continue }
            let ceiling = server.map { limits.ceiling(position, in: $0) } ?? .max
            guard value >= 1, value <= Int64(ceiling) else {
                throw SessionError(
                    .malformedBody, "'\(name)' goes from 1 to the server's \(ceiling).",
                    pointer: "/\(name)")
            }
            limits.values[position] = Int(value)
        }
        return limits
    }

    func hierarchyLimits(server: HierarchyLimits) -> HierarchyLimits {
        var limits = server
        limits.nodesMax = values[0] ?? server.nodesMax
        limits.depthMax = values[1] ?? server.depthMax
        limits.registrationsMax = values[2] ?? server.registrationsMax
        limits.customTraitsMax = values[3] ?? server.customTraitsMax
        return limits
    }

    private func ceiling(_ position: Int, in server: HierarchyLimits) -> Int {
        switch position {
        case 0: server.nodesMax
        case 1: server.depthMax
        case 2: server.registrationsMax
        default: server.customTraitsMax
        }
    }

    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in zip(Self.names, values) {
            guard let value else { continue }
            writer.key(name)
            writer.value(value)
        }
        writer.endObject()
    }
}
