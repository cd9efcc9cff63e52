// The table of sessions finds what a dictionary finds, through everything that comes and goes.

import SeededRandom
import SessionLog
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("Table of sessions")
struct SessionTableTests {
    @Test(
        "Names lead to their sessions, whatever came and went", arguments: [1, 2, 3] as [UInt64])
    func names(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let store = SessionStore(
            limits: .quiet, environment: Clock().environment(seed: seed))
        var table = SessionTable(seed: seed)
        var known: [String: Session] = [:]
        for _ in 0..<4_000 {
            // Lengths around those of a word, where the comparison goes on to the next one.
            let name = String(repeating: "s", count: random.below(19)) + "\(random.below(40))"
            if known[name] != nil, random.below(3) > 0 {
                table.remove(name)
                known[name] = nil
            } else {
                let session = store.own(store.makeState(name, SessionConfiguration()))
                table.insert(session)
                known[name] = session
            }
            table.remove("never-there")
        }
        #expect(table.count == known.count, "seed \(seed)")
        for length in 0..<19 {
            for number in 0..<40 {
                let name = String(repeating: "s", count: length) + "\(number)"
                #expect(table[name] === known[name], "\(name), seed \(seed)")
                let bytes = Array(name.utf8)
                let found = bytes.withUnsafeBytes { table[$0] }
                #expect(found === known[name], "bytes of \(name), seed \(seed)")
            }
        }
    }

    @Test("A name that differs in one byte is another name")
    func bytes() {
        let store = SessionStore(
            limits: .quiet, environment: Clock().environment(seed: 1))
        for count in 1...40 {
            let name = String(repeating: "a", count: count)
            var table = SessionTable(seed: 0)
            table.insert(store.own(store.makeState(name, SessionConfiguration())))
            for place in 0..<count {
                var other = Array(name.utf8)
                other[place] = UInt8(ascii: "b")
                #expect(other.withUnsafeBytes { table[$0] } == nil, "\(count) bytes, at \(place)")
            }
            #expect(table[name] != nil && table[name + "a"] == nil && table[""] == nil)
        }
    }

    @Test("Noted sessions come in the order in which they were noted first")
    func noted() {
        let store = SessionStore(
            limits: .quiet, environment: Clock().environment(seed: 1))
        let sessions = (0..<100).map {
            store.own(store.makeState("s\($0)", SessionConfiguration()))
        }
        let noted = NotedSessions()
        for session in sessions.shuffled() { noted.note(session) }
        #expect(noted.takeAll().count == 100 && noted.takeAll().isEmpty)
        for session in sessions + sessions.reversed() { noted.note(session) }
        #expect(noted.keep().map(\.name) == sessions.map(\.name))
        noted.keep { $0.name.hasSuffix("7") }
        #expect(noted.takeAll().map(\.name) == sessions.map(\.name).filter { $0.hasSuffix("7") })
    }

    @Test("A session from the log takes the place of one that another request has just made")
    func replaced() {
        let store = SessionStore(
            limits: .quiet, environment: Clock().environment(seed: 1))
        let (lost, won) = (
            store.own(store.makeState("s", SessionConfiguration())),
            store.own(store.makeState("s", SessionConfiguration()))
        )
        #expect(store.insertAppended(lost) === lost)
        #expect(store.insertAppended(won) === won)
        store.remove(lost)
        #expect(store.find("s") === won)
        #expect(store.page(after: nil, limit: 9).map(\.uid) == [won.uid])
        store.remove(won)
        #expect(store.page(after: nil, limit: 9).isEmpty)
    }
}
