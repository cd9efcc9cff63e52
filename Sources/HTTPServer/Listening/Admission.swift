// How many connections there are, in all and from one client. Touched only where a connection begins
// and where it ends, so that a lock costs nothing that matters.

import Synchronization

/// Counts connections, of all shards together.
final class Admission: Sendable {
    /// So many more are let in to be told that there are too many; any beyond are closed at once.
    static let refusalsMax = 64

    enum Verdict: Equatable, Sendable {
        case welcome
        /// Let in only to be told why not.
        case tooMany, tooManyFromAddress
        /// Not even that.
        case closed
    }

    private struct State {
        var count = 0
        /// Empty unless there is a limit for each address.
        var byAddress: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let connectionsMax: Int
    private let perAddressMax: Int

    init(_ limits: ServerLimits) {
        connectionsMax = max(1, limits.connectionsMax)
        perAddressMax = max(1, limits.connectionsPerAddressMax)
    }

    private func isCounted(_ address: ClientAddress) -> Bool {
        perAddressMax < connectionsMax && address != .none
    }

    /// Unless the answer is `closed`, `leave` has to follow when the connection ends. O(1).
    func enter(_ address: ClientAddress) -> Verdict {
        state.withLock { state in
            guard state.count < connectionsMax &+ Self.refusalsMax else { return .closed }
            var verdict = state.count < connectionsMax ? Verdict.welcome : .tooMany
            if isCounted(address) {
                let before = state.byAddress[address.counted, default: 0]
                // One address alone must not fill the room that is kept for refusals.
                guard before < perAddressMax &+ Self.refusalsMax / 4 else { return .closed }
                state.byAddress[address.counted] = before &+ 1
                if before >= perAddressMax { verdict = .tooManyFromAddress }
            }
            state.count &+= 1
            return verdict
        }
    }

    func leave(_ address: ClientAddress) {
        state.withLock { state in
            state.count &-= 1
            guard isCounted(address), let before = state.byAddress[address.counted] else { return }
            state.byAddress[address.counted] = before > 1 ? before &- 1 : nil
        }
    }
}
