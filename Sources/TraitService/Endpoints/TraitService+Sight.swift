// Routes for operators: metrics, what is in effect, what was slow, and whether traffic should come here.

import HTTPWire
import JSONCodec
import TraitSessions

extension TraitService {
    /// `/metrics`: OpenMetrics when the client prefers it, else Prometheus' own format.
    func showMetrics(_ request: Request) throws(Problem) {
        let context = request.context
        let format: MetricsText.Format
        switch request.exchange.bestMediaType(offered: [
            "text/plain", "application/openmetrics-text",
        ]) {
        case 0: format = .prometheus
        case 1: format = .openMetrics
        default:
            throw Problem(
                .notAcceptable, "Metrics come as text/plain or application/openmetrics-text.")
        }
        context.field("Cache-Control", "no-store")
        context.contentType = format.contentType
        let text = OutputBuffer(capacity: 65_536)
        var page = MetricsPage(self, format, into: text)
        page.write()
        context.isTaken = true
        context.leave(on: request.exchange, .owned(text))
    }

    /// Each check of `/readyz` with the reason of its failure, which is nil when it passes.
    private var checkResults: [(name: String, reason: String?)] {
        [("serving", readiness.isDraining ? "shutting down" : nil), ("storage", storageTrouble)]
            + sight.checks.map { ($0.name, $0.fails()) }
    }

    /// Whether every check passes, so that the server should get traffic.
    var isReady: Bool { checkResults.allSatisfy { $0.reason == nil } }

    /// `/readyz`: whether traffic should come here. With `?verbose` each check is listed.
    func ready(_ request: Request) throws(Problem) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        let isVerbose = context.query.flag(.verbose)
        if readiness.isDraining, !isVerbose {
            throw Problem(.draining, "The server is shutting down. Another instance will answer.")
        }
        if let storageTrouble, !isVerbose { throw Problem(.logUnavailable, storageTrouble) }
        let results = checkResults
        let failed = results.first { $0.reason != nil }
        if !isVerbose {
            if let failed {
                throw Problem(.notReady, "\(failed.name): \(failed.reason ?? "")")
            }
            return context.body.verbatim("{\"status\":\"ready\"}\n")
        }
        if failed != nil { context.status = 503 }
        context.body.beginObject()
        context.body.key("status")
        context.body.value(failed == nil ? "ready" : "notReady")
        context.body.key("checks")
        context.body.beginArray()
        for (name, reason) in results {
            context.body.beginObject()
            context.body.key("name")
            context.body.value(name)
            context.body.key("passes")
            context.body.value(reason == nil)
            if let reason {
                context.body.key("reason")
                context.body.value(reason)
            }
            context.body.endObject()
        }
        context.body.endArray()
        context.body.endObject()
        context.body.newline()
    }

    /// `/v1/server`: version, addresses, configuration and limits in effect.
    func showServer(_ request: Request) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        context.body.beginObject()
        context.body.key("version")
        context.body.value(version)
        context.body.key("startedAt")
        context.body.value(Timestamp.text(sight.startedAt))
        context.body.key("addresses")
        context.body.beginArray()
        for place in places.list { context.body.value(place) }
        context.body.endArray()
        context.body.key("shards")
        context.body.value(sight.meters.count)
        context.body.key("settings")
        context.body.beginArray()
        for setting in sight.settings {
            context.body.beginObject()
            context.body.key("name")
            context.body.value(setting.name)
            context.body.key("value")
            context.body.value(SafeText.hidingTokens(setting.value))
            context.body.key("source")
            context.body.value(setting.source)
            context.body.endObject()
        }
        context.body.endArray()
        context.body.key("limits")
        context.body.beginObject()
        let limits = sight.limits
        for limit in AllLimits.all {
            context.body.key(limit.name.description)
            // Without a limit the default is the largest integer, which clients could not read.
            let value = limit.get(limits)
            if value == .max { context.body.null() } else { context.body.value(value) }
        }
        context.body.endObject()
        context.body.endObject()
        context.body.newline()
    }

    /// `/v1/server/slow`: the newest requests that took long.
    func showSlowRequests(_ request: Request) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        context.body.beginObject()
        context.body.key("thresholdMicroseconds")
        context.body.value(limits.slowRequestMicrosecondsMin)
        context.body.key("requests")
        context.body.beginArray()
        sight.slow.write(into: &context.body)
        context.body.endArray()
        context.body.endObject()
        context.body.newline()
    }
}
