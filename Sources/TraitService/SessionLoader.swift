// Sessions from files and pipes. The input is the document of an export, or the body of a PUT plus a `name`;
// both may be compressed with gzip. It is read piece by piece, so its length costs no memory.

import HTTPWire
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

/// The loading of one session. Confined to one thread at a time.
package final class SessionLoading {
    private let reading: DocumentImport
    private var decoder: GzipDecoder?
    private var hasBegun = false

    /// Begins to create a session in a store.
    ///
    /// - Parameters:
    ///   - expectedBytes: about how long the document is; 0 when that is not known.
    ///   - onWork: see `SessionEnvironment.onWork`.
    package init(
        _ store: SessionStore, expectedBytes: Int,
        onWork: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        var order = DocumentImport.Order()
        order.expectedBytes = expectedBytes
        order.onWork = onWork
        reading = DocumentImport(order, store)
    }

    /// Takes the next bytes.
    ///
    /// - Throws: the problem, with a pointer into the document; then nothing was created.
    package func feed(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
        if bytes.isEmpty { return }
        if !hasBegun {
            hasBegun = true
            // No JSON text begins with this byte, and a pipe may give one byte at first.
            if bytes.first == GzipDecoder.magic[0] { decoder = GzipDecoder() }
        }
        try translating { () throws(SessionError) in
            guard let decoder else { return try reading.feed(bytes) }
            try decoder.feed(bytes, failure: { Self.damaged($0.reason) }) {
                text throws(SessionError) in
                try reading.feed(text)
            }
        }
    }

    /// Creates the session.
    ///
    /// - Throws: the problem; then nothing was created.
    package func finish() throws(Problem) -> (name: String, nodes: Int) {
        try translating { () throws(SessionError) in
            if let decoder, !decoder.isAtEnd {
                throw Self.damaged("it ends before its gzip coding does")
            }
            let session: Session
            switch try reading.finish() {
            case .found(let found): session = found
            case .created(let created, _, let response):
                try response?.wait()
                session = created
            }
            return (session.name, session.withState(\.hierarchy.nodeCount))
        }
    }

    private static func damaged(_ reason: String) -> SessionError {
        SessionError(.malformedJSON, "The document cannot be read: \(reason).")
    }
}
