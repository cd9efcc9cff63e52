// The same exchanges run against the service in process and against the real binary; both must
// answer with the same golden file.

import Testing

/// A server that tests can talk to, whatever it is.
package struct RunningServer: Sendable {
    package let url: String
    private let end: @Sendable () -> Void

    package init(url: String, stop: @escaping @Sendable () -> Void) {
        self.url = url
        end = stop
    }

    package func stop() { end() }
}

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

    /// Runs the exchanges on a server that holds no sessions yet.
    package func verify(
        on server: RunningServer, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let transcript = Transcript(name, client: try HTTPClient(server.url))
        try body(transcript)
        GoldenFile(name).verify(transcript.redacted, sourceLocation: sourceLocation)
    }
}
