// Documents that are cut behind the bracket of a list.

import Testing

@testable import TraitSessions

extension DocumentImportTests {
    @Test("A piece may end behind the bracket that opens an empty list", arguments: 0..<200)
    func emptyList(padding: Int) throws {
        let text = Self.document.replacing(
            "\"scopes\"", with: String(repeating: " ", count: padding) + "\"scopes\"")
        for pieceBytes in [1, 16] {
            let session = try Self.read(Array(text.utf8), pieceBytes: pieceBytes)
            #expect(session.hierarchy.nodeCount == 2)
        }
    }
}
