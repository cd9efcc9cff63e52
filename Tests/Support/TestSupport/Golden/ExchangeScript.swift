// Golden files of exchanges are scripts as well: their requests are sent, to the service in process
// or to the real binary, and the answers must be the file's.

import Testing

/// A golden file of exchanges, by its name.
package struct ExchangeScript: Sendable, CustomTestStringConvertible {
    package let name: String

    package var testDescription: String { name }

    /// One for each file. Reading the folder cannot fail silently: a test counts them.
    package static let all = ((try? GoldenFile.names()) ?? []).sorted().map(ExchangeScript.init)

    /// Sends the requests to a server, of whatever kind, that holds no sessions yet.
    package func verify(
        on baseURL: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let transcript = Transcript(client: try HTTPClient(baseURL))
        let file = GoldenFile(name)
        try transcript.play(file.text())
        file.verify(transcript.redacted, sourceLocation: sourceLocation)
    }
}
