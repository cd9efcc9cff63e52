// From a whole request to the handler, and what is refused instead.

import HTTPWire

extension Connection {
    /// Hands the request in the shard's intake to the handler. `bytes` begin with its head.
    func deliver(_ bytes: UnsafeRawBufferPointer) {
        awaiting = .nothing
        isHead = shard.intake.head.method == .head
        requestCount &+= 1
        keepsAlive = shard.intake.head.keepsAlive && requestCount < limits.requestsPerConnectionMax
        minorVersion = shard.intake.head.minorVersion
        shard.requestBytes = bytes
        shard.requestBody = shard.intake.body(in: bytes)
        let isCoded = shard.intake.head.first(.contentEncoding) != nil
        if isCoded {
            if let error = undoContentCoding() { return refuse(error, bytes) }
        }
        shard.counters.requests.add(1)
        turn = .due
        shard.handler.handle(exchange)
        precondition(turn == .given, "a handler must call send, park or stream before it returns")
        turn = .none
        shard.forgetRequest()
        if isCoded { shard.inflated.empty() }
    }

    /// Replaces a gzip body by what it holds (RFC 9110 section 8.4).
    private func undoContentCoding() -> WireError? {
        guard !shard.intake.head.isRepeated(.contentEncoding),
            let coding = shard.intake.head.first(.contentEncoding)
        else { return .unsupportedContentCoding }
        let name = coding.slice(of: shard.requestBytes)
        if name.equalsIgnoringCase("identity") { return nil }
        guard name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip")
        else { return .unsupportedContentCoding }
        shard.inflated.removeAll()
        do throws(WireError) {
            try shard.gunzip.decode(
                shard.requestBody, into: shard.inflated,
                decodedBytesMax: shard.wireLimits.decodedBodyBytesMax)
        } catch {
            return error
        }
        shard.requestBody = shard.inflated.bytes
        return nil
    }

    /// Lets the handler say why; then the connection ends, readable to the last byte. `bytes` begin
    /// with the request, whose head may be used if it was complete.
    func refuse(_ error: WireError, _ bytes: UnsafeRawBufferPointer) {
        let hasHead = shard.intake.stage == .body
        awaiting = .nothing
        keepsAlive = false
        mustLinger = true
        acceptsGzip = false
        isHead = hasHead && shard.intake.head.method == .head
        minorVersion = hasHead ? shard.intake.head.minorVersion : 1
        shard.requestBytes = hasHead ? bytes : UnsafeRawBufferPointer(start: nil, count: 0)
        shard.requestBody = UnsafeRawBufferPointer(start: nil, count: 0)
        shard.counters.refused.add(1)
        turn = .due
        shard.handler.refuse(error, exchange)
        precondition(turn == .given, "a handler must send an answer to a refused request")
        turn = .none
        shard.forgetRequest()
        shard.intake.reset()
        inbound = nil
    }

    /// Refuses what has come so far of a request.
    func refuseIncomplete(_ error: WireError) {
        if let inbound {
            shard.intake.adopt(inbound.intake)
            refuse(error, inbound.bytes)
        } else {
            refuse(error, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        settle()
    }
}

extension UnsafeRawBufferPointer {
    /// Compares with a name in lower-case letters, digits and hyphens.
    func equalsIgnoringCase(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        for index in 0..<count {
            let byte = self[index]
            let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            if lower != name.utf8Start[index] { return false }
        }
        return true
    }
}
