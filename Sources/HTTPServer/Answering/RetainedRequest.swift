// A request that outlives the call in which its handler saw it, so that it can be handled again.

import HTTPWire

/// The head and the body of one request.
package final class RetainedRequest {
    fileprivate let head: RequestHead
    fileprivate let headBytes: OutputBuffer
    /// The body, its codings undone.
    package let body: RequestBody

    init(_ head: RequestHead, _ bytes: UnsafeRawBufferPointer, _ body: RequestBody) {
        self.head = head
        headBytes = OutputBuffer(capacity: head.byteCount)
        headBytes.append(UnsafeRawBufferPointer(rebasing: bytes[..<head.byteCount]))
        self.body = body
    }
}

extension Exchange {
    /// The request at hand, to keep beyond this call. Copies the head; long bodies are not copied.
    package func retainRequest() -> RetainedRequest {
        RetainedRequest(intake.head, shardState.requestBytes, takeBody())
    }

    /// Runs `body` with the views of a request as they were. Only inside the resumption of the
    /// parked request that this one is, or where its work has come to its end.
    package func withRequest<R>(_ request: RetainedRequest, _ body: () -> R) -> R {
        intake.stand(in: request.head)
        shardState.requestBytes = request.headBytes.bytes
        shardState.requestBody = request.body.bytes
        // Retained once more, the body is not copied.
        shardState.bodyOwner = request.body
        defer {
            shardState.forgetRequest()
            intake.reset()
        }
        return body()
    }
}
