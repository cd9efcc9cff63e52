// Routes for operators: metrics, what is in effect, what was slow, and whether traffic should come here.

import HTTPWire
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// `/metrics`: OpenMetrics or JSON when the client prefers it, else Prometheus' own format.
    func showMetrics(_ request: Request) throws(Problem) {
        let context = request.context
        let format: MetricsText.Format
        switch request.exchange.bestMediaType(offered: [
            "text/plain", "application/openmetrics-text", "application/json",
        ]) {
        case 0: format = .prometheus
        case 1: format = .openMetrics
        case 2: format = .json
        default:
            throw Problem(
                .notAcceptable,
                "Metrics come as text/plain, application/openmetrics-text or application/json.")
        }
        context.field("Cache-Control", "no-store")
        context.contentType = format.contentType
        let text = OutputBuffer(capacity: 65_536)
        var page = MetricsPage(self, format, into: text)
        page.write()
        context.isTaken = true
        context.leave(on: request.exchange, .owned(text))
    }

    /// Each check of `/readyz` with the reason of its failure, which is nil when it passes, and whether the server has
    /// to pass it to be ready.
    private var checkResults: [(name: String, reason: String?, isNeeded: Bool)] {
        let storage = storageTrouble ?? silenceTrouble
        var results = [
            (
                name: "serving", reason: isDraining ? "shutting down" : nil,
                isNeeded: true
            ),
            (
                name: "storage", reason: storage?.detail,
                isNeeded: storageTrouble != nil || !readyWithoutLog
            ),
        ]
        if store.isShared {
            results.append(
                (name: "level", reason: lagTrouble?.detail, isNeeded: !readyWithoutLog))
        }
        return results
    }

    /// Whether every needed check passes, so that the server should get traffic.
    var isReady: Bool { checkResults.allSatisfy { $0.reason == nil || !$0.isNeeded } }

    /// `/readyz`: whether traffic should come here. With `?verbose` each check is listed.
    func ready(_ request: Request) throws(Problem) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        guard context.query.flag(.verbose) else {
            if isDraining {
                throw Problem(
                    .draining, "The server is shutting down. Another instance will answer.")
            }
            if let trouble = storageTrouble { throw trouble }
            if !readyWithoutLog, let trouble = silenceTrouble ?? lagTrouble { throw trouble }
            return context.body.verbatim("{\"status\":\"ready\"}\n")
        }
        let results = checkResults
        let isReady = results.allSatisfy { $0.reason == nil || !$0.isNeeded }
        if !isReady { context.status = 503 }
        context.body.beginObject()
        context.body.member("status", isReady ? "ready" : "notReady")
        context.body.beginArray("checks")
        for (name, reason, _) in results {
            context.body.beginObject()
            context.body.member("name", name)
            context.body.member("passes", reason == nil)
            context.body.member("reason", ifPresent: reason)
            context.body.endObject()
        }
        context.body.endArray()
        context.body.endText()
    }

    /// `/v1/server`: version, addresses, configuration and limits in effect.
    func showServer(_ request: Request) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        context.body.beginObject()
        context.body.member("version", version)
        context.body.member("startedAt", Timestamp.text(observability.startedAt))
        context.body.beginArray("addresses")
        for place in places.list { context.body.value(place) }
        context.body.endArray()
        context.body.member("shards", observability.meters.count)
        context.body.beginArray("settings")
        for setting in observability.settings {
            context.body.beginObject()
            context.body.member("name", setting.name)
            context.body.member("value", SafeText.hidingSecrets(setting.value))
            context.body.member("source", setting.source)
            context.body.endObject()
        }
        context.body.endArray()
        context.body.beginObject("limits")
        let limits = observability.limits
        for limit in AllLimits.all {
            context.body.key(limit.name.description)
            // Without a limit the default is the largest integer, which clients could not read.
            let value = limit.get(limits)
            if value == .max { context.body.null() } else { context.body.value(value) }
        }
        context.body.endObject()
        context.body.endText()
    }

    /// `/v1/server/sessions`: the newest sessions that were made, and that have ended.
    func showSessionEvents(_ request: Request) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        context.body.beginObject()
        context.body.beginArray("events")
        store.events.write(into: &context.body)
        context.body.endArray()
        context.body.endText()
    }

    /// `/v1/server/slow`: the newest requests and turns that took long.
    func showSlowRequests(_ request: Request) {
        let context = request.context
        context.field("Cache-Control", "no-store")
        context.body.beginObject()
        context.body.member("thresholdMicroseconds", limits.slowRequestMicrosecondsMin)
        context.body.beginArray("requests")
        observability.slow.write(into: &context.body)
        context.body.endArray()
        context.body.member(
            "turnThresholdMicroseconds", observability.limits.server.slowTurnMicrosecondsMin)
        context.body.beginArray("turns")
        observability.slowTurns.write(into: &context.body)
        context.body.endArray()
        context.body.endText()
    }
}
