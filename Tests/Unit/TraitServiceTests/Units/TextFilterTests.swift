// `?q=` against a plain search for a substring.

import SeededRandom
import SessionViews
import Testing
import TraitSessions

@testable import TraitService

@Suite("The filter by text")
struct TextFilterTests {
    private static func filter(_ text: String) throws -> TextFilter? {
        let bytes = Array("q=\(text)".utf8)
        return try bytes.withUnsafeBytes { bytes in
            var query = Query()
            try query.parse(bytes, allowed: QueryParameterSet([.q]))
            return try TextFilter(query, bytesMax: ServiceLimits().filterBytesMax)
        }
    }

    @Test("finds every text that is there, with any repetition", arguments: 0..<20)
    func random(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        func text(_ count: Int) -> String {
            String((0..<count).map { _ in "aAbB"[Int.random(in: 0..<4, using: &random)] })
        }
        for _ in 0..<500 {
            let wanted = text(Int.random(in: 1...6, using: &random))
            let given = text(Int.random(in: 0...20, using: &random))
            let filter = try #require(try Self.filter(wanted))
            #expect(
                filter.matches(given) == given.lowercased().contains(wanted.lowercased()),
                "\(wanted) in \(given), seed \(seed)")
        }
    }

    @Test("takes 1 to 128 bytes; letters beyond ASCII match in their own case only")
    func bounds() throws {
        #expect(throws: Problem.self) { try Self.filter("") }
        #expect(throws: Problem.self) { try Self.filter(String(repeating: "x", count: 129)) }
        #expect(throws: Problem.self) { try Self.filter("%C3") }
        let long = String(repeating: "x", count: 128)
        #expect(try Self.filter(long)?.matches(long) == true)
        #expect(try Self.filter("%C3%A4")?.matches("Bär") == true)
        #expect(try Self.filter("%C3%84")?.matches("Bär") == false)
    }
}

extension String {
    fileprivate subscript(position: Int) -> Character { Array(self)[position] }
}
