// The values that all sessions of a store share. Each session has a reference to them: copies of the values took
// a thousand bytes of each session.

import SessionLog

/// Immutable.
@usableFromInline
package final class SessionSurroundings: Sendable {
    @usableFromInline let limits: ServiceLimits
    @usableFromInline let environment: SessionEnvironment
    /// The log that keeps commits; nil when commits end with the process.
    let log: (any SessionLog)?
    /// Hands commits over to the log; nil without a log, and for sessions that only read their log.
    let writer: LogWriter?
    /// The name of this process in its entries; nil when the log has no other writers.
    let writerName: String?
    /// Which leases the processes of the log have renewed; nil when the log has no other writers.
    let leases: SharedLeases?
    /// The revision of a shared log that this process does not apply, by the session's uid.
    private let refusals: [String: Int64]
    let window: RetainedWindow
    let events = SessionEvents()

    /// - Parameter writer: hands commits over to its log; nil for sessions that only read `log`, and without a log.
    package init(
        limits: ServiceLimits, environment: SessionEnvironment, log: (any SessionLog)? = nil,
        writer: LogWriter? = nil, refusing refusals: [String: Int64] = [:]
    ) {
        self.limits = limits
        window = RetainedWindow(limits)
        self.environment = environment
        self.writer = writer
        self.log = writer?.log ?? log
        self.refusals = refusals
        let isShared = writer?.log.properties.isShared ?? false
        writerName = isShared ? environment.name(length: 12) : nil
        leases = writerName.map { SharedLeases(process: $0, environment) }
    }

    /// To be called before the entry or the snapshot of a revision is applied.
    ///
    /// - Throws: `refused` for a revision that the operator has this process refuse.
    func check(_ revision: Int64, of uid: String, _ name: String) throws(ReplayError) {
        guard !refusals.isEmpty, refusals[uid] == revision else { return }
        throw ReplayError(
            session: name, revision: revision,
            reason: "this server was started with --refuse \(uid):\(revision)", cause: .refused)
    }
}
