// Requests whose answer, or whose body, is made beside the shard. Until then the connection waits, as
// if its handler had parked the request; nothing else is read from it.

import HTTPWire

extension Connection {
    /// Hands work to the workers; its end comes back as a message.
    func begin(_ work: any Work) {
        phase = .waiting
        let target = shard.makeTarget(self)
        self.target = target
        isWorking = true
        shard.counters.working.add(1)
        shard.workers.run(work, for: target, of: account)
    }

    /// A handler's own work.
    func beginWork(_ work: any Work) {
        acceptsGzip = clientAcceptsGzip
        takeTurn()
        begin(work)
    }

    /// Calls the handler with the result of its work.
    func finishWork(_ resume: (Exchange) -> Void) {
        turn = .due
        resume(exchange)
        precondition(turn == .given, "work must end in send, work, park or stream")
        turn = .none
        settle()
    }

    /// Without room for the answer it becomes a refusal. What may have changed something is not refused
    /// after the fact: its connection is closed.
    func compressElsewhere(_ answer: Answer) {
        if let work = CompressionWork.make(answer, shard.unsent) { return begin(work) }
        guard isSafe else { return close() }
        begin(AnswerRefusal(.tooMuchOutput(shard.unsent)))
    }

    /// Delivers the request at hand once its body is decompressed.
    func decompressElsewhere(_ bytes: UnsafeRawBufferPointer) {
        guard let request = exchange.retainRequest() else {
            return refuse(.noMemoryToReceive, bytes)
        }
        begin(DecompressionWork(request, shard.wireLimits, shard.collected))
    }
}
