// An answer that is made away from its shard, or that waits for something: it owns its bytes.

import HTTPWire

/// Status, field lines and body of an answer that is still to be sent.
///
/// `@unchecked Sendable`: only its maker uses it until it is sent, and the maker keeps no reference after
/// that.
package final class Answer: @unchecked Sendable {
    package var status: Int
    package var contentType: StaticString?
    /// Zero or more complete `Name: value` lines, each with its CR LF.
    package let fields: OutputBuffer
    package let body: OutputBuffer

    /// `body` is not copied; the caller keeps no other reference to it.
    package init(
        status: Int = 200, contentType: StaticString? = "application/json",
        fields: OutputBuffer = OutputBuffer(), body: OutputBuffer = OutputBuffer()
    ) {
        self.status = status
        self.contentType = contentType
        self.fields = fields
        self.body = body
    }

    convenience init(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer
    ) {
        self.init(status: status, contentType: contentType)
        self.fields.append(fields)
        self.body.reserve(body.count)
        self.body.append(body)
    }
}

/// The body of an answer, and whether it has to be copied to be kept.
enum AnswerBody {
    case borrowed(UnsafeRawBufferPointer)
    case owned(OutputBuffer)

    var bytes: UnsafeRawBufferPointer {
        switch self {
        case .borrowed(let bytes): bytes
        case .owned(let buffer): buffer.bytes
        }
    }
}
