// Copies of parts of a tree: what a copy has, where it stands, which names it gets, and what bounds it.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Copies of nodes")
struct CopyingTests {
    @Test(
        "A copy has the links, values, labels and order of the original, and registrations on request"
    )
    func content() throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log)
        try process.commit(
            #"{"op":"moveNode","node":"home.u","before":"home.t"},{"op":"copyNode","node":"home","to":"away","registrations":true}"#,
            session)
        // All names begin with the name of the root, so `to` is enough.
        #expect(
            session.withState { $0.hierarchy.nodeCount } == 12 && session.has("away.t"))
        try NamedStage.check(session, log)
        session.withState { state in
            let hierarchy = state.hierarchy
            guard let title = hierarchy.node("away.t"), let view = hierarchy.node("away.v"),
                let other = hierarchy.node("away.u"), let controller = hierarchy.node("away.c"),
                let level = hierarchy.definitions.index(of: "level"),
                let registration = hierarchy.registration(named: "away.r")
            else {
                Issue.record("a copy is missing")
                return
            }
            #expect(hierarchy.parent(of: title) == view && hierarchy.label(of: title) == "title")
            #expect(hierarchy.controller(of: view) == controller)
            #expect(hierarchy.siblingBefore(title) == other)
            #expect(hierarchy.override(level, of: title) == .int(3))
            #expect(hierarchy.scopes(of: title).isEmpty)
            let info = hierarchy.registrationInfo(registration)
            #expect(info.node == title && info.colors == ["tint"])
            let former = hierarchy.registration(named: "home.r").map(hierarchy.registrationInfo)
            #expect(info.traits == former?.traits)
            #expect(state.note(of: info)?.asked == former.flatMap { state.note(of: $0) }?.asked)
            #expect((try? hierarchy.ownEnvironment("own", of: title)) == .int(7))
        }
    }

    @Test("A copy stands below another parent, at a place among siblings, and has so many levels")
    func places() throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log)
        try process.commit(
            #"{"op":"copyNode","node":"home.t","to":"first","before":"home.t"},{"op":"copyNode","node":"home.v","prefix":["home","flat"],"parent":"home.u","depth":0},{"op":"copyNode","node":"home.u","to":"free","prefix":["flat","in"],"parent":null}"#,
            session)
        try NamedStage.check(session, log)
        session.withState { state in
            let hierarchy = state.hierarchy
            #expect(
                hierarchy.node("first").flatMap { hierarchy.siblingBehind($0) }
                    == hierarchy.node("home.t"))
            #expect(
                hierarchy.node("flat.v").flatMap { hierarchy.parent(of: $0) }
                    == hierarchy.node("home.u"))
            #expect(hierarchy.node("flat.t") == nil)
            #expect(hierarchy.node("free").map { hierarchy.parent(of: $0) } == .some(nil))
            #expect(
                hierarchy.node("in.v").flatMap { hierarchy.parent(of: $0) }
                    == hierarchy.node("free"))
        }
    }

    @Test("Names that clash are all listed, and nothing is copied")
    func clashes() throws {
        let log = MemoryLog()
        let (process, session) = try NamedStage.make(log)
        try process.commit(
            #"{"op":"renameNode","node":"home.u","to":"other"},{"op":"createNode","node":"x.t","kind":"environment"}"#,
            session)
        let head = session.head
        for (copy, names) in [
            // One name is taken, one has not the prefix, and so has the registration's.
            (
                #""node":"home.v","prefix":["home","x"],"registrations":true"#,
                ["x.t", "other"]
            ),
            (#""node":"home.v","to":"x.t""#, ["x.t", "home.t", "other"]),
            (#""node":"home.t","to":"home.t""#, ["home.t"]),
            (#""node":"home.v","to":"v","prefix":["home.t","v"]"#, ["v", "other"]),
        ] {
            let error = #expect(throws: SessionError.self) {
                try process.commit(#"{"op":"copyNode",\#(copy)}"#, session)
            }
            #expect(error?.code == .exists, "\(copy): \(error?.detail ?? "")")
            let listed = error?.facts.compactMap { fact -> String? in
                if case .json(let text) = fact.value {
                    String(decoding: text, as: UTF8.self)
                } else {
                    nil
                }
            }
            let wanted = "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            #expect(listed == [wanted], "\(copy)")
        }
        for (copy, code) in [
            (#""node":"home.t""#, SessionErrorCode.missingMember),
            (#""node":"home.t","to":"a b""#, .malformedIdentifier),
            (#""node":"home.t","prefix":["home"]"#, .malformedBody),
            (#""node":"home.t","to":"t","depth":-1"#, .malformedBody),
            (
                #""node":"home.t","to":"t","before":"home.c"}"#.replacing("}", with: ""),
                .notSiblings
            ),
            (#""node":"none","to":"t""#, .unknownNode),
        ] {
            let error = #expect(throws: SessionError.self) {
                try process.commit(#"{"op":"copyNode",\#(copy)}"#, session)
            }
            #expect(error?.code == code, "\(copy): \(error?.detail ?? "")")
        }
        #expect(session.head == head)
        try NamedStage.check(session, log)
    }

    @Test("A copy of 2,000 levels is made without recursion, and one too large is refused")
    func bounds() throws {
        let log = MemoryLog()
        var limits = ServiceLimits.quiet
        limits.updatedNodesMax = 3_000
        limits.hierarchy.depthMax = 2_200
        let process = Process(log, seed: 5, limits: limits)
        let session = try process.session()
        var operations = [#"{"op":"createNode","node":"a0","kind":"environment"}"#]
        for level in 1..<2_000 {
            operations.append(
                #"{"op":"createNode","node":"a\#(level)","kind":"environment","parent":"a\#(level - 1)"}"#
            )
        }
        try process.commit(operations.joined(separator: ","), session)
        try process.commit(
            #"{"op":"copyNode","node":"a0","prefix":["a","b"]}"#, session)
        #expect(session.withState { $0.hierarchy.nodeCount } == 4_000)
        try NamedStage.check(session, log)
        // Below the last node the copy would be too deep.
        let deep = #expect(throws: SessionError.self) {
            try process.commit(
                #"{"op":"copyNode","node":"a0","prefix":["a","c"],"parent":"a1999"}"#, session)
        }
        #expect(deep?.code != nil && session.head == 3)
        try process.commit(#"{"op":"moveNode","node":"b0","parent":"a0"}"#, session)
        let large = #expect(throws: SessionError.self) {
            try process.commit(
                #"{"op":"copyNode","node":"a0","to":"c","prefix":["a","c"]}"#, session)
        }
        #expect(large?.code == .transactionTooLarge, "\(large?.detail ?? "")")
        // Together they are too many, too, though each alone is not.
        let both = #expect(throws: SessionError.self) {
            try process.commit(
                #"{"op":"copyNode","node":"b0","prefix":["b","c"]},{"op":"copyNode","node":"b0","prefix":["b","d"]}"#,
                session)
        }
        #expect(both?.code == .transactionTooLarge, "\(both?.detail ?? "")")
        #expect(session.head == 4)
        try NamedStage.check(session, log)
    }
}
