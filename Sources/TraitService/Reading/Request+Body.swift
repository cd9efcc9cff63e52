// The body of a request: its media type and its JSON.

import Glibc
import HTTPWire
import JSONCodec
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

extension Request {
    /// Parses the body and lends its root.
    ///
    /// - Parameter optional: what an absent body stands for; without it a body is required.
    /// - Throws: `unsupportedMediaType`, `malformedJSON` with line and column, what `read` throws.
    ///
    /// Inlined, as a closure that is passed on has what it captures retained: 140 instructions of a write.
    @inline(__always)
    func withBody(
        optional: StaticString? = nil, _ read: (JSONValue) throws(SessionError) -> Void
    ) throws(Problem) {
        if exchange.body.isEmpty, context.document == nil {
            guard let optional else {
                throw Problem(
                    .malformedJSON,
                    "A JSON body is required. With curl: --json '{…}'.")
            }
            let bytes = UnsafeRawBufferPointer(
                start: optional.utf8Start, count: optional.utf8CodeUnitCount)
            return try translated(
                try context.tape.withDocument(bytes, refusal: SessionError.init, read))
        }
        try checkMediaType()
        if let document = context.document {
            return try translating { () throws(SessionError) in
                if let json = try document.json() { try read(json) }
            }
        }
        try translating { () throws(SessionError) in
            let reservation = try exchange.memory.reservingTape(of: exchange.body)
            try context.tape.withDocument(exchange.body, refusal: SessionError.init) {
                json throws(SessionError) in
                reservation?.settle()
                try read(json)
            }
        }
    }

    func checkMediaType() throws(Problem) {
        let isPatch = exchange.method == .patch
        if let given = exchange.header(.contentType) {
            if Self.isMediaType(given, "application/json") { return }
            if isPatch, Self.isMediaType(given, "application/merge-patch+json") { return }
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

    /// Whether that is the type, whatever its parameters; `type` is in small letters.
    private static func isMediaType(_ given: UnsafeRawBufferPointer, _ type: StaticString) -> Bool {
        let count = type.utf8CodeUnitCount
        guard given.count >= count, let base = given.baseAddress else { return false }
        // As most clients write it.
        if given.count == count, memcmp(base, type.utf8Start, count) == 0 { return true }
        for index in 0..<count {
            let byte = given[index]
            let small = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
            if small != type.utf8Start[index] { return false }
        }
        guard given.count > count else { return true }
        let next = given[count]
        return next == UInt8(ascii: ";") || next == 0x20 || next == 0x09
    }
}

extension MemoryLedger {
    /// Shorter bodies are read into what a tape keeps anyway.
    private static let tapedBytesMin = 131_072

    /// Reserves what reading a body as JSON takes; nil for a short one. O(bytes) for a long one.
    ///
    /// - Throws: `outOfMemory` when there is no room for it now.
    func reservingTape(
        of body: UnsafeRawBufferPointer
    ) throws(SessionError) -> MemoryReservation? {
        guard isLimited, body.count > Self.tapedBytesMin else { return nil }
        guard let reservation = reserve(JSONTape.bytesMax(for: body)) else {
            throw .noRoomToRead(shortage)
        }
        return reservation
    }
}
