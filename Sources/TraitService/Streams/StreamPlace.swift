// Bounds the open streams and waiting long polls of one caller.

import Ledger

/// The place of one stream or long poll. Given back when the object is released.
final class StreamPlace: Sendable {
    private let account: MemoryAccount

    private init(_ account: MemoryAccount) { self.account = account }

    /// A place among the caller's; nil where `limits` has no `streamsPerCallerMax`.
    ///
    /// - Throws: `tooManyStreams` when the caller has that many.
    static func take(_ request: Request, streamsMax max: Int) throws(Problem) -> StreamPlace? {
        if max == .max { return nil }
        let account = request.exchange.caller
        if account.takeStream(of: max) { return StreamPlace(account) }
        let name = request.context.caller.map { "The token \($0.accessor)" } ?? "This address"
        throw Problem.limit(
            .tooManyStreams,
            "\(name) has streamsPerCallerMax=\(max) streams open. Close some.",
            name: "streamsPerCallerMax", value: max)
    }

    deinit { account.giveBackStream() }
}
