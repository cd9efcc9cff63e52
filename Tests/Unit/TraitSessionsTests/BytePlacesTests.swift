// A combining mark behind a separator hides it from a search by characters.

import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("Text cut at bytes")
struct BytePlacesTests {
    @Test("A combining mark or a line feed behind a separator does not hide it")
    func marks() {
        #expect("TRAITD_TOKENS=\u{301}x".cut(at: UInt8(ascii: "="))?.before == "TRAITD_TOKENS")
        #expect("a,\u{301}b,\r\n,".parts(at: UInt8(ascii: ",")) == ["a", "\u{301}b", "\r\n", ""])
        #expect("a/b/\u{301}c".cutAtLast(UInt8(ascii: "/"))?.before == "a/b")
        #expect("TRAITD_\u{301}TOKENS".begins(with: "TRAITD_"))
        #expect("none".cut(at: UInt8(ascii: "=")) == nil)
        #expect("".parts(at: UInt8(ascii: ",")) == [""])
    }

    @Test("Ranges of names are disjoint, and only patterns that are ranges make some")
    func ranges() {
        let scope = SessionScope(["team-*", "team-a", "b", "b", "a?c", "x*y", "te*"])
        #expect(scope.ranges.map(\.first) == ["b", "te"])
        #expect(!scope.isAllRanges)
        #expect(SessionScope(["b", "a*"]).isAllRanges)
    }
}
