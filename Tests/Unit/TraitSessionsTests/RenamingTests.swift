// New names and copies: what follows a name, what a refusal and an undone commit leave, and what a restart reads.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

/// Definitions, nodes with all kinds of links, values, registrations, scopes and an environment value.
struct NamedStage {
    static func make(_ log: any SessionLog, updates: String = "immediate") throws -> (
        Process, Session
    ) {
        let process = Process(log, seed: 5)
        let session = try process.session("demo", #"{"updates":"\#(updates)"}"#)
        try process.commit(Self.operations, session)
        return (process, session)
    }

    /// Checks the session, and that its log rebuilds it.
    static func check(_ session: Session, _ log: any SessionLog) throws {
        session.withState { state in
            #expect(throws: Never.self) { try state.hierarchy.checkInvariants() }
        }
        let replica = try session.replica(log)
        #expect(replica.head == session.head && replica.digest == session.digest)
    }

    static let operations = #"""
        {"op":"defineTrait","trait":"level","definition":{"type":"int","default":0}},
        {"op":"defineTrait","trait":"theme","definition":{"type":"string","default":"plain"}},
        {"op":"defineEnvironmentKey","key":"bridge","definition":{"type":"int","default":0,"bridgedTrait":"level"}},
        {"op":"defineEnvironmentKey","key":"own","definition":{"type":"int","default":0}},
        {"op":"defineColor","color":"tint","definition":{"variants":[{"value":"red"},{"when":{"level":3},"value":"blue"}]}},
        {"op":"createNode","node":"home","kind":"windowScene"},
        {"op":"createNode","node":"home.w","kind":"window","parent":"home","overrides":{"level":1}},
        {"op":"createNode","node":"home.c","kind":"viewController","parent":"home.w"},
        {"op":"createNode","node":"home.v","kind":"view","parent":"home.w","controller":"home.c","supplied":{"theme":"x"}},
        {"op":"createNode","node":"home.t","kind":"view","parent":"home.v","label":"title","overrides":{"level":3}},
        {"op":"createNode","node":"home.u","kind":"view","parent":"home.v"},
        {"op":"setEnvironment","node":"home.t","key":"own","value":7},
        {"op":"setScope","node":"home.t","scope":"layoutSubviews","reads":["level"]},
        {"op":"setScope","node":"home.u","scope":"layoutSubviews","reads":["theme"]},
        {"op":"register","registration":"home.r","node":"home.t","traits":["level","systemTraitsAffectingImageLookup"],"colors":["tint"]}
        """#
}

@Suite("New names of nodes and traits")
struct RenamingTests {
    @Test("Everything follows a node's new name", arguments: ["immediate", "layout"])
    func nodes(updates: String) throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log, updates: updates)
        for (old, new) in [
            ("home.t", "title"), ("home.c", "a-controller-with-a-long-name"), ("home.v", "v"),
            ("home", "house"), ("home.u", "home.t"), ("home.w", "w"),
        ] {
            try process.commit(#"{"op":"renameNode","node":"\#(old)","to":"\#(new)"}"#, session)
            try NamedStage.check(session, log)
        }
        session.withState { state in
            let hierarchy = state.hierarchy
            guard let title = hierarchy.node("title"), let view = hierarchy.node("v"),
                let registration = hierarchy.registration(named: "home.r")
            else {
                Issue.record("a node is gone")
                return
            }
            #expect(hierarchy.parent(of: title) == view && hierarchy.label(of: title) == "title")
            #expect(hierarchy.registrationInfo(registration).node == title)
            #expect(hierarchy.scopes(of: title).count == 1)
            #expect(hierarchy.node("home") == nil)
        }
        let same = try process.commit(
            #"{"op":"renameNode","node":"w","to":"x"},{"op":"renameNode","node":"x","to":"w"}"#,
            session)
        #expect(same.isUnchanged)
        // Two nodes change their names.
        try process.commit(
            #"{"op":"renameNode","node":"w","to":"x"},{"op":"renameNode","node":"v","to":"w"},{"op":"renameNode","node":"x","to":"v"}"#,
            session)
        try NamedStage.check(session, log)
    }

    @Test("Everything follows a trait's new key", arguments: ["immediate", "layout"])
    func traits(updates: String) throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log, updates: updates)
        try process.commit(#"{"op":"renameTrait","trait":"level","to":"height"}"#, session)
        try NamedStage.check(session, log)
        session.withState { state in
            let definitions = state.hierarchy.definitions
            #expect(definitions.index(of: "level") == nil)
            #expect(definitions.environmentKey(named: "bridge")?.bridgedTrait == "height")
        }
        try process.commit(
            #"{"op":"setOverride","node":"home.u","trait":"height","value":9},{"op":"setEnvironment","node":"home.v","key":"bridge","value":2}"#,
            session)
        try NamedStage.check(session, log)
        // A registration that names the trait beside a set is the same one under the new key.
        try process.commit(
            #"{"op":"register","registration":"s","node":"home.u","traits":["height","systemTraitsAffectingImageLookup"]},{"op":"renameTrait","trait":"height","to":"level"},{"op":"renameTrait","trait":"theme","to":"look"}"#,
            session)
        try NamedStage.check(session, log)
        try process.commit(#"{"op":"unregister","registration":"s"}"#, session)
        try NamedStage.check(session, log)
        for (name, code) in [
            ("displayScale", SessionErrorCode.duplicateIdentifier),
            ("all", .duplicateIdentifier), ("level", .duplicateIdentifier),
            ("a b", .malformedIdentifier),
        ] {
            let error = #expect(throws: SessionError.self) {
                try process.commit(
                    #"{"op":"renameTrait","trait":"look","to":"\#(name)"}"#, session)
            }
            #expect(error?.code == code, "\(name): \(error?.detail ?? "")")
        }
        let error = #expect(throws: SessionError.self) {
            try process.commit(#"{"op":"renameTrait","trait":"displayScale","to":"x"}"#, session)
        }
        #expect(error?.code == .systemTrait)
    }

    @Test("A refused list and a dry run leave all names", arguments: ["immediate", "layout"])
    func refusals(updates: String) throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log, updates: updates)
        let digest = session.digest
        let error = #expect(throws: SessionError.self) {
            try process.commit(
                #"{"op":"renameTrait","trait":"level","to":"height"},{"op":"renameNode","node":"home.t","to":"home.x"},{"op":"defineTrait","trait":"level","definition":{"type":"bool","default":true}},{"op":"copyNode","node":"home","prefix":["home","h"],"registrations":true},{"op":"renameNode","node":"home.x","to":"home.u"}"#,
                session)
        }
        #expect(error?.code == .exists && error?.pointer == "/operations/4/to")
        #expect(session.digest == digest && session.head == 2)
        try NamedStage.check(session, log)
        try process.commit(#"{"op":"renameNode","node":"home.t","to":"t"}"#, session)
        try NamedStage.check(session, log)
    }

    @Test("A commit that the log refuses gives the names back", arguments: ["immediate", "layout"])
    func undone(updates: String) throws {
        let log = FailingLog()
        let (process, session) = try NamedStage.make(log, updates: updates)
        let digest = session.digest
        log.add(.refused())
        #expect(throws: SessionError.self) {
            try process.commit(
                #"{"op":"renameTrait","trait":"level","to":"height"},{"op":"renameNode","node":"home.t","to":"t"},{"op":"renameTrait","trait":"height","to":"size"}"#,
                session)
        }
        #expect(session.digest == digest && session.has("home.t") && !session.has("t"))
        try NamedStage.check(session, log)
        try process.commit(
            #"{"op":"setOverride","node":"home.t","trait":"level","value":5}"#, session)
        try NamedStage.check(session, log)
    }

    private static let spare = #"""
        {"op":"defineTrait","trait":"spare","definition":{"type":"int","default":0}},
        {"op":"register","registration":"s","node":"home.u","traits":["spare","systemTraitsAffectingImageLookup"]}
        """#

    @Test("A registration that ends with its trait does not follow another trait's new key")
    func endedRegistration() throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log)
        try process.commit(Self.spare, session)
        try process.commit(
            #"{"op":"unregister","registration":"s"},{"op":"deleteTrait","trait":"spare"},{"op":"renameTrait","trait":"level","to":"height"}"#,
            session)
        try NamedStage.check(session, log)
    }

    @Test("A registration that is undone with its trait does not follow another trait's former key")
    func undoneRegistration() throws {
        let log = FailingLog()
        let (process, session) = try NamedStage.make(log)
        let digest = session.digest
        log.add(.refused())
        #expect(throws: SessionError.self) {
            try process.commit(
                Self.spare + #",{"op":"renameTrait","trait":"level","to":"height"}"#, session)
        }
        #expect(session.digest == digest)
        try NamedStage.check(session, log)
    }
}
