// Servers of two versions over one log: while an older one is there, no session is made that the older one cannot
// follow.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite
struct MixedVersionTests {
    /// A log whose processes read what the test says.
    private final class VersionedLog: LogWrapper {
        let base: any SessionLog = MemoryLog()
        let versions = Mutex<LogVersions?>(nil)
        var commonVersions: LogVersions? { versions.withLock { $0 } }
    }

    @Test("A session is made only if all servers read what this one writes")
    func creation() throws {
        let log = VersionedLog()
        let process = Process(log, seed: 1)
        try process.store.follow()
        let present = try process.session("present", Operations.start)
        let own = SessionHeader.versions
        for older in [
            LogVersions(format: own.format, semantics: own.semantics - 1),
            LogVersions(format: SessionHeader.writtenFormat - 1, semantics: own.semantics),
        ] {
            log.versions.withLock { $0 = older }
            let error = #expect(throws: SessionError.self) {
                try process.session("next", Operations.start)
            }
            #expect(error?.code == .logUnavailable)
            #expect(error?.detail.contains("semantics \(older.semantics)") == true)
            #expect(process.store.find("next") == nil && log.base.names == ["present"])
            // Sessions that are there can be written.
            try process.commit(Operations.set(Int(older.semantics)), present)
        }
        for newer in [
            own, LogVersions(format: own.format + 1, semantics: own.semantics + 1), nil,
        ] {
            log.versions.withLock { $0 = newer }
            let session = try process.session("next", Operations.start)
            #expect(try process.delete(session))
        }
    }

    @Test("A revert that gives managers back is refused as long as a server cannot read it")
    func revertOfManagers() throws {
        let log = VersionedLog()
        let process = Process(log, seed: 2)
        let session = try process.session("demo", Operations.start)
        var options = ApplyOptions()
        options.manager = "ci"
        let document = #"{"nodes":[{"id":"n1","kind":"environment","overrides":{"level":1}}]}"#
        _ = try process.client.withDocument(document) { json throws(SessionError) in
            try process.client.carryOut(Proposal(.apply(json, options)), on: session)
        }
        let managed = try session.withState { state throws(SessionError) in try state.snapshot() }
        try process.commit(Operations.set(2), session)
        try process.commit(Operations.create("n2"), session)
        let plain = try session.withState { state throws(SessionError) in try state.snapshot() }
        try process.commit(Operations.create("n3"), session)
        func revert(to snapshot: SessionSnapshot) throws {
            let revert = Revert(to: snapshot.revision, try snapshot.session())
            _ = try process.client.carryOut(
                Proposal(.revert(revert), answer: .revert(revert.goal)), on: session)
        }
        log.versions.withLock {
            $0 = LogVersions(format: 1, semantics: SessionHeader.versions.semantics)
        }
        // What an older server can read is done.
        try revert(to: plain)
        #expect(!session.has("n3") && session.head == 6)
        let error = #expect(throws: SessionError.self) { try revert(to: managed) }
        #expect(error?.code == .logUnavailable)
        #expect(session.head == 6 && session.level == 2)
        log.versions.withLock { $0 = SessionHeader.versions }
        try revert(to: managed)
        #expect(session.head == 7 && session.level == 1)
        #expect(try session.replica(log).digest == session.digest)
    }
}

extension MixedVersionTests {
    @Test("A new name is given only if all servers read it, and sessions are made all the same")
    func newNames() throws {
        let log = VersionedLog()
        let process = Process(log, seed: 1)
        try process.store.follow()
        let own = SessionHeader.versions
        log.versions.withLock { $0 = LogVersions(format: 1, semantics: own.semantics) }
        let session = try process.session("present", Operations.start)
        for operation in [
            #"{"op":"renameNode","node":"n1","to":"n2"}"#,
            #"{"op":"renameTrait","trait":"level","to":"height"}"#,
        ] {
            let error = #expect(throws: SessionError.self) {
                try process.commit(operation, session)
            }
            #expect(error?.code == .logUnavailable)
        }
        #expect(session.has("n1") && session.head == 1)
        // A copy comes to operations that every server reads.
        try process.commit(#"{"op":"copyNode","node":"n1","to":"n2"}"#, session)
        log.versions.withLock { $0 = own }
        try process.commit(#"{"op":"renameNode","node":"n1","to":"n3"}"#, session)
        #expect(session.has("n3") && session.has("n2") && !session.has("n1"))
    }

    @Test("A write that needs a later format is refused while a server does not read it")
    func format() throws {
        let log = VersionedLog()
        let process = Process(log, seed: 1)
        try process.store.follow()
        let older = LogVersions(
            format: SessionHeader.writtenFormat, semantics: SessionHeader.semantics)
        log.versions.withLock { $0 = older }
        let session = try process.session("present", Operations.start)
        let plain = #"{"op":"defineTrait","trait":"p","definition":{"type":"int","default":0}}"#
        let writes = [
            #"{"op":"updateTrait","trait":"p","patch":{"default":1}}"#,
            #"{"op":"defineTrait","trait":"j","definition":{"type":"json","default":1}}"#,
            #"{"op":"defineEnvironmentKey","key":"k","definition":{"type":"json","default":1}}"#,
            #"{"op":"setOverride","node":"n1","trait":"level","value":1,"ttl":5}"#,
        ]
        try process.commit(plain, session)
        let head = session.head
        for write in writes {
            let error = #expect(throws: SessionError.self, "\(write)") {
                try process.commit(write, session)
            }
            #expect(error?.code == .logUnavailable)
            #expect(error?.detail.contains("format 1") == true)
            #expect(error?.detail.contains("format 2") == true)
        }
        #expect(session.head == head)
        log.versions.withLock { $0 = SessionHeader.versions }
        for write in writes { try process.commit(write, session) }
        #expect(session.head == head + 4)
    }
}

extension SessionLog {
    fileprivate var names: [String]? { try? sessions().map(\.name) }
}
