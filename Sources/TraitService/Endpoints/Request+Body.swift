// The body of a request: its media type and its JSON.

import HTTPWire
import JSONCodec
import TraitSessions

extension Request {
    /// Parses the body and lends its root.
    ///
    /// - Parameter optional: what an absent body stands for; without it a body is required.
    /// - Throws: `unsupportedMediaType`, `malformedJSON` with line and column, what `read` throws.
    func withBody(
        optional: StaticString? = nil, _ read: (JSONValue) throws(SessionError) -> Void
    ) throws(Problem) {
        if exchange.body.isEmpty {
            guard let optional else {
                throw Problem(
                    .malformedJSON,
                    "A JSON body is required. With curl: --json '{…}'.")
            }
            // Without a content type, a page of any origin could send it unasked.
            if exchange.method == .post { try checkMediaType() }
            let bytes = UnsafeRawBufferPointer(
                start: optional.utf8Start, count: optional.utf8CodeUnitCount)
            return try translating { () throws(SessionError) in
                try context.tape.withDocument(bytes, refusal: SessionError.init, read)
            }
        }
        try checkMediaType()
        try translating { () throws(SessionError) in
            try context.tape.withDocument(exchange.body, refusal: SessionError.init, read)
        }
    }

    func checkMediaType() throws(Problem) {
        let isPatch = exchange.method == .patch
        if let given = exchange.header(.contentType) {
            if Self.isMediaType(given, "application/json") { return }
            if isPatch, Self.isMediaType(given, "application/merge-patch+json") { return }
        }
        let given = exchange.header(.contentType).map { String(decoding: $0, as: UTF8.self) }
        throw Problem(
            .unsupportedMediaType,
            "Send the body as application/json\(isPatch ? " or application/merge-patch+json" : ""); it came as \(given ?? "nothing"). With curl, --json '{…}' does it (-d alone sends a form)."
        ).withHeader(
            isPatch
                ? "Accept-Patch: application/merge-patch+json, application/json"
                : "Accept: application/json")
    }

    /// Whether that is the type, whatever its parameters; `type` is in small letters.
    private static func isMediaType(_ given: UnsafeRawBufferPointer, _ type: StaticString) -> Bool {
        let count = type.utf8CodeUnitCount
        guard given.count >= count else { return false }
        for index in 0..<count {
            let byte = given[index]
            let small = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
            if small != type.utf8Start[index] { return false }
        }
        guard given.count > count else { return true }
        let next = given[count]
        return next == UInt8(ascii: ";") || next == 0x20 || next == 0x09
    }
}
