// The figures of `traitd top --json`: one object. A figure that the server does not have is left out.

import JSONCodec

extension TopFigures {
    var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("version", reading.version)
        json.member("ready", isReady)
        number("uptimeSeconds", uptime, &json)
        json.member("shards", reading.shards)
        number("seconds", seconds, &json)
        number("requestsPerSecond", requestsPerSecond, &json)
        number("refusedPerSecond", rate("traitd_http_refused_total"), &json)
        number("commitsPerSecond", rate("traitd_commits_total"), &json)
        number("processorSecondsPerSecond", rate("process_cpu_seconds_total"), &json)
        writeRoutes(&json)
        writeConnections(&json)
        writeSessions(&json)
        writeLog(&json)
        writeMemory(&json)
        writeSlow(&json)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func number(_ name: StaticString, _ value: Double?, _ json: inout JSONWriter) {
        // JSON has no other numbers.
        if let value, value.isFinite { json.member(name, value) }
    }

    private func writeRoutes(_ json: inout JSONWriter) {
        json.beginArray("routes")
        for route in routes {
            json.beginObject()
            json.member("method", route.method)
            json.member("route", route.route)
            number("perSecond", route.perSecond, &json)
            number("p50Seconds", route.p50, &json)
            number("p99Seconds", route.p99, &json)
            number("requests", route.total, &json)
            json.endObject()
        }
        json.endArray()
    }

    private func writeConnections(_ json: inout JSONWriter) {
        json.beginObject("connections")
        number("open", value("traitd_connections"), &json)
        number("max", value("traitd_connections_max"), &json)
        number("acceptedPerSecond", rate("traitd_connections_accepted_total"), &json)
        number("receivedBytesPerSecond", rate("traitd_http_received_bytes_total"), &json)
        number("sentBytesPerSecond", rate("traitd_http_sent_bytes_total"), &json)
        json.endObject()
        let delivery = quantiles("traitd_change_delivery_seconds")
        json.beginObject("streams")
        number("open", value("traitd_streams"), &json)
        number("openedPerSecond", rate("traitd_streams_opened_total"), &json)
        number("endedPerSecond", rate("traitd_stream_ends_total"), &json)
        number("deliveryP50Seconds", delivery.p50, &json)
        number("deliveryP99Seconds", delivery.p99, &json)
        json.endObject()
    }

    private func writeSessions(_ json: inout JSONWriter) {
        json.beginObject("sessions")
        number("count", value("traitd_sessions"), &json)
        number("max", value("traitd_sessions_max"), &json)
        number("nodes", value("traitd_nodes"), &json)
        number("registrations", value("traitd_registrations"), &json)
        json.beginArray("largest")
        for session in reading.sessions {
            json.beginObject()
            json.member("name", session.name)
            json.member("nodes", session.nodes)
            json.member("revision", session.revision)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    private func writeLog(_ json: inout JSONWriter) {
        let duration = quantiles(logDuration)
        json.beginObject("log")
        json.member("kind", logKind.rawValue)
        if logKind != .none {
            number("entriesPerSecond", rate("traitd_log_entries_total"), &json)
            number("writeP50Seconds", duration.p50, &json)
            number("writeP99Seconds", duration.p99, &json)
            number("bytes", value("traitd_log_bytes") ?? value("traitd_log_used_bytes"), &json)
            number("bytesMax", value("traitd_log_max_bytes"), &json)
            number("failedFlushes", value("traitd_log_flush_failures_total"), &json)
            number("refusedAppends", value("traitd_log_refused_appends_total"), &json)
            number("silenceSeconds", value("traitd_log_silence_seconds"), &json)
            number("behindSeconds", value("traitd_replica_behind_seconds"), &json)
        }
        json.endObject()
    }

    private func writeMemory(_ json: inout JSONWriter) {
        json.beginObject("memory")
        number("bytes", value("traitd_memory_admitted_bytes"), &json)
        number("max", value("traitd_memory_max_bytes"), &json)
        json.beginObject("parts")
        for (part, bytes) in memory where bytes.isFinite {
            json.key(part)
            json.value(bytes)
        }
        json.endObject()
        json.endObject()
    }

    private func writeSlow(_ json: inout JSONWriter) {
        json.beginObject("slow")
        json.member("thresholdMicroseconds", reading.slowMicrosecondsMin)
        json.beginArray("requests")
        for request in reading.slow {
            json.beginObject()
            json.member("time", request.time)
            json.member("method", request.method)
            json.member("target", request.target)
            json.member("status", request.status)
            json.member("milliseconds", request.milliseconds)
            json.beginObject("spent")
            json.member("shard", request.spent.shard)
            json.member("log", request.spent.log)
            json.member("workers", request.spent.workers)
            json.endObject()
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
