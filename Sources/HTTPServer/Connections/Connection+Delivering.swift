// Passes a complete request to the handler, or refuses it.

import HTTPWire

extension Connection {
    /// Hands the request in the shard's intake to the handler. `bytes` begin with its head.
    func deliver(_ bytes: UnsafeRawBufferPointer) {
        beginDelivery()
        let body = intake.body(in: bytes)
        if intake.first(.contentEncoding) == nil {
            hand(bytes, body: body)
        } else {
            handDecoded(bytes, body: body)
        }
    }

    /// Stops waiting for the request and copies the properties of its head.
    @inline(__always)
    func beginDelivery() {
        awaiting = .nothing
        takeFromHead()
        keepsAlive = keepsAlive && entrance != .reserved
    }

    /// Copies the properties that are needed until the request is answered.
    @inline(__always)
    private func takeFromHead() {
        isHead = intake.head.method == .head
        keepsAlive = intake.head.keepsAlive
        minorVersion = intake.head.minorVersion
        isSafe = isHead || intake.head.method == .get
    }

    /// Calls the handler. `body` is decoded, and empty if it was left or went to a sink.
    func hand(_ bytes: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) {
        shard.request.bytes = bytes
        shard.request.body = body
        shard.counters.requests.add(1)
        turn = .due
        handler.handle(exchange)
        precondition(
            turn == .given, "a handler must call send, work, park or stream before it returns")
        turn = .none
        isExpected = false
        shard.forgetRequest()
    }

    /// Replaces a gzip body by what it holds (RFC 9110 section 8.4), once the handler has looked at the
    /// head: a few bytes of gzip can cost milliseconds.
    private func handDecoded(_ bytes: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) {
        if !isExpected {
            guard announce(bytes, isWhole: true) else {
                shard.counters.requests.add(1)
                return
            }
            if leavesBody { return hand(bytes, body: .none) }
        }
        shard.request.bytes = bytes
        shard.request.body = body
        guard let coding = intake.head.contentCoding(in: bytes) else {
            return refuse(.unsupportedContentCoding, bytes)
        }
        guard coding == .gzip else { return hand(bytes, body: body) }
        let wire = shard.wireLimits
        let allowed = wire.decodedBytesMax(of: body.count)
        let inline = min(allowed, limits.gunzipInlineBytesMax)
        // Input takes time as well, even if it decodes to nothing.
        guard body.count <= inline else { return decompressElsewhere(bytes) }
        shard.inflated.removeAll()
        do throws(WireError) {
            try shard.gunzip.decode(
                body, into: shard.inflated, decodedBytesMax: inline,
                refusal: wire.expansionRefusal(of: body.count))
        } catch {
            if error.status == 413, inline < allowed { return decompressElsewhere(bytes) }
            return refuse(error, bytes)
        }
        hand(bytes, body: shard.inflated.bytes)
        shard.inflated.empty()
    }

    /// Has the handler answer with `error`; then the connection ends, readable to the last byte. `bytes` begin
    /// with the request, whose head may be used if it was complete.
    func refuse(_ error: WireError, _ bytes: UnsafeRawBufferPointer) {
        let hasHead = intake.stage == .body
        awaiting = .nothing
        feed = nil
        keepsAlive = false
        mustLinger = true
        acceptsGzip = false
        isHead = hasHead && intake.head.method == .head
        minorVersion = hasHead ? intake.head.minorVersion : 1
        shard.request.bytes = hasHead ? bytes : UnsafeRawBufferPointer(start: nil, count: 0)
        shard.request.body = UnsafeRawBufferPointer(start: nil, count: 0)
        shard.counters.refused.add(1)
        turn = .due
        handler.refuse(error, exchange)
        precondition(turn == .given, "a handler must send an answer to a refused request")
        turn = .none
        isExpected = false
        shard.forgetRequest()
        intake.reset()
        inbound = nil
    }

    /// Has the handler answer with `error` in place of an answer that cannot be sent. Keeps the connection.
    func refuseAnswer(_ error: WireError) {
        shard.counters.refused.add(1)
        turn = .due
        isAnswerRefused = true
        handler.refuse(error, exchange)
        isAnswerRefused = false
        precondition(turn == .given, "a handler must send an answer to a refused request")
        turn = .none
    }

    /// Refuses an incomplete request.
    func refuseIncomplete(_ error: WireError) {
        if let inbound {
            intake.adopt(inbound.intake)
            refuse(error, inbound.bytes)
        } else {
            refuse(error, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        settle()
    }

    /// Asks the handler whether it wants the body that is still to come. If not, it has answered, and
    /// the connection ends.
    func wantsBody(_ inbound: InboundBuffer) -> Bool {
        intake.adopt(inbound.intake)
        takeFromHead()
        // An answer before the body's end is the last one: the rest is not read (RFC 9112 section 9.3).
        let keptAlive = keepsAlive
        keepsAlive = false
        let bytes = inbound.bytes
        let isWanted = announce(bytes, isWhole: false)
        if isWanted, leavesBody {
            leaveBody(bytes)
            return false
        }
        if isWanted, feed == nil, intake.first(.contentEncoding) != nil,
            intake.head.contentCoding(in: bytes) == nil
        {
            refuse(.unsupportedContentCoding, bytes)
            return false
        }
        intake.reset()
        if isWanted {
            keepsAlive = keptAlive
        } else {
            feed = nil
            mustLinger = true
            awaiting = .nothing
            self.inbound = nil
            shard.counters.refused.add(1)
        }
        return isWanted
    }

    /// Has the handler look at the head of a request. Answers false when the handler has refused it.
    private func announce(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
        shard.request.bytes = bytes
        shard.request.body = .none
        isBodyWhole = isWhole
        leavesBody = false
        turn = .due
        handler.expectBody(exchange)
        isExpected = turn == .due
        turn = .none
        shard.forgetRequest()
        return isExpected
    }

    /// Delivers a request without the body that is still to come.
    private func leaveBody(_ bytes: UnsafeRawBufferPointer) {
        beginDelivery()
        keepsAlive = false
        mustLinger = true
        hand(bytes, body: .none)
        intake.reset()
        inbound = nil
    }
}

extension RequestHead {
    enum BodyCoding {
        case identity, gzip
    }

    /// How the body is coded; `nil` when that is not understood.
    func contentCoding(in bytes: UnsafeRawBufferPointer) -> BodyCoding? {
        guard !isRepeated(.contentEncoding), let coding = first(.contentEncoding) else {
            return nil
        }
        let name = coding.slice(of: bytes)
        if name.equalsIgnoringCase("identity") { return .identity }
        let isGzip = name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip")
        return isGzip ? .gzip : nil
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    static var none: Self { Self(start: nil, count: 0) }

    /// Compares with a name of lower-case letters, digits and hyphens.
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
