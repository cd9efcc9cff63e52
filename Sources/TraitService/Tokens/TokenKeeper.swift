// The tokens in effect. They come from a file, which is read again on request; a token that is no
// longer in it, or says something else, or has expired, ends with all its streams.

import Background
import Dispatch
import SessionViews
import Synchronization
import TraitSessions

package final class TokenKeeper: Sendable {
    private struct State {
        /// The callers by accessor; a token that is being replaced has two.
        var callers: [String: [Caller]] = [:]
        var timer: Ticker?
    }

    package let file: TokenFile
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())
    /// Held while the file is read and its tokens are taken over.
    private let reloading = Mutex(())
    /// The counter that every request checks.
    let changes = TokenChanges()

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    /// - Throws: what is wrong with the file.
    package init(
        _ file: TokenFile, now: @escaping @Sendable () -> Int64 = SessionEnvironment.system.now
    ) throws(TokenFileError) {
        self.file = file
        self.now = now
        try reload()
    }

    /// How many secrets are known.
    package var count: Int { state.withLock { $0.callers.values.reduce(0) { $0 + $1.count } } }

    /// Reads the file again. Callers whose token says the same as before stay, with their streams.
    ///
    /// - Throws: what is wrong with the file; then all stays as it was.
    package func reload() throws(TokenFileError) {
        try reloading.withLock { _ throws(TokenFileError) in
            let entries = try file.read()
            // Not replaced in place: requests look callers up while the file is read.
            var left = state.withLock { $0.callers }
            var callers: [String: [Caller]] = [:]
            for entry in entries {
                let present = left[entry.accessor, default: []]
                if let same = present.firstIndex(where: { $0.agrees(with: entry) }) {
                    left[entry.accessor]?.remove(at: same)
                    callers[entry.accessor, default: []].append(present[same])
                } else {
                    callers[entry.accessor, default: []].append(Caller(entry))
                }
            }
            state.withLock { $0.callers = callers }
            end(left.values.flatMap { $0 })
        }
        schedule()
    }

    private func end(_ callers: [Caller]) {
        if callers.isEmpty { return }
        // First, so that no request is let in by an earlier verification.
        changes.happened()
        for caller in callers { caller.revoke() }
    }

    // MARK: - Verifying

    enum Failure: Error {
        case unknown, expired
    }

    /// The caller with that secret. Takes less than a microsecond.
    func caller(with parts: TokenText.Parts) throws(Failure) -> Caller {
        let hash = TokenHash(of: parts.secret)
        return try caller(parts.accessor) { $0.hash == hash }
    }

    /// The caller whose ticket opens the notices of a node.
    ///
    /// - Parameter uid: the session's.
    func caller(
        with ticket: Ticket.Parts, uid: String, node: String
    ) throws(Failure) -> Caller {
        let caller = try caller(ticket.accessor) {
            ticket.isSealed(by: $0, uid: uid, node: node)
        }
        if ticket.isExpired(at: now()) { throw .expired }
        return caller
    }

    /// A ticket for the notices of a node; nil for a caller without a token.
    func ticket(for caller: Caller, uid: String, node: String) -> String? {
        Ticket.make(for: caller, uid: uid, node: node, now: now())
    }

    private func caller(
        _ accessor: UnsafeRawBufferPointer, _ matches: (Caller) -> Bool
    ) throws(Failure) -> Caller {
        let accessor = String(decoding: accessor, as: UTF8.self)
        var found: Caller?
        // Compares with all of them, so that the time does not reveal which one matches.
        for caller in state.withLock({ $0.callers[accessor] ?? [] }) where matches(caller) {
            found = caller
        }
        guard let found else { throw .unknown }
        if found.isRevoked || found.isExpired(at: now()) { throw .expired }
        found.admit()
        return found
    }

    // MARK: - Expiry

    /// Begins to end callers when their tokens expire. To be called once the process may start threads.
    func startExpiring() {
        let timer = Ticker(every: .never) { [weak self] in self?.expire() }
        state.withLock { $0.timer = timer }
        schedule()
    }

    /// Ends callers whose tokens have expired. Each is replaced by another caller for the same token, which has no
    /// streams: when the clock was ahead and is right again, the token is good again.
    func expire() {
        let time = now()
        let expired = state.withLock { state in
            var expired: [Caller] = []
            for (accessor, callers) in state.callers {
                for (index, caller) in callers.enumerated()
                where caller.wasAdmitted && caller.isExpired(at: time) {
                    expired.append(caller)
                    state.callers[accessor]?[index] = caller.successor()
                }
            }
            return expired
        }
        end(expired)
        schedule()
    }

    /// Has the timer go off at the next expiry, and within a second if any token has one: the clock may be set
    /// at any time, and no timer notices that. O(tokens).
    private func schedule() {
        let time = now()
        let (callers, timer) = state.withLock { ($0.callers, $0.timer) }
        let expiries = callers.values.joined().compactMap(\.expires)
        guard let timer, !expiries.isEmpty else { return }
        let next = expiries.filter { $0 > time }.min()
        timer.schedule(after: next.map { Int(min($0 &- time, 1_000)) } ?? 1_000)
    }
}

/// Counts the times when callers ended: tokens that were verified before have to be verified again. It is apart
/// from the keeper because the keeper has weak references, which make references to the keeper cost more.
final class TokenChanges: Sendable {
    private let number = Atomic<UInt64>(1)

    var count: UInt64 { number.load(ordering: .acquiring) }

    fileprivate func happened() { number.add(1, ordering: .sequentiallyConsistent) }
}
