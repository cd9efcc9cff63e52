// A few kilobytes can hold megabytes: a body that turns out to be long is decompressed beside the
// shards, and its request delivered after that.

import HTTPWire

/// A request on its way through the decompressor.
///
/// `@unchecked Sendable`: it belongs to the shard, then to one worker after the other, then to the
/// shard again; none uses it after passing it on.
final class DecompressionWork: Work, @unchecked Sendable {
    private static let sliceBytes = 262_144

    private let request: RetainedRequest
    private let packed: RequestBody
    private let limits: WireLimits
    private let budget: ByteBudget
    private var decoder: GzipDecoder?
    private var body = OutputBuffer()
    /// The bytes that the budget counts for `body`.
    private var counted = 0
    private var error: WireError?

    init(_ request: RetainedRequest, _ limits: WireLimits, _ budget: ByteBudget) {
        self.request = request
        packed = request.body
        self.limits = limits
        self.budget = budget
    }

    deinit { _ = budget.change(by: -counted) }

    func slice() -> Bool {
        do throws(WireError) {
            let decoder = try started()
            let isDone = try decoder.resume(into: body, budget: Self.sliceBytes)
            let difference = body.capacity &- counted
            counted = body.capacity
            guard budget.change(by: difference) else { throw .tooMuchInput(budget) }
            if isDone { self.decoder = nil }
            return isDone
        } catch {
            decoder = nil
            self.error = error
            return true
        }
    }

    private func started() throws(WireError) -> GzipDecoder {
        if let decoder { return decoder }
        let decoder = GzipDecoder()
        let received = packed.bytes.count
        try decoder.start(
            packed.bytes, decodedBytesMax: limits.decodedBytesMax(of: received),
            refusal: limits.expansionRefusal(of: received))
        self.decoder = decoder
        return decoder
    }

    func finish(_ connection: Connection) {
        connection.endWait()
        connection.phase = .reading
        connection.intake.stand(in: request.head)
        if let error {
            connection.refuse(error, request.headBytes)
        } else {
            connection.shard.request.bodyOwner = self
            connection.hand(request.headBytes, body: body.bytes)
            connection.intake.reset()
        }
        connection.settle()
    }
}
