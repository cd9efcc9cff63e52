// Ways for tests to hand a text to a tape in one line.

import JSONCodec
import JSONReference
import Testing

extension JSONTape {
    /// Reads a text and copies it.
    func read(_ bytes: [UInt8]) -> Result<JSONTree, JSONError> {
        bytes.withUnsafeBytes { read($0) }
    }

    func read(_ bytes: UnsafeRawBufferPointer) -> Result<JSONTree, JSONError> {
        do throws(JSONError) {
            return .success(try withDocument(bytes) { JSONTree($0) })
        } catch {
            return .failure(error)
        }
    }

    /// The error of a text, nil when it is accepted.
    func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

    func error(_ bytes: [UInt8]) -> JSONError? {
        if case .failure(let error) = read(bytes) { return error }
        return nil
    }

    /// Lends the root of a text that has to be acceptable.
    func with<Result>(_ text: String, _ body: (JSONValue) throws -> Result) throws -> Result {
        try Array(text.utf8).withUnsafeBytes { bytes in
            try withDocument(bytes, refusal: { $0 as any Error }, { value in try body(value) })
        }
    }
}

/// A text with a name, as an argument of a test.
struct NamedText: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    var testDescription: String { name }
}
