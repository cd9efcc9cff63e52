// Tickets of event streams. A browser's EventSource sends no `Authorization`, so the answer to an evaluation of all
// flags announces an address that has a ticket in its query. A ticket opens the notices of one node in one session,
// and nothing else.
//
//     traitd_k7f3m2pq_1800001200-9f86…
//
// The form is that of tokens as far as logs hide them. The hash of the caller's secret seals a ticket, so every server
// with the same file of tokens takes it, and no server keeps it.

import TraitSessions

enum Ticket {
    /// A ticket is good for one to two of these. Within one the tickets of a caller are equal, so that entity tags of
    /// flags stay.
    private static let windowSeconds: Int64 = 600

    /// - Parameter now: milliseconds since 1970.
    /// - Returns: nil for a caller without a token, as on a socket file, which no browser can ask.
    static func make(for caller: Caller, uid: String, node: String, now: Int64) -> String? {
        let expiry = (now / 1_000 / windowSeconds + 2) * windowSeconds
        guard let seal = seal(caller, expiry, uid, node) else { return nil }
        return "traitd_\(caller.accessor)_\(expiry)-\(seal.hex)"
    }

    private static func seal(
        _ caller: Caller, _ expiry: Int64, _ uid: String, _ node: String
    ) -> TokenHash? {
        // Neither part has a blank.
        caller.hash?.seal("ticket \(expiry) \(uid) \(node)")
    }

    /// A ticket's parts.
    struct Parts {
        let accessor: UnsafeRawBufferPointer
        private let expiry: Int64
        private let seal: TokenHash

        /// - Returns: nil for what is no ticket.
        init?(_ text: UnsafeRawBufferPointer) {
            let head = 7 + TokenText.accessorBytes
            guard text.starts(with: "traitd_".utf8), text.count > head,
                text[head] == UInt8(ascii: "_")
            else { return nil }
            let parts = String(decoding: text[(head + 1)...], as: UTF8.self)
                .split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let expiry = Int64(parts[0]),
                let seal = TokenHash(hex: String(parts[1]))
            else { return nil }
            accessor = UnsafeRawBufferPointer(rebasing: text[7..<head])
            self.expiry = expiry
            self.seal = seal
        }

        func isSealed(by caller: Caller, uid: String, node: String) -> Bool {
            Ticket.seal(caller, expiry, uid, node) == seal
        }

        /// - Parameter time: milliseconds since 1970.
        func isExpired(at time: Int64) -> Bool { expiry <= time / 1_000 }
    }
}
