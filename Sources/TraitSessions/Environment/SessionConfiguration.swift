// The settings of a session, which are fixed when it is created.

import JSONCodec
import TraitEngine
import TraitJSON

package struct SessionConfiguration: Equatable, Sendable {
    package var propagation: Propagation = .unified
    package var updates: UpdateMode = .immediate
    package var limits: SessionLimits = .init()
    /// Whether the session has UIKit's traits.
    package var hasSystemTraits = true

    package init() {}

    /// The format of what has the configuration.
    var neededFormat: Int64 { hasSystemTraits ? SessionHeader.writtenFormat : 3 }

    /// `"systemTraits":false` of the open object, unless the session has them.
    func writeSystemTraits(into writer: inout JSONWriter) {
        if !hasSystemTraits { writer.member("systemTraits", false) }
    }

    /// Reads `propagation`, `updates`, `systemTraits` and `limits` of the object.
    ///
    /// - Parameter server: the ceilings of the limits; nil when they were admitted once.
    /// - Throws: `unsupportedMode`, `malformedBody`.
    package init(_ object: ObjectReader, server: HierarchyLimits?) throws(SessionError) {
        propagation =
            try object.choice(
                "propagation", "`propagation` is unified (iOS 17 and later) or legacy (before)")
            ?? propagation
        updates =
            try object.choice(
                "updates",
                "`updates` is immediate (every commit ends with an update pass) or layout (writes mark, a layout updates)"
            ) ?? updates
        hasSystemTraits = try object.bool("systemTraits") ?? hasSystemTraits
        if let json = object["limits"] {
            limits = try within("/limits", try SessionLimits.read(json, server: server))
        }
    }
}

/// The limits a session asked for; each is at most the server's.
package struct SessionLimits: Equatable, Sendable {
    /// Empty when there is none.
    private var values: [Int?] = []

    nonisolated(unsafe) private static let members:
        [(name: StaticString, path: WritableKeyPath<HierarchyLimits, Int>)] = [
            ("nodesMax", \.nodesMax), ("depthMax", \.depthMax),
            ("registrationsMax", \.registrationsMax), ("customTraitsMax", \.customTraitsMax),
        ]

    var isEmpty: Bool { values.isEmpty }

    /// - Throws: `malformedBody` for values outside 1…the server's limit.
    static func read(_ json: JSONValue, server: HierarchyLimits?) throws(SessionError)
        -> SessionLimits
    {
        let object = try ObjectReader(json, "limits", members: members.map(\.name))
        var limits = SessionLimits()
        for (position, (name, path)) in members.enumerated() {
            guard let value = try object.integer(name) else { continue }
            let ceiling = server?[keyPath: path] ?? .max
            guard value >= 1, value <= Int64(ceiling) else {
                throw SessionError(
                    .malformedBody, "'\(name)' goes from 1 to the server's \(ceiling).",
                    pointer: "/\(name)")
            }
            if limits.isEmpty { limits.values = Array(repeating: nil, count: members.count) }
            limits.values[position] = Int(value)
        }
        return limits
    }

    package func hierarchyLimits(server: HierarchyLimits) -> HierarchyLimits {
        var limits = server
        for ((_, path), value) in zip(Self.members, values) {
            if let value { limits[keyPath: path] = value }
        }
        return limits
    }

    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for ((name, _), value) in zip(Self.members, values) {
            writer.member(name, ifPresent: value.map(Int64.init))
        }
        writer.endObject()
    }
}
