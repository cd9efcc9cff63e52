// The body of a request: its media type and its JSON.

import HTTPWire
import JSONCodec

extension Request {
    /// Parses the body and lends its root.
    ///
    /// - Parameter optional: what an absent body stands for; without it a body is required.
    /// - Throws: `unsupportedMediaType`, `malformedJSON` with line and column, what `read` throws.
    func withBody<R>(
        optional: StaticString? = nil, _ read: (JSONValue) throws(Problem) -> R
    ) throws(Problem) -> R {
        if exchange.body.isEmpty {
            guard let optional else {
                throw Problem(
                    .malformedJSON,
                    "A JSON body is required. With curl: --json '{…}'.")
            }
            let bytes = UnsafeRawBufferPointer(
                start: optional.utf8Start, count: optional.utf8CodeUnitCount)
            return try context.tape.withDocument(bytes, refusal: Problem.init, read)
        }
        try checkMediaType()
        return try context.tape.withDocument(exchange.body, refusal: Problem.init, read)
    }

    func checkMediaType() throws(Problem) {
        let isPatch = exchange.method == .patch
        if let given = exchange.header(.contentType) {
            let type = given.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            if Self.equalsIgnoringCase(type, "application/json") { return }
            if isPatch, Self.equalsIgnoringCase(type, "application/merge-patch+json") { return }
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

    private static func equalsIgnoringCase(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ text: StaticString
    ) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            zip(bytes, text).allSatisfy { byte, expected in
                byte == expected
                    || ((0x41...0x5a).contains(byte) && byte | 0x20 == expected)
            }
        }
    }
}

extension Problem {
    init(_ error: JSONError) {
        if let limit = error.limit {
            self = .limit(
                .malformedJSON,
                "\(error.reason.capitalizedFirst): \(limit.name) is \(limit.value).",
                name: limit.name, value: limit.value)
        } else {
            self.init(.malformedJSON, error.reason.capitalizedFirst + ".")
        }
        pointer = error.pointer
        members.append(("offset", .integer(Int64(error.offset))))
        members.append(("line", .integer(Int64(error.line))))
        members.append(("column", .integer(Int64(error.column))))
    }
}
