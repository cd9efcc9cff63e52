// A struct that takes a further field while values are stored: what changes at which places, and the way back.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Further fields of a struct with values")
struct FurtherFieldTests {
    private static let operations = #"""
        {"op":"defineTrait","trait":"box","definition":{"type":"struct","fields":{"w":"int"},"nullable":true,"default":{"w":1}}},
        {"op":"defineEnvironmentKey","key":"plain","definition":{"type":"struct","fields":{"w":"int"},"nullable":true,"default":{"w":5},"bridgedTrait":"box"}},
        {"op":"defineEnvironmentKey","key":"mapped","definition":{"type":"string","default":"?","bridgedTrait":"box","map":[{"environment":"two","trait":{"w":2}}]}},
        {"op":"defineColor","color":"tint","definition":{"variants":[{"value":"red"},{"when":{"box":{"w":2}},"value":"blue"},{"when":{"box":{"w":1}},"value":"green"}]}},
        {"op":"createNode","node":"s","kind":"windowScene"},
        {"op":"createNode","node":"w","kind":"window","parent":"s","supplied":{"box":{"w":3}}},
        {"op":"createNode","node":"a","kind":"view","parent":"w","overrides":{"box":{"w":2}}},
        {"op":"createNode","node":"leaf","kind":"view","parent":"a"},
        {"op":"createNode","node":"lone","kind":"view","parent":"a"},
        {"op":"createNode","node":"none","kind":"view","parent":"w","overrides":{"box":null}},
        {"op":"setOverride","node":"leaf","trait":"box","value":{"w":7},"ttl":60},
        {"op":"register","registration":"of-s","node":"s","traits":["box"],"colors":["tint"]},
        {"op":"register","registration":"of-w","node":"w","traits":["box"]},
        {"op":"register","registration":"of-a","node":"a","traits":["box"],"colors":["tint"]},
        {"op":"register","registration":"of-lone","node":"lone","traits":["box"]},
        {"op":"register","registration":"of-none","node":"none","traits":["box"]},
        {"op":"register","registration":"other","node":"a","traits":["userInterfaceStyle"]},
        {"op":"register","registration":"tinted","node":"a","colors":["tint"]}
        """#

    private static let further =
        #"{"op":"updateTrait","trait":"box","patch":{"fields":{"h":"int"},"default":{"h":9}}}"#

    /// `lone` is detached and keeps `{"w":2}`.
    private static func make(_ log: any SessionLog, _ updates: String) throws -> (Process, Session)
    {
        let process = Process(log, seed: 5)
        let session = try process.session("demo", #"{"updates":"\#(updates)"}"#)
        try process.commit(operations, session)
        if updates == "layout" { try process.commit(#"{"op":"layout"}"#, session) }
        try process.commit(#"{"op":"updateNode","node":"lone","parent":null}"#, session)
        return (process, session)
    }

    private static func values(_ session: Session) -> [String: TraitValue] {
        session.withState { state in
            let hierarchy = state.hierarchy
            guard let trait = hierarchy.definitions.index(of: "box") else { return [:] }
            var values: [String: TraitValue] = [:]
            for name in ["s", "w", "a", "leaf", "lone", "none"] {
                values[name] = hierarchy.node(name).map { hierarchy.value(of: trait, at: $0) }
            }
            return values
        }
    }

    /// The changes of each registration, as JSON.
    private static func changes(_ outcome: CommitOutcome) -> [String: String] {
        var changes: [String: String] = [:]
        for note in outcome.notes {
            guard case .change(let note) = note, let id = note.id else { continue }
            changes[id] = String(decoding: note.changes, as: UTF8.self)
            if !note.colors.isEmpty {
                changes[id]? += " " + String(decoding: note.colors, as: UTF8.self)
            }
        }
        return changes
    }

    private static func box(_ numbers: Int64...) -> TraitValue {
        .structure(numbers.map(TraitValue.int))
    }

    @Test(
        "Each stored value takes the field, and what resolves to the value is notified",
        arguments: ["immediate", "layout"])
    func stored(updates: String) throws {
        let log = MemoryLog()
        let (process, session) = try Self.make(log, updates)
        let outcome = try process.commit(Self.further, session)
        #expect(
            Self.values(session) == [
                "s": Self.box(1, 9), "w": Self.box(3, 9), "a": Self.box(2, 9),
                "leaf": Self.box(7, 9), "lone": Self.box(2, 9), "none": .null,
            ])
        func change(_ before: String, _ after: String, _ source: String) -> String {
            #"[{"trait":"box","previous":{"w":\#(before)},"current":{"w":\#(after)},"source":{\#(source)}}]"#
        }
        // A detached node of a layout session shows what it did until it is updated.
        let lone =
            updates == "layout"
            ? #""kind":"override","node":"a","revision":2"#
            : #""kind":"kept","node":"lone","revision":\#(session.head - 1)"#
        #expect(
            Self.changes(outcome) == [
                "of-s": change("1", #"1,"h":9"#, #""kind":"default""#),
                "of-w": change("3", #"3,"h":9"#, #""kind":"supplied","node":"w","revision":2"#),
                "of-a": change("2", #"2,"h":9"#, #""kind":"override","node":"a","revision":2"#),
                "of-lone": change("2", #"2,"h":9"#, lone),
            ])
        session.withState { state in
            let definitions = state.hierarchy.definitions
            let plain = definitions.environmentKey(named: "plain")
            #expect(plain?.defaultValue == Self.box(5, 9))
            let mapped = definitions.environmentKey(named: "mapped")
            #expect(mapped?.map.map(\.trait) == [Self.box(2, 9)])
        }
        try NamedStage.check(session, log)
        // The digest is that of a session that has the fields from the beginning.
        try process.commit(
            #"{"op":"setOverride","node":"a","trait":"box","value":{"w":2,"h":9}}"#, session)
        #expect(session.head == outcome.revision)
        try session.writeSnapshot()
        try NamedStage.check(session, log)
        if updates == "layout" {
            // No node waits for another value.
            #expect(Self.changes(try process.commit(#"{"op":"layout"}"#, session)).isEmpty)
        }
    }

    @Test(
        "A refused transaction, and a commit that the log refuses, give the former values back",
        arguments: ["immediate", "layout"])
    func undone(updates: String) throws {
        let log = FailingLog()
        let (process, session) = try Self.make(log, updates)
        let (digest, head, values) = (session.digest, session.head, Self.values(session))
        let layout = updates == "layout" ? #",{"op":"layout"}"# : ""
        let transactions = [
            Self.further,
            #"{"op":"setOverride","node":"a","trait":"box","value":{"w":4}},"# + Self.further,
            Self.further + #",{"op":"setOverride","node":"a","trait":"box","value":{"w":2,"h":3}}"#
                + #",{"op":"deleteNode","node":"leaf"}"# + layout,
            Self.further + #",{"op":"updateNode","node":"leaf","parent":null},"#
                + Self.further.replacing(#""h""#, with: #""d""#),
            #"{"op":"deleteNode","node":"leaf"},{"op":"deleteEnvironmentKey","key":"plain"},"#
                + Self.further
                + #",{"op":"updateTrait","trait":"box","patch":{"type":"json"}}"#,
        ]
        for transaction in transactions {
            log.add(.refused())
            #expect(throws: SessionError.self) { try process.commit(transaction, session) }
            #expect(session.digest == digest && session.head == head, "\(transaction)")
            try NamedStage.check(session, log)
            #expect(throws: SessionError.self) {
                try process.commit(transaction + #",{"op":"deleteNode","node":"no"}"#, session)
            }
            #expect(session.digest == digest && session.head == head, "\(transaction)")
            #expect(Self.values(session) == values)
            try NamedStage.check(session, log)
        }
        try process.commit(Self.further, session)
        try process.commit(#"{"op":"removeOverride","node":"leaf","trait":"box"}"#, session)
        if updates == "layout" { try process.commit(#"{"op":"layout"}"#, session) }
        #expect(Self.values(session)["leaf"] == Self.box(2, 9))
        try NamedStage.check(session, log)
    }

    @Test(
        "Writes and further fields of one transaction are compared as a whole",
        arguments: ["immediate", "layout"])
    func together(updates: String) throws {
        let log = MemoryLog()
        let (process, session) = try Self.make(log, updates)
        let outcome = try process.commit(
            #"{"op":"setOverride","node":"a","trait":"box","value":{"w":4}},"# + Self.further
                + #",{"op":"updateTrait","trait":"box","patch":{"fields":{"d":"bool"},"default":{"d":true}}}"#
                + #",{"op":"setSupplied","node":"w","trait":"box","value":{"w":3,"h":0,"d":false}},{"op":"layout"}"#
                + #",{"op":"updateNode","node":"leaf","parent":null}"#,
            session)
        let changes = Self.changes(outcome)
        #expect(
            changes["of-a"]?.hasPrefix(
                #"[{"trait":"box","previous":{"w":2},"current":{"w":4,"h":9,"d":true}"#) == true,
            "\(changes)")
        // The color was that of {"w":2}, and no variant is for the new value.
        #expect(
            changes["of-a"]?.hasSuffix(#"[{"color":"tint","previous":"blue","current":"red"}]"#)
                == true, "\(changes)")
        #expect(
            changes["of-w"]?.hasPrefix(
                #"[{"trait":"box","previous":{"w":3},"current":{"w":3,"h":0,"d":false}"#) == true,
            "\(changes)")
        #expect(changes["of-s"]?.contains("tint") == false && changes["other"] == nil)
        #expect(Self.values(session)["lone"] == .structure([.int(2), .int(9), .bool(true)]))
        try NamedStage.check(session, log)
    }

    @Test("A value that is detached in the same transaction is kept with the field")
    func kept() throws {
        let log = MemoryLog()
        let (process, session) = try Self.make(log, "immediate")
        try process.commit(#"{"op":"removeOverride","node":"leaf","trait":"box"}"#, session)
        try process.commit(
            Self.further + #",{"op":"updateNode","node":"leaf","parent":null}"#, session)
        #expect(Self.values(session)["leaf"] == Self.box(2, 9))
        try NamedStage.check(session, log)
    }
}
