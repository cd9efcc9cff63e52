// The answer to a request: its body, and all of it where it is kept to be compressed beside the shard.

import HTTPWire

/// The body of an answer, and whether it has to be copied to be kept.
package enum AnswerBody {
    case borrowed(UnsafeRawBufferPointer)
    /// The caller keeps no other reference to it.
    case owned(OutputBuffer)

    var bytes: UnsafeRawBufferPointer {
        switch self {
        case .borrowed(let bytes): bytes
        case .owned(let buffer): buffer.bytes
        }
    }
}

/// Status, field lines and body of an answer that is still to be sent.
///
/// `@unchecked Sendable`: only its maker uses it until it is passed on, and the maker keeps no reference after
/// that.
final class Answer: @unchecked Sendable {
    let status: Int
    let contentType: StaticString?
    /// Zero or more complete `Name: value` lines, each with its CR LF.
    let fields = OutputBuffer()
    let body: OutputBuffer

    /// Copies the fields, and a body that is borrowed.
    init(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ body: AnswerBody
    ) {
        self.status = status
        self.contentType = contentType
        self.fields.append(fields)
        switch body {
        case .owned(let buffer): self.body = buffer
        case .borrowed(let bytes):
            self.body = OutputBuffer(capacity: bytes.count)
            self.body.append(bytes)
        }
    }
}
