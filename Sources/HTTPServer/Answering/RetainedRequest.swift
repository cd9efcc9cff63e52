// A request that outlives the call in which its handler saw it, so that it can be handled again.

import HTTPWire

/// The head and the body of one request.
package final class RetainedRequest {
    let head: RequestHead
    /// The bytes of the head, and behind them those of the body unless `longBody` has them.
    private let block: GrowingBlock
    private let longBody: RequestBody?
    private let budget: ByteBudget

    /// Nil where the system refuses the memory.
    fileprivate init?(
        _ head: RequestHead, _ bytes: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer,
        _ longBody: RequestBody?, _ budget: ByteBudget
    ) {
        let copied = longBody == nil ? body : UnsafeRawBufferPointer(start: nil, count: 0)
        guard let block = GrowingBlock(capacity: head.byteCount + copied.count) else { return nil }
        block.copy(UnsafeRawBufferPointer(rebasing: bytes[..<head.byteCount]), to: 0)
        block.copy(copied, to: head.byteCount)
        _ = budget.change(by: block.capacity)
        self.head = head
        self.longBody = longBody
        self.budget = budget
        self.block = block
    }

    deinit { _ = budget.change(by: -block.capacity) }

    /// The body, its codings undone.
    package var body: RequestBody { longBody ?? RequestBody(bodyBytes, keeping: (self, nil)) }

    var headBytes: UnsafeRawBufferPointer { block.bytes(0..<head.byteCount) }

    fileprivate var bodyBytes: UnsafeRawBufferPointer {
        longBody?.bytes ?? block.bytes(head.byteCount..<block.capacity)
    }

    /// The object that owns the bytes of the body.
    fileprivate var bodyOwner: AnyObject { longBody ?? self }
}

extension Exchange {
    /// The request at hand, to keep beyond this call; nil where the system refuses the memory. Copies the head;
    /// long bodies are not copied.
    package func retainRequest() -> RetainedRequest? {
        RetainedRequest(
            intake.head, shardState.request.bytes, body, connection.takeLongBody(),
            shardState.collected)
    }

    /// Runs `body` with the views of a request as they were. Only while that request, which was parked or in
    /// work, is resumed.
    package func withRequest<R>(_ request: RetainedRequest, _ body: () -> R) -> R {
        intake.stand(in: request.head)
        shardState.request.bytes = request.headBytes
        shardState.request.body = request.bodyBytes
        // Retained once more, the body is not copied.
        shardState.request.bodyOwner = request.bodyOwner
        defer {
            shardState.forgetRequest()
            intake.reset()
        }
        return body()
    }
}
