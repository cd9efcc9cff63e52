// The same exchanges run against the service in process and against the real binary; both must
// answer with the same golden file.

import Testing

/// A named list of exchanges.
package struct ExchangeScript: Sendable, CustomTestStringConvertible {
    /// Also the golden file's name.
    package let name: String
    private let body: @Sendable (Transcript) throws -> Void

    package init(_ name: String, _ body: @escaping @Sendable (Transcript) throws -> Void) {
        self.name = name
        self.body = body
    }

    package var testDescription: String { name }

    /// Runs the exchanges on a server, of whatever kind, that holds no sessions yet.
    package func verify(
        on baseURL: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let transcript = Transcript(name, client: try HTTPClient(baseURL))
        try body(transcript)
        GoldenFile(name).verify(transcript.redacted, sourceLocation: sourceLocation)
    }
}
