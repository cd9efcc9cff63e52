// The interface in its formal description, which the binary carries so that a server explains itself.

import COpenAPI
import TraitJSON
import TraitSessions

/// openapi.yaml as it was when the binary was built, the documents made of it, and the client that is served.
enum OpenAPIDocument {
    static var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: traitd_openapi_bytes(), count: traitd_openapi_count())
    }

    /// openapi.yaml converted to JSON.
    static var json: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: traitd_openapi_json_bytes(), count: traitd_openapi_json_count())
    }

    /// A page that shows the document. It loads nothing from other origins.
    static var page: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: traitd_docs_bytes(), count: traitd_docs_count())
    }

    /// The policy that allows the page's own script and style.
    static let pagePolicy = PagePolicy.policy(of: page)

    /// The client in JavaScript, clients/js/traitd.js.
    static var client: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: traitd_client_bytes(), count: traitd_client_count())
    }

    /// A hash of the client's bytes, for its entity tag.
    static let clientFingerprint = Fingerprint.of(client)
}
