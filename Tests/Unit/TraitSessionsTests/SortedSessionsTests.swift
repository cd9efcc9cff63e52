// The list of sessions stays sorted through everything that comes and goes.

import SeededRandom
import SessionLog
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("Sorted sessions")
struct SortedSessionsTests {
    @Test(
        "Pages are those of the sorted names, whatever came and went",
        arguments: [1, 2, 3] as [UInt64])
    func pages(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let store = SessionStore(
            limits: .quiet, environment: Clock().environment(seed: seed))
        var sorted = SortedSessions()
        var names: Set<String> = []
        for _ in 0..<6_000 {
            let name = "s\(random.below(3_000))"
            if names.contains(name) {
                sorted.remove(name)
                names.remove(name)
            } else {
                sorted.insert(store.own(store.makeState(name, SessionConfiguration())))
                names.insert(name)
            }
            sorted.remove("never-there")
        }
        let expected = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(sorted.after(nil, limit: .max).map(\.name) == expected, "seed \(seed)")
        for _ in 0..<200 {
            let name = "s\(random.below(3_100))"
            let limit = 1 + random.below(700)
            let page = sorted.after(name, limit: limit).map(\.name)
            let rest = expected.drop { !name.utf8.lexicographicallyPrecedes($0.utf8) }
            #expect(page == Array(rest.prefix(limit)), "after \(name), seed \(seed)")
            let all = try #require(NameRange(pattern: "*"))
            let near = sorted.names(near: name, in: all, reach: 3)
            let before = expected.filter { $0.utf8.lexicographicallyPrecedes(name.utf8) }.suffix(3)
            #expect(Set(near) == Set(before + rest.prefix(3)), "near \(name), seed \(seed)")
        }
    }
}
