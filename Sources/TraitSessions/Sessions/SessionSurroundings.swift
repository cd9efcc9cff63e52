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
    /// Names the entries that are being applied, for the next start; nil for none.
    let crashMark: CrashMark?

    package init(
        limits: ServiceLimits, environment: SessionEnvironment, log: (any SessionLog)? = nil
    ) {
        self.limits = limits
        self.environment = environment
        self.log = log
        writer = nil
        writerName = nil
        leases = nil
        crashMark = nil
    }

    /// The surroundings of sessions whose commits the writer hands over to its log.
    init(
        limits: ServiceLimits, environment: SessionEnvironment, writer: LogWriter?,
        crashMark: CrashMark? = nil
    ) {
        self.crashMark = crashMark
        self.limits = limits
        self.environment = environment
        self.writer = writer
        log = writer?.log
        writerName =
            log?.properties.isShared == true ? environment.name(length: 12) : nil
        leases = writerName.map { SharedLeases(process: $0, environment) }
    }
}
