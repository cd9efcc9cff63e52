// Tokens, durations, timestamps, identifiers, suggestions: small parsers with sharp edges.

import SeededRandom
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitService
@testable import TraitSessions

struct SmallPartsTests {
    @Test("Tokens read back what they say")
    func tokens() {
        let uid = "abc123def456"
        for position in [
            StreamPosition(revision: 0), StreamPosition(revision: 7),
            StreamPosition(revision: (1 << 53) - 1), StreamPosition(revision: 7, part: 0),
            StreamPosition(revision: 7, part: 12_345),
        ] {
            let token = StreamToken(uid: uid, position: position, filter: "00ff00ff")
            #expect(StreamToken(token.text) == token)
        }
        #expect(StreamToken("abc123def456.7")?.filter == nil)
        #expect(StreamToken("abc123def456.7.3-00ff00ff")?.position.part == 3)
    }

    @Test(
        "Whatever is no token is refused",
        arguments: [
            "", ".", "abc123def456", "abc123def456.", "abc123def456.-1", "abc123def456.+1",
            "abc123def456.1.", "abc123def456.1.2", "abc123def456.1.2-", "abc123def456.1.2-xyz",
            "ABC123def456.1", "abc123def45.1", "abc123def456.9007199254740992",
            "abc123def456.99999999999999999999", "abc123def456.1.2-00ff00ff.3",
            "abc123def456.1.99999999999-00ff00ff", "abc123def456. 1",
        ])
    func malformedTokens(_ text: String) {
        #expect(StreamToken(text) == nil)
    }

    @Test("Durations have a unit, but for nought")
    func durations() {
        #expect(QueryDuration.milliseconds("30s") == 30_000)
        #expect(QueryDuration.milliseconds("500ms") == 500)
        #expect(QueryDuration.milliseconds("2m") == 120_000)
        #expect(QueryDuration.milliseconds("0") == 0)
        for text in ["", "s", "30", "-1s", "1.5s", "1h", "1 s", "9999999999s", "30S"] {
            #expect(QueryDuration.milliseconds(text) == nil, "\(text)")
        }
    }

    @Test("Timestamps are right at the turns of days, months, leap years and centuries")
    func timestamps() {
        #expect(Timestamp.text(0) == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp.text(951_782_399_999) == "2000-02-28T23:59:59.999Z")
        #expect(Timestamp.text(951_782_400_000) == "2000-02-29T00:00:00.000Z")
        #expect(Timestamp.text(951_868_800_000) == "2000-03-01T00:00:00.000Z")
        #expect(Timestamp.text(1_704_067_199_001) == "2023-12-31T23:59:59.001Z")
        #expect(Timestamp.text(4_107_542_400_000) == "2100-03-01T00:00:00.000Z")
        #expect(Timestamp.text(253_402_300_799_999) == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.text(.max) == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.text(.min) == "1970-01-01T00:00:00.000Z")
    }

    @Test("Identifiers are 1 to 128 unreserved characters and no dot segments")
    func identifiers() {
        for good in ["a", "A-1.b_c~", "...", "-", String(repeating: "x", count: 128)] {
            #expect(Identifier.isValid(good), "\(good)")
        }
        for bad in [
            "", ".", "..", "a/b", "a b", "a%20", "ä", "a\0", String(repeating: "x", count: 129),
        ] {
            #expect(!Identifier.isValid(bad), "\(bad)")
        }
    }

    @Test("Suggestions forgive case, separators and slips, and stay silent otherwise")
    func suggestions() {
        let names = ["userInterfaceStyle", "displayScale", "theme"]
        #expect(
            Suggestion.nearest(to: "user_interface_style", among: names) == "userInterfaceStyle")
        #expect(Suggestion.nearest(to: "userInterfacStyle", among: names) == "userInterfaceStyle")
        #expect(Suggestion.nearest(to: "thmee", among: names) == "theme")
        #expect(Suggestion.nearest(to: "xyzzy", among: names) == nil)
        #expect(Suggestion.nearest(to: "", among: names) == nil)
        #expect(Suggestion.nearest(to: String(repeating: "t", count: 500), among: names) == nil)
    }

    @Test("The nearest name is found as by comparing whole tables of distances")
    func nearest() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let names = (0..<6).map { _ in Self.name(&random) }
            let wanted = Self.name(&random)
            let bound = min(max(1, wanted.count / 3), Suggestion.distanceMax)
            let distances = names.map { Self.distance(Array(wanted.utf8), Array($0.utf8)) }
            let least = distances.min() ?? 0
            let expected = least <= bound ? distances.firstIndex(of: least).map { names[$0] } : nil
            #expect(
                Suggestion.nearest(to: wanted, among: names) == expected, "\(wanted) of \(names)")
        }
    }

    @Test("A suggestion takes a bounded number of steps, however many names there are and alike")
    func suggestionSteps() {
        let stem = String(repeating: "a", count: 60)
        for names in [
            (0..<100_000).map { "\(stem)\($0 % 1_000)" }, (0..<100_000).map { "n\($0)" },
        ] {
            var steps = 0
            _ = Suggestion.nearest(to: stem + "xyzw", among: names, steps: &steps)
            #expect(steps <= Suggestion.stepsMax + 1_000)
        }
    }

    private static func name(_ random: inout SeededRandom) -> String {
        String((0..<1 + random.below(9)).compactMap { _ in random.pick(Array("abc")) })
    }

    /// Optimal string alignment distance by its definition.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var table = [[Int]](
            repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    table[i][j] = i + j
                    continue
                }
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                var least = min(
                    table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    least = min(least, table[i - 2][j - 2] + 1)
                }
                table[i][j] = least
            }
        }
        return table[a.count][b.count]
    }

    @Test(
        "Every problem has a title, words that help, a status of an error and a code in kebab case")
    func problems() {
        for code in ProblemCode.allCases {
            #expect(!code.title.isEmpty)
            #expect(code.explanation.hasSuffix("."))
            #expect((400..<600).contains(code.status))
            #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
        }
    }

    @Test("A pointer's tokens are escaped")
    func pointers() {
        #expect("a/b~c".pointerToken == "a~1b~0c")
    }
}
