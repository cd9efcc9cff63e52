// A session, its registrations and its scopes as answers show them. All of it runs while the lock
// is held.

import JSONCodec
import TraitEngine

extension Session {
    /// `{"name","uid","revision","createdAt","propagation","updates","nodes",…}`.
    package func write(isDryRun: Bool = false, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.value(name)
        writer.key("uid")
        writer.value(uid)
        writer.key("revision")
        writer.value(head)
        writer.key("createdAt")
        writer.value(Timestamp.text(createdAt))
        writer.key("propagation")
        writer.value(configuration.propagation.rawValue)
        writer.key("updates")
        writer.value(configuration.updates.rawValue)
        writer.key("nodes")
        writer.value(hierarchy.nodeCount)
        writer.key("durability")
        writer.value(log.properties.durability)
        if !configuration.limits.isEmpty {
            writer.key("limits")
            configuration.limits.write(into: &writer)
        }
        if isDryRun {
            writer.key("dryRun")
            writer.value(true)
        }
        writer.endObject()
    }
}

extension Session {
    /// `{"id","node","traits","colors"?,"images"?,"label"?,"ttl"?,"createdAt"}`.
    package func write(
        _ registration: RegistrationIndex, into writer: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let info = hierarchy.registrationInfo(registration)
        let definitions = hierarchy.definitions
        let note = note(of: info)
        writer.beginObject()
        writer.key("id")
        writer.value(info.identifier ?? "")
        writer.key("node")
        hierarchy.withIdentifier(of: info.node) { writer.value(bytes: $0) }
        RegistrationSubject(info).write(of: definitions, into: &writer)
        if let label = note?.label {
            writer.key("label")
            writer.value(label)
        }
        if let ttl = note?.ttl {
            writer.key("ttl")
            writer.value(ttl)
        }
        writer.key("createdAt")
        writer.value(Timestamp.text(note?.createdAt ?? createdAt))
        more(&writer)
        writer.endObject()
    }
}

extension Session {
    /// `{"node","scope","invalidation","reads","stale","revision"}`.
    package func write(_ scope: ScopeInfo, into writer: inout JSONWriter) {
        let definitions = hierarchy.definitions
        writer.beginObject()
        writer.key("node")
        hierarchy.withIdentifier(of: scope.node) { writer.value(bytes: $0) }
        writer.key("scope")
        writer.value(scope.name)
        writer.key("invalidation")
        writer.value(scope.invalidation)
        writer.key("reads")
        writer.beginArray()
        for trait in definitions.inCatalogueOrder(scope.reads) {
            writer.value(definitions[trait].key)
        }
        writer.endArray()
        writer.key("stale")
        writer.value(scope.isStale)
        writer.key("revision")
        writer.value(scope.revision)
        writer.endObject()
    }
}
