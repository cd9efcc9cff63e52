// Counts connections, in all and for each client. Used only where a connection begins and ends, so
// its lock costs requests nothing.

import Synchronization

/// Counts connections, of all shards together.
final class Admission: Sendable {
    /// Connections accepted beyond the limit, only to answer 503; connections beyond these are closed.
    static let refusalsMax = 64

    enum Verdict: Equatable, Sendable {
        case welcome
        /// Admitted to request health, on a connection of the reserve.
        case reserved
        /// Admitted on an address for health, which has its own limit.
        case health
        /// Accepted only to be answered with a refusal.
        case tooMany, tooManyFromAddress
        /// Closed without an answer.
        case closed
    }

    private struct State {
        var count = 0
        /// Connections in the reserve, which do not count among the others.
        var reservedCount = 0
        var reservedByAddress: [ClientAddress: Int] = [:]
        /// Connections by addresses for health, as many as the reserve has places.
        var healthCount = 0
        /// The limit on `total`. It is below the sum of the other limits when the process has too few
        /// descriptors for them.
        var totalMax = Int.max

        var total: Int { count + reservedCount + healthCount }
        /// A quarter of `totalMax` is for refusals and for health.
        var welcomeMax: Int { max(1, totalMax - totalMax / 4) }
        /// Empty unless there is a limit for each address.
        var byAddress: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let connectionsMax: Int
    private let perAddressMax: Int
    private let reservedMax: Int
    /// One client must not prevent the others from requesting health.
    private let reservedPerAddressMax: Int

    init(_ limits: ServerLimits) {
        connectionsMax = max(1, limits.connectionsMax)
        reservedMax = max(0, limits.reservedConnections)
        reservedPerAddressMax = max(1, reservedMax / 4)
        perAddressMax = max(1, limits.connectionsPerAddressMax)
    }

    private func isCounted(_ address: ClientAddress) -> Bool {
        perAddressMax < connectionsMax && address != .none
    }

    /// Unless the answer is `closed`, `leave` has to follow when the connection ends. O(1).
    func enter(_ address: ClientAddress) -> Verdict {
        state.withLock { state in
            guard state.total < state.totalMax else { return .closed }
            let connectionsMax = min(self.connectionsMax, state.welcomeMax)
            if state.count >= connectionsMax, !isFull(address, state), reserve(address, &state) {
                return .reserved
            }
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

    /// Admits a connection on an address for health. Unless the answer is `closed`, `leave` has to follow. O(1).
    func enterForHealth() -> Verdict {
        state.withLock { state in
            guard state.healthCount < reservedMax, state.total < state.totalMax else {
                return .closed
            }
            state.healthCount &+= 1
            return .health
        }
    }

    /// Limits the connections to the present number. O(1).
    func closeAboveCurrent() {
        state.withLock { $0.totalMax = max(1, $0.total) }
    }

    /// Restores the limits that the server was started with. O(1).
    func openAll() {
        state.withLock { $0.totalMax = .max }
    }

    /// Whether the address has as many connections as it may, all of them being for everything.
    private func isFull(_ address: ClientAddress, _ state: State) -> Bool {
        isCounted(address)
            && state.byAddress[address.counted, default: 0] >= perAddressMax
    }

    /// Takes a place in the reserve, if there is one for this address.
    private func reserve(_ address: ClientAddress, _ state: inout State) -> Bool {
        guard state.reservedCount < reservedMax else { return false }
        if address != .none {
            let before = state.reservedByAddress[address.counted, default: 0]
            guard before < reservedPerAddressMax else { return false }
            state.reservedByAddress[address.counted] = before &+ 1
        }
        state.reservedCount &+= 1
        return true
    }

    private func leaveReserve(_ address: ClientAddress, _ state: inout State) {
        state.reservedCount &-= 1
        guard let before = state.reservedByAddress[address.counted] else { return }
        state.reservedByAddress[address.counted] = before > 1 ? before &- 1 : nil
    }

    /// - Parameter verdict: what `enter` said when the connection began.
    func leave(_ address: ClientAddress, after verdict: Verdict) {
        state.withLock { state in
            switch verdict {
            case .health: state.healthCount &-= 1
            case .reserved: leaveReserve(address, &state)
            default: leaveOthers(address, &state)
            }
        }
    }

    private func leaveOthers(_ address: ClientAddress, _ state: inout State) {
        state.count &-= 1
        guard isCounted(address), let before = state.byAddress[address.counted] else { return }
        state.byAddress[address.counted] = before > 1 ? before &- 1 : nil
    }
}
