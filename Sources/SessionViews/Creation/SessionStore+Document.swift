// Creating a session from a document of a state. Its first revision has all values, registrations
// and scopes, and what nodes still show.

import JSONCodec
import TraitJSON
import TraitSessions

extension SessionStore {
    /// Creates a session from a document, or from the body of a request that creates a session. For
    /// tests and small files: `DocumentImport` reads a document in pieces.
    ///
    /// - Throws: why the document is refused, with a pointer into it; `exists`, `quota`, why the
    ///   log refuses. Then nothing was created.
    package func load(_ json: JSONValue) throws(SessionError) -> Session {
        let loading = DocumentImport(DocumentImport.Order(), self)
        try loading.feed(json.rawBytes)
        switch try loading.finish() {
        case .found(let session): return session
        case .created(let session, _, let response):
            try response?.wait()
            return session
        }
    }
}
