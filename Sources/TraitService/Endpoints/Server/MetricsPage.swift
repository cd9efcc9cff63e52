// The metric families of /metrics. All counters are kept up to date where events occur, so a scrape visits
// no session, node or stream, and its cost does not depend on what the server holds.

import HTTPServer
import HTTPWire
import SessionLog
import SessionViews
import TraitSessions

struct MetricsPage: ~Copyable {
    private let service: TraitService
    private let observability: Observability
    private var text: MetricsText

    init(_ service: TraitService, _ format: MetricsText.Format, into out: OutputBuffer) {
        self.service = service
        observability = service.observability
        text = MetricsText(format, into: out)
    }

    /// O(series that were ever counted × shards).
    mutating func write() {
        requests()
        connections(observability.statistics)
        sessions()
        streams()
        log()
        memory()
        process()
        text.end()
    }

    /// The sum of one number over the counters of all shards.
    private func sum(_ index: Int, of counters: [CounterArray]) -> Int {
        var sum = 0
        for shard in counters { sum &+= shard[index] }
        return sum
    }

    private mutating func requests() {
        text.begin(
            "traitd_http_requests", .counter,
            "Requests that were answered, by route template, method and status.")
        let requests = observability.meters.map(\.requests)
        let durations = observability.meters.map(\.durations)
        var seen: [RequestSeries] = []
        for index in 0..<RequestSeries.count {
            let series = RequestSeries(index: index)
            var isSeen = false
            for (position, status) in StatusSeries.statuses.enumerated() {
                let count = sum(index * StatusSeries.count + position, of: requests)
                if count == 0 { continue }
                isSeen = true
                let code = status == 0 ? "other" : "\(status)"
                text.sample(
                    count, suffix: "_total", labels: labels(series) + [("code", code)])
            }
            if isSeen { seen.append(series) }
        }
        text.begin(
            "traitd_http_request_duration_seconds", .histogram,
            "Seconds from the turn in which a request was whole to the end of the turn in which its "
                + "answer left. Streams count until their first bytes.")
        for series in seen {
            let first = series.index * DurationBuckets.stride
            text.histogram(
                (0..<DurationBuckets.stride).map { sum(first + $0, of: durations) },
                labels: labels(series))
        }
    }

    private func labels(_ series: RequestSeries) -> MetricsText.Labels {
        [("route", series.routeLabel), ("method", series.methodLabel)]
    }

    private mutating func connections(_ server: ServerStatistics) {
        let limits = observability.limits
        text.gauge("traitd_connections", "Open connections.", server.connections)
        text.gauge(
            "traitd_connections_max", "The limit of open connections.",
            limits.server.connectionsMax)
        text.counter(
            "traitd_connections_accepted", "Connections accepted.", server.accepted)
        text.counter(
            "traitd_http_refused",
            "Requests and connections refused before a route was looked for.", server.refused)
        text.counter(
            "traitd_http_received_bytes", "Bytes received.", server.receivedBytes)
        text.counter("traitd_http_sent_bytes", "Bytes sent.", server.sentBytes)
        text.gauge(
            "traitd_http_requests_parked",
            "Requests that wait for the log or for a change.", server.parked)
        text.gauge(
            "traitd_http_requests_working", "Requests that worker threads carry out.",
            server.working)
        text.gauge(
            "traitd_unfinished_request_bytes", "Bytes held of incomplete requests.",
            server.collectedBytes)
        text.gauge(
            "traitd_unsent_answer_bytes",
            "Bytes held of answers that their clients have not received.",
            server.unsentBytes)
        text.begin("traitd_longest_turn_seconds", .gauge, "The longest turn of a shard so far.")
        text.sample(Double(server.longestTurnMicroseconds) / 1_000_000)
        text.begin(
            "traitd_longest_scheduled_turn_seconds", .gauge,
            "The longest turn without the time in which its thread waited for a processor.")
        text.sample(Double(server.longestScheduledTurnMicroseconds) / 1_000_000)
    }

