// The header of a session, which is fixed when the session is made. The first entry of the session's log begins
// with the header, so a log alone is enough to build the session again.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

/// The payload of revision 1 holds this beside the first operations.
package struct SessionHeader: Sendable {
    /// The newest format of log entries and documents that this program reads. 2 has the type `json`, `deprecated`, the
    /// operations `updateTrait`, `renameNode` and `renameTrait`, the managers that a revert gives back, and overrides
    /// that end (`expiresAt`); 3 has definitions with `unit`, `css` or `since`, and `systemTraits`;
    /// 4 has values that temporary overrides cover (`over`, `under`). An entry without them is one of 1.
    package static let format: Int64 = 4
    /// The format of headers, and of entries and documents that need no newer one.
    package static let writtenFormat: Int64 = 1
    /// Rules that decide what a commit contains. A later change of such a rule gets a new number.
    /// A replay knows the rules of this number alone. 1 and 2 were used before the first release:
    /// in layout sessions of 1, windows and controllers showed writes with the next update only,
    /// in those of 2 window scenes did.
    package static let semantics: Int64 = 3
    /// The newest format that this program reads.
    package static let versions = LogVersions(format: format, semantics: semantics)

    package var name: String
    /// `[a-z0-9]{12}`, new at every creation: differs from every earlier session of that name.
    package var uid: String
    /// Milliseconds since 1970.
    package var createdAt: Int64
    package var configuration: SessionConfiguration
    /// The limits in force: those asked for, and the server's of the time for the others.
    package var effectiveLimits: HierarchyLimits

    /// `"header":{…}` of the open object.
    func write(into writer: inout JSONWriter) {
        writer.beginObject("header")
        writer.member("format", configuration.neededFormat)
        writer.member("semantics", Self.semantics)
        writer.member("name", name)
        writer.member("uid", uid)
        writer.member("createdAt", createdAt)
        writer.member("propagation", configuration.propagation.rawValue)
        writer.member("updates", configuration.updates.rawValue)
        configuration.writeSystemTraits(into: &writer)
        if !configuration.limits.isEmpty {
            writer.key("limits")
            configuration.limits.write(into: &writer)
        }
        writer.beginObject("effectiveLimits")
        for (name, path) in Self.limitMembers {
            writer.member(name, effectiveLimits[keyPath: path])
        }
        writer.endObject()
        writer.endObject()
    }

    /// - Throws: `malformedBody`, `unsupportedMode` for a format of a later version, or semantics of
    ///   another one.
    package init(_ json: JSONValue) throws(SessionError) {
        let object = try ObjectReader(
            json, "a session's header",
            members: [
                "format", "semantics", "name", "uid", "createdAt", "propagation", "updates",
                "systemTraits", "limits", "effectiveLimits",
            ])
        try Self.checkFormat(try object.requiredInteger("format"))
        try Self.checkSemantics(try object.requiredInteger("semantics"))
        name = try object.requiredString("name")
        uid = try object.requiredString("uid")
        createdAt = try object.requiredInteger("createdAt")
        guard Timestamp.range.contains(createdAt) else {
            throw SessionError(
                .malformedBody, "The time is of no year from 1970 to 9999.", pointer: "/createdAt")
        }
        configuration = try SessionConfiguration(object, server: nil)
        let limits = try ObjectReader(
            try object.required("effectiveLimits"), "limits",
            members: Self.limitMembers.map(\.name))
        effectiveLimits = HierarchyLimits()
        for (name, path) in Self.limitMembers {
            let value = try limits.requiredInteger(name)
            guard let value = Int32(exactly: value), value >= 0 else {
                throw SessionError(
                    .malformedBody, "The limit is no number from 0 to \(Int32.max).",
                    pointer: "/effectiveLimits/\(name)")
            }
            effectiveLimits[keyPath: path] = Int(value)
        }
    }

    init(
        name: String, uid: String, createdAt: Int64, configuration: SessionConfiguration,
        effectiveLimits: HierarchyLimits
    ) {
        self.name = name
        self.uid = uid
        self.createdAt = createdAt
        self.configuration = configuration
        self.effectiveLimits = effectiveLimits
    }

    private static func checkFormat(_ found: Int64) throws(SessionError) {
        if (1...format).contains(found) { return }
        throw SessionError(
            .unsupportedMode, "The format is \(found); this version reads up to \(format).",
            pointer: "/format")
    }

    private static func checkSemantics(_ found: Int64) throws(SessionError) {
        if found == semantics { return }
        let detail =
            found > semantics
            ? "The semantics are \(found); this version reads \(semantics). Use the version that "
                + "wrote the session."
            : "The semantics are \(found), of an earlier version; this version reads "
                + "\(semantics). Let the version that wrote the session export it as a document "
                + "(GET /v1/sessions/{session}/export), and import that here "
                + "(PUT /v1/sessions/{session}/import)."
        throw SessionError(.unsupportedMode, detail, pointer: "/semantics")
    }

    /// The limits that decide whether an operation is admitted.
    nonisolated(unsafe) private static let limitMembers:
        [(name: StaticString, path: WritableKeyPath<HierarchyLimits, Int>)] = [
            ("nodesMax", \.nodesMax), ("depthMax", \.depthMax),
            ("customTraitsMax", \.customTraitsMax), ("registrationsMax", \.registrationsMax),
            ("scopesMax", \.scopesMax), ("environmentKeysMax", \.environmentKeysMax),
            ("dynamicsMax", \.dynamicsMax), ("variantsMax", \.variantsMax),
            ("labelBytesMax", \.labelBytesMax),
            ("stringValueBytesMax", \.stringValueBytesMax),
            ("enumCasesMax", \.enumCasesMax), ("structFieldsMax", \.structFieldsMax),
        ]
}
