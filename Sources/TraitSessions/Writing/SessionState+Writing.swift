// A session, its registrations and its scopes as answers show them.

import JSONCodec
import TraitEngine
import TraitJSON

extension SessionState {
    /// `{"name","uid","revision","createdAt","oldestRevision"?,"oldestTime"?,"propagation","updates","nodes",…}`.
    ///
    /// - Parameters:
    ///   - showsOldest: whether to write how far back the history reaches.
    ///   - showsPending: whether commits show that the log has not acknowledged.
    package func write(
        isDryRun: Bool = false, showsOldest: Bool = false, showsPending: Bool = true,
        into writer: inout JSONWriter
    ) {
        let isHead = showsPending || acknowledged == head
        writer.beginObject()
        writer.member("name", name)
        writer.member("uid", uid)
        writer.member("revision", isHead ? head : acknowledged)
        writer.member("createdAt", Timestamp.text(createdAt))
        if showsOldest {
            let oldest = oldestPast
            writer.member("oldestRevision", oldest.revision)
            writer.member("oldestTime", Timestamp.text(oldest.time))
        }
        writer.member("propagation", configuration.propagation.rawValue)
        writer.member("updates", configuration.updates.rawValue)
        configuration.writeSystemTraits(into: &writer)
        writer.member("nodes", isHead ? hierarchy.nodeCount : Int(queue.acknowledgedNodes))
        writer.member("durability", log?.properties.durability ?? "memory")
        if !configuration.limits.isEmpty {
            writer.key("limits")
            configuration.limits.write(into: &writer)
        }
        writer.flag("dryRun", when: isDryRun)
        writer.endObject()
    }
}

extension SessionState {
    /// `{"id","node","traits","colors"?,"images"?,"label"?,"ttl"?,"createdAt"}`.
    package func write(
        _ registration: RegistrationIndex, into writer: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let info = hierarchy.registrationInfo(registration)
        let definitions = hierarchy.definitions
        let note = note(of: info)
        writer.beginObject()
        writer.member("id", info.identifier ?? "")
        writer.member("node", info.node, of: hierarchy)
        RegistrationSubject(info).write(of: definitions, into: &writer)
        writer.member("label", ifPresent: note?.label)
        writer.member("ttl", ifPresent: note?.ttl)
        writer.member("createdAt", Timestamp.text(note?.createdAt ?? createdAt))
        more(&writer)
        writer.endObject()
    }
}

extension SessionState {
    /// `{"node","scope","invalidation","reads","stale","revision"}`.
    package func write(_ scope: ScopeInfo, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("node", scope.node, of: hierarchy)
        writer.member("scope", scope.name)
        writer.member("invalidation", scope.invalidation)
        writer.member("reads", keysOf: scope.reads, in: hierarchy.definitions)
        writer.member("stale", scope.isStale)
        writer.member("revision", scope.revision)
        writer.endObject()
    }
}
