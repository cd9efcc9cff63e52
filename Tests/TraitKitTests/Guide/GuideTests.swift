// The guide says what is true: its example runs, and its table is the one of the module's own
// documentation.

import Foundation
import Testing

@MainActor
@Suite struct GuideTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..")

    private static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("the example does what the guide says")
    func example() {
        let mail = showMail()
        #expect(mail.themes == [.monochrome])
        #expect(mail.label.text == "narrow")
    }

    @Test("the guide shows the example that is compiled here")
    func sameExample() throws {
        let example = try Self.lines("Tests/TraitKitTests/Guide/GuideExample.swift")
            .drop { $0 != "// guide" }.dropFirst().prefix { $0 != "// guide end" }
        let guide = try Self.lines("docs/traitkit.md")
            .drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
        #expect(!example.isEmpty)
        #expect(Array(example) == Array(guide))
    }

    @Test("the module's documentation has the guide's tables")
    func sameTables() throws {
        let tables = try ["docs/traitkit.md", "Sources/TraitKit/TraitKit.docc/TraitKit.md"].map {
            try Self.lines($0).drop { $0 != "## Deviations" }.filter { $0.hasPrefix("|") }
        }
        #expect(tables[0].count > 20)
        #expect(tables[0] == tables[1])
    }
}
