// The interface in its formal description, which the binary carries so that a server explains itself.

import COpenAPI

/// openapi.yaml as it was when the binary was built, and the documents made of it.
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
}
