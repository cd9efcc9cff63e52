// The parts of tokens by themselves: their text, the patterns of sessions, times.

import SessionViews
import Testing
import TraitJSON
import TraitSessions

@testable import TraitService

@Suite("Parts of tokens")
struct TokenPartTests {
    @Test("A token is read back, and one wrong character anywhere is found")
    func text() throws {
        let (token, hash) = TokenText.make(accessor: "k7f3m2pq")
        #expect(token.utf8.count == TokenText.bytes)
        let bytes = Array(token.utf8)
        try bytes.withUnsafeBytes { bytes in
            let parts = try TokenText.parse(bytes)
            #expect(parts.accessor.elementsEqual("k7f3m2pq".utf8))
            #expect(TokenHash(of: parts.secret) == hash)
        }
        for index in bytes.indices {
            var wrong = bytes
            wrong[index] = wrong[index] == 0x61 ? 0x62 : 0x61
            _ = wrong.withUnsafeBytes { wrong in
                #expect(throws: TokenText.Fault.self) { try TokenText.parse(wrong) }
            }
        }
        for count in [0, 1, 7, bytes.count - 1] {
            _ = Array(bytes.prefix(count)).withUnsafeBytes { short in
                #expect(throws: TokenText.Fault.form) { try TokenText.parse(short) }
            }
        }
    }

    @Test("Hashes are SHA-256")
    func hash() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let hash = Array("abc".utf8).withUnsafeBytes { TokenHash(of: $0) }
        #expect(hash.hex == known)
        #expect(TokenHash(hex: known) == hash)
        for digit in [0, 20, 40, 63] {
            var other = Array(known)
            other[digit] = other[digit] == "0" ? "1" : "0"
            #expect(TokenHash(hex: String(other)) != hash, "\(digit)")
        }
        for text in ["", String(known.dropLast()), known + "0", known.uppercased()] {
            #expect(TokenHash(hex: text) == nil, "\(text)")
        }
    }

    @Test("Seals are HMAC-SHA-256")
    func seals() throws {
        // RFC 4231, test case 1: zeros fill up a key.
        let key = String(repeating: "0b", count: 20) + String(repeating: "00", count: 12)
        #expect(
            try #require(TokenHash(hex: key)).seal("Hi There").hex
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    }

    @Test("Patterns match as a naive matcher says")
    func patterns() {
        func naive(_ pattern: Substring, _ name: Substring) -> Bool {
            guard let first = pattern.first else { return name.isEmpty }
            if first == "*" {
                return naive(pattern.dropFirst(), name)
                    || (!name.isEmpty && naive(pattern, name.dropFirst()))
            }
            guard let letter = name.first, first == "?" || first == letter else { return false }
            return naive(pattern.dropFirst(), name.dropFirst())
        }
        func texts(_ letters: [Character], _ count: Int) -> [String] {
            count == 0
                ? [""] : texts(letters, count - 1).flatMap { text in letters.map { text + [$0] } }
        }
        let names = (1...5).flatMap { texts(["a", "b"], $0) }
        for pattern in (1...4).flatMap({ texts(["a", "b", "*", "?"], $0) }) {
            let scope = SessionScope([pattern])
            for name in names {
                #expect(
                    scope.contains(name) == naive(pattern[...], name[...]), "\(pattern) \(name)")
            }
        }
        #expect(SessionScope(["x", "team-*"]).contains("team-a"))
        #expect(!SessionScope(["x", "team-*"]).contains("team"))
        #expect(SessionScope(["a?*", "b-*-c"]).name(with: "r") == "b-r-c")
        #expect(SessionScope(["only"]).name(with: "r") == nil)
    }

    @Test("Times are read as they are written, and days that do not exist are refused")
    func times() {
        for time: Int64 in [0, 1, 951_782_400_000, 1_709_164_800_123, 253_402_300_799_999] {
            #expect(Timestamp.milliseconds(Timestamp.text(time)) == time)
        }
        #expect(Timestamp.milliseconds("2026-11-22T10:00:00Z") == 1_795_341_600_000)
        for text in [
            "", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00+00:00",
            "1969-12-31T23:59:59Z", "2026-01-01T00:00:00.1Z",
        ] {
            #expect(Timestamp.milliseconds(text) == nil, "\(text)")
        }
    }
}