    private mutating func sessions() {
        let meters = service.store.meters
        text.gauge("traitd_sessions", "Sessions.", service.store.count)
        text.gauge("traitd_sessions_max", "The limit of sessions.", service.limits.sessionsMax)
        text.gauge("traitd_nodes", "Nodes of all sessions.", meters.total(.nodes))
        text.gauge(
            "traitd_registrations", "Registrations of all sessions.", meters.total(.registrations))
        text.counter("traitd_commits", "Commits that the log acknowledged.", meters.total(.commits))
    }

    private mutating func streams() {
        let opened = sum(0, of: observability.meters.map(\.streamsOpened))
        let reasons = StreamReason.allCases.map(\.rawValue) + ["disconnected"]
        let ends = reasons.indices.map { sum($0, of: observability.meters.map(\.streamEnds)) }
        text.gauge("traitd_streams", "Open event streams.", opened &- ends.reduce(0, &+))
        text.counter("traitd_streams_opened", "Event streams opened.", opened)
        text.begin(
            "traitd_stream_ends", .counter,
            "Event streams that ended, by the reason of their end record; disconnected is without one."
        )
        for (reason, count) in zip(reasons, ends) {
            text.sample(count, suffix: "_total", labels: [("reason", reason)])
        }
        text.begin(
            "traitd_change_delivery_seconds", .histogram,
            "Seconds from a commit to its records on their way to a stream, once for each stream.")
        text.histogram(
            (0..<DurationBuckets.stride).map { sum($0, of: observability.meters.map(\.deliveries)) }
        )
    }

    private mutating func log() {
        let meters = service.store.meters
        text.counter("traitd_log_appends", "Calls that append to the log.", meters.total(.appends))
        text.counter(
            "traitd_log_entries", "Entries handed to the log.", meters.total(.appendedEntries))
        text.counter(
            "traitd_log_conflicts", "Appends that found another writer's entry.",
            meters.total(.conflicts))
        if let statistics = service.store.log?.statistics {
            if let contact = service.store.log?.contact {
                shared(contact, statistics)
            } else {
                disk(statistics)
            }
            text.counter(
                "traitd_log_refused_appends", "Appends refused for lack of room.",
                Int(clamping: statistics.refusedForSpace))
            text.counter(
                "traitd_log_snapshots", "Snapshots written.", Int(clamping: statistics.snapshots))
            text.counter(
                "traitd_log_snapshot_failures", "Snapshots that could not be written.",
                Int(clamping: service.store.snapshotFailures?.count ?? 0))
        }
        text.counter(
            "traitd_access_log_dropped_lines",
            "Lines of the access log that were not written because they came too fast.",
            observability.accessLog?.droppedLines ?? 0)
    }

    /// Writes the metrics of a log that servers share.
    private mutating func shared(_ contact: LogContact, _ log: LogStatistics) {
        text.begin(
            "traitd_log_append_duration_seconds", .histogram,
            "Seconds that an append to the shared log takes.")
        histogram(log)
        text.counter(
            "traitd_log_confirmations", "Questions to the shared log for the newest revisions.",
            service.store.meters.total(.confirmations))
        if !contact.replica.isEmpty {
            text.begin(
                "traitd_replica_info", .gauge,
                "The name of the server: --replica-id, or a random tag.")
            text.sample(1, labels: [("replica", contact.replica)])
        }
        text.counter(
            "traitd_log_refusals", "Requests that the shared log refused, as without a permission.",
            Int(clamping: log.denied))
        text.gauge(
            "traitd_log_refused", "1 while the shared log refuses this server.",
            contact.refusal == nil ? 0 : 1)
        text.counter(
            "traitd_log_watch_restarts", "How often the shared log was followed anew.",
            Int(clamping: log.watchRestarts))
        if !contact.members.isEmpty {
            text.begin(
                "traitd_log_member_up", .gauge,
                "1 for a member of the shared log that answered when it was asked last.")
            for member in contact.members {
                text.sample(member.isUp ? 1 : 0, labels: [("member", member.name)])
            }
        }
        text.begin(
            "traitd_log_silence_seconds", .gauge, "Seconds since the shared log answered last.")
        text.sample(contact.silence / .seconds(1))
        text.begin(
            "traitd_replica_behind_seconds", .gauge,
            "Seconds for which the server has been reading what others have written.")
        text.sample(contact.lag / .seconds(1))
        text.gauge(
            "traitd_replica_sessions_refused",
            "Sessions with an entry that this server cannot apply.",
            service.store.refusedSessions)
        text.gauge(
            "traitd_log_used_bytes", "Bytes in use in the database of the shared log.",
            Int(clamping: contact.space.used))
        text.gauge(
            "traitd_log_max_bytes",
            "Bytes of the shared log's database from 95 % of which on writes are refused.",
            Int(clamping: contact.space.max))
        text.gauge(
            "traitd_log_short",
            "1 while the shared log keeps less history because 80 % of its room are used.",
            contact.space.isShort ? 1 : 0)
    }

