// The figures that an operator sees of the server. This is the one place that knows all meters.

import HTTPServer
import SessionViews
import Synchronization
import TraitSessions

/// The meters of all shards, and the other figures that /metrics and /v1/server show.
package final class Observability: Sendable {
    /// One setting of the configuration, for `/v1/server`.
    package struct Setting: Sendable {
        package let name: String
        package let value: String
        /// Where it comes from: `flag`, `TRAITD_PORT`, a file, `default`.
        package let source: String

        package init(name: String, value: String, source: String) {
            self.name = name
            self.value = value
            self.source = source
        }
    }

    /// The values that `describe` sets, which are unknown when this is made.
    private struct Known: Sendable {
        var statistics: @Sendable () -> ServerStatistics = { ServerStatistics() }
        var limits = AllLimits()
        var settings: [Setting] = []
    }

    let meters: [ShardMeters]
    let slow: SlowList
    let slowTurns: SlowList
    let accessLog: AccessLog?
    /// Milliseconds since 1970.
    let startedAt: Int64
    private let known = Mutex(Known())

    init(
        shards: Int, limits: ServiceLimits, environment: SessionEnvironment, accessLog: AccessLog?
    ) {
        startedAt = environment.now()
        self.accessLog = accessLog
        let slow = SlowList(limits: limits, now: environment.now)
        self.slow = slow
        slowTurns = SlowList(limits: limits, now: environment.now)
        meters = (0..<shards).map {
            ShardMeters(index: $0, limits: limits, slow: slow, accessLog: accessLog)
        }
        known.withLock { $0.limits.service = limits }
    }

    /// To be called before the server starts.
    ///
    /// - Parameters:
    ///   - limits: those in effect.
    ///   - settings: the configuration in effect, without secrets.
    ///   - statistics: the server's.
    package func describe(
        limits: AllLimits, settings: [Setting],
        statistics: @escaping @Sendable () -> ServerStatistics
    ) {
        known.withLock { known in
            known.limits = limits
            known.settings = settings
            known.statistics = statistics
        }
    }

    var statistics: ServerStatistics { known.withLock { $0.statistics }() }
    var limits: AllLimits { known.withLock { $0.limits } }
    var settings: [Setting] { known.withLock { $0.settings } }
}
