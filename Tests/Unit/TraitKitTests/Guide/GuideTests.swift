// The guide agrees with the code: its example runs, and it names the articles of the module's own
// documentation.

import Foundation
import KitTestSupport
import Testing

@MainActor
@Suite(.ownHierarchy) struct GuideTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..")

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
        let example = try Self.lines("Tests/Unit/TraitKitTests/Guide/GuideExample.swift")
            .drop { $0 != "// guide" }.dropFirst().prefix { $0 != "// guide end" }
        let guide = try Self.lines("docs/traitkit.md")
            .drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
        #expect(!example.isEmpty)
        #expect(Array(example) == Array(guide))
    }

    @Test("the guide and the module's documentation name every article, and no other")
    func articles() throws {
        let folder = "Sources/TraitKit/TraitKit.docc/Articles"
        let present = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: folder).path
        ).map { $0.replacing(".md", with: "") }
        let guide = try Self.lines("docs/traitkit.md").joined(separator: "\n")
        let linked = guide.matches(of: #/TraitKit\.docc\/Articles\/(\w+)\.md/#).map { String($0.1) }
        let module = try Self.lines("Sources/TraitKit/TraitKit.docc/TraitKit.md")
        let listed = module.compactMap {
            $0.firstMatch(of: #/^- <doc:(\w+)>/#).map { String($0.1) }
        }
        #expect(present.count == 7)
        #expect(Set(linked) == Set(present))
        #expect(Set(listed) == Set(present))
    }
}