    /// Writes the metrics of a log on disk.
    private mutating func disk(_ log: LogStatistics) {
        text.begin(
            "traitd_log_flush_duration_seconds", .histogram,
            "Seconds that a flush of the log to disk takes.")
        histogram(log)
        text.counter(
            "traitd_log_flush_failures", "Flushes that failed.", Int(clamping: log.failedFlushes))
        text.counter(
            "traitd_log_checkpoints", "Checkpoints of the log.", Int(clamping: log.checkpoints))
        text.gauge(
            "traitd_log_bytes", "Bytes of the entries and snapshots that are needed.",
            Int(clamping: log.logBytes))
    }

    private mutating func histogram(_ log: LogStatistics) {
        text.histogram(
            log.flushesByDuration.map { Int(clamping: $0) },
            LogStatistics.flushBoundsMicroseconds.map { "\(Double($0) / 1_000_000)" } + ["+Inf"],
            sum: "\(log.flushTime / .seconds(1))")
    }

    /// As the ledger knows it: parts are counted by a timer, some seconds ago at most.
    private mutating func memory() {
        let ledger = service.environment.memory
        text.begin(
            "traitd_memory_bytes", .gauge,
            "Memory of the process by what it is for, as counted last.")
        for (part, bytes) in ledger.partBytes {
            text.sample(bytes, labels: [("part", part.name)])
        }
        text.gauge(
            "traitd_memory_admitted_bytes",
            "What counts against the budget: measured, charged since, and reserved.", ledger.bytes)
        if ledger.isLimited {
            text.gauge(
                "traitd_memory_max_bytes", "The budget, --max-memory.", ledger.bytesMax)
        }
    }

    private mutating func process() {
        text.gauge(
            "traitd_ready", "1 while /readyz answers 200.",
            service.isReady ? 1 : 0)
        text.begin("traitd_build_info", .gauge, "The version that runs.")
        text.sample(1, labels: [("version", service.version)])
        let figures = ProcessFigures()
        if let seconds = figures.cpuSeconds {
            text.begin("process_cpu_seconds", .counter, "Processor time, user and system.")
            text.sample(seconds, suffix: "_total")
        }
        for (name, help, value) in [
            ("process_resident_memory_bytes", "Resident memory.", figures.residentBytes),
            ("process_virtual_memory_bytes", "Virtual memory.", figures.virtualBytes),
            ("process_threads", "Threads.", figures.threads),
            ("process_open_fds", "Open files.", figures.openFiles),
            ("process_max_fds", "Files that may be open.", figures.openFilesMax),
        ] {
            if let value { text.gauge(name, help, value) }
        }
        if let start = figures.startTime {
            text.begin(
                "process_start_time_seconds", .gauge, "When the process began, since 1970.")
            text.sample(start)
        }
    }
}
