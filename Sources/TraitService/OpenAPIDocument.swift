// The interface in its formal description, which the binary carries so that a server explains itself.

import COpenAPI

/// openapi.yaml as it was when the binary was built.
enum OpenAPIDocument {
    static var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: traitd_openapi_bytes(), count: traitd_openapi_count())
    }
}
