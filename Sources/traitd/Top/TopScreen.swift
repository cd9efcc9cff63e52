// The screen of `traitd top` as lines of text: the figures of the server, then routes, sessions and slow requests,
// as many as there is room for.

struct TopScreen {
    enum Order: String, CaseIterable {
        case rate, p99, total, name

        var next: Order {
            let all = Order.allCases
            return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
        }
    }

    struct Line {
        var text: String
        var isHeading = false
        var tint: Tint?
    }

    /// What a line stands out for.
    enum Tint {
        case refused, slow
    }

    /// A heading and rows, of which some are shown.
    private struct Table {
        let heading: String
        let rows: [Line]
        /// Lines that the table gets for each line of another table of weight 1.
        let weight: Int
        /// Rows where the height is not limited.
        let rowsMax: Int
        /// Lines with an empty one, the heading and at least one row; fewer show nothing.
        var lines = 0

        static let linesMin = 3
    }

    let width: Int
    /// Nil for any.
    let height: Int?
    var order = Order.rate
    /// The last line of the screen; nil for none.
    var footer: String?
    /// Whether the terminal shows more than ASCII.
    var isUnicode = true

    /// At most `height` lines, each of at most `width` columns.
    func lines(_ figures: TopFigures, of server: String) -> [Line] {
        var lines = summary(figures, server)
        let last = footer == nil ? 0 : 1
        for table in fitted(tables(figures), into: height.map { $0 - lines.count - last }) {
            lines.append(Line(text: ""))
            lines.append(Line(text: TopText.left(table.heading, width), isHeading: true))
            lines += table.rows.prefix(table.lines - 2)
        }
        if let height {
            lines = Array(lines.prefix(max(0, height - last)))
            if footer != nil {
                lines += repeatElement(Line(text: ""), count: max(0, height - last - lines.count))
            }
        }
        if let footer, height ?? 1 > 0 { lines.append(Line(text: footer)) }
        return lines.map { line in
            let text = TopText.cut(line.text, width)
            return Line(
                text: isUnicode ? text : TopText.spelled(text), isHeading: line.isHeading,
                tint: line.tint)
        }
    }

    /// The keys and what the figures are, in place of them.
    func help() -> [Line] {
        let texts = [
            "q      quit", "s      sort the routes by rate, p99, total, name",
            "r      read every 1, 2, 5, 10 seconds", "?      this help; any key goes back", "",
            "Rates, P50 and P99 are those of the time between two readings.",
            "TOTAL counts from the server's start. Rates and routes leave out",
            "the requests of traitd top itself.", "",
            "Red is refused. Yellow is slow: a request of the list, or a route",
            "whose P99 is as long. With NO_COLOR=1 there are no colours.",
        ]
        let lines =
            [Line(text: TopText.left("traitd top", width), isHeading: true)]
            + texts.map { Line(text: TopText.cut($0, width)) }
        return Array(lines.prefix(height ?? lines.count))
    }

    // MARK: - Figures

    private func summary(_ figures: TopFigures, _ server: String) -> [Line] {
        func value(_ name: String) -> String { TopText.count(figures.value("traitd_\(name)")) }
        func rate(_ name: String) -> String {
            TopText.rate(figures.rate("traitd_\(name)_total")) + "/s"
        }
        func bytes(_ name: String) -> String {
            TopText.bytes(figures.rate("traitd_\(name)_total")) + "/s"
        }
        let reading = figures.reading
        let processor = figures.rate("process_cpu_seconds_total").map { $0 * 100 }
        let refusals = ["traitd_log_flush_failures_total", "traitd_log_refused_appends_total"]
        return [
            row(
                "traitd \(TopText.plain(reading.version))",
                [
                    server, "up \(TopText.time(figures.uptime))",
                    reading.shards == 1 ? "1 shard" : "\(reading.shards) shards",
                    figures.isReady ? "ready" : "NOT READY",
                ], tint: figures.isReady ? nil : .refused),
            row(
                "requests",
                [
                    TopText.rate(figures.requestsPerSecond) + "/s",
                    "refused \(rate("http_refused"))",
                    "waiting \(value("http_requests_parked"))",
                    "on workers \(value("http_requests_working"))",
                    "processor \(TopText.rate(processor)) %",
                ], tint: (figures.rate("traitd_http_refused_total") ?? 0) > 0 ? .refused : nil),
            row(
                "commits",
                [
                    rate("commits"), "sessions \(value("sessions")) of \(value("sessions_max"))",
                    "nodes \(value("nodes"))", "registrations \(value("registrations"))",
                ]),
            row(
                "connections",
                [
                    "\(value("connections")) of \(value("connections_max"))",
                    "new \(rate("connections_accepted"))",
                    "received \(bytes("http_received_bytes"))",
                    "sent \(bytes("http_sent_bytes"))",
                ]),
            row("streams", streams(figures, value("streams"), rate("streams_opened"))),
            row(
                "log", log(figures),
                tint: refusals.contains { (figures.rate($0) ?? 0) > 0 } ? .refused : nil),
            row("memory", memory(figures)),
        ]
    }

    private func streams(_ figures: TopFigures, _ open: String, _ opened: String) -> [String] {
        let delivery = figures.quantiles("traitd_change_delivery_seconds")
        return [
            open, "new \(opened)",
            "ended \(TopText.rate(figures.rate("traitd_stream_ends_total")))/s",
            "delivery p50 \(TopText.seconds(delivery.p50)) p99 \(TopText.seconds(delivery.p99))",
        ]
    }

    private func log(_ figures: TopFigures) -> [String] {
        guard figures.logKind != .none else { return ["none, sessions live in memory"] }
        let entries = TopText.rate(figures.rate("traitd_log_entries_total"))
        let duration = figures.quantiles(figures.logDuration)
        let isShared = figures.logKind == .shared
        let times =
            "\(isShared ? "append" : "flush") p50 \(TopText.seconds(duration.p50)) "
            + "p99 \(TopText.seconds(duration.p99))"
        func value(_ name: String) -> Double? { figures.value("traitd_\(name)") }
        let refused = "refused \(TopText.count(value("log_refused_appends_total")))"
        if isShared {
            let used = TopText.bytes(value("log_used_bytes"))
            return [
                "\(entries) entries/s", times,
                "silent \(TopText.seconds(value("log_silence_seconds")))",
                "behind \(TopText.seconds(value("replica_behind_seconds")))",
                "\(used) of \(TopText.bytes(value("log_max_bytes")))", refused,
            ]
        }
        return [
            "\(entries) entries/s", times, TopText.bytes(value("log_bytes")),
            "failed flushes \(TopText.count(value("log_flush_failures_total")))", refused,
        ]
    }

    private func memory(_ figures: TopFigures) -> [String] {
        let admitted = TopText.bytes(figures.value("traitd_memory_admitted_bytes"))
        let bytesMax = figures.value("traitd_memory_max_bytes").map { " of \(TopText.bytes($0))" }
        return ["\(admitted)\(bytesMax ?? "")"]
            + figures.memory.filter { $0.bytes > 0 }
            .map { "\(TopText.plain($0.part)) \(TopText.bytes($0.bytes))" }
    }

    /// A name and figures; figures that do not fit are left out.
    private func row(_ name: String, _ parts: [String], tint: Tint? = nil) -> Line {
        var line = TopText.left(name, max(12, name.count)) + " " + (parts.first ?? "")
        for part in parts.dropFirst() {
            guard line.count + 2 + part.count <= width else { break }
            line += "  " + part
        }
        return Line(text: line, tint: tint)
    }

    // MARK: - Tables

    private func tables(_ figures: TopFigures) -> [Table] {
        let sessions = figures.reading.sessions
        let nodes = TopText.column(sessions.map { "\($0.nodes)" }, atLeast: 12)
        let revision = TopText.column(sessions.map { "\($0.revision)" }, atLeast: 12)
        return [
            routes(figures),
            Table(
                heading: TopText.left("SESSION", nameWidth(nodes + revision))
                    + TopText.right("NODES", nodes) + TopText.right("REVISION", revision),
                rows: figures.reading.sessions.map { session in
                    Line(
                        text: TopText.left(
                            TopText.plain(session.name), nameWidth(nodes + revision))
                            + TopText.right("\(session.nodes)", nodes)
                            + TopText.right("\(session.revision)", revision))
                }, weight: 1, rowsMax: 10),
            slow(figures),
        ].filter { !$0.rows.isEmpty }
    }

    /// Columns for a text beside others of `other` columns.
    private func nameWidth(_ other: Int) -> Int { max(8, min(80, width - other)) }

    private func routes(_ figures: TopFigures) -> Table {
        let hasTotal = width >= 64
        let hasMedian = width >= 52
        let methods = TopText.column(figures.routes.map { TopText.plain($0.method) }, atLeast: 7)
        let slow = Double(figures.reading.slowMicrosecondsMin) / 1e6
        let other = methods + 9 + 9 + (hasMedian ? 9 : 0) + (hasTotal ? 9 : 0)
        func line(
            _ method: String, _ route: String, _ rate: String, _ p50: String, _ p99: String,
            _ total: String
        ) -> String {
            TopText.left(method, methods) + TopText.left(route, nameWidth(other))
                + TopText.right(rate, 9) + (hasMedian ? TopText.right(p50, 9) : "")
                + TopText.right(p99, 9) + (hasTotal ? TopText.right(total, 9) : "")
        }
        return Table(
            heading: line("METHOD", "ROUTE", "REQ/S", "P50", "P99", "TOTAL"),
            rows: sorted(figures.routes).map { route in
                Line(
                    text: line(
                        TopText.plain(route.method), TopText.plain(route.route),
                        TopText.rate(route.perSecond), TopText.seconds(route.p50),
                        TopText.seconds(route.p99), TopText.count(route.total)),
                    tint: slow > 0 && (route.p99 ?? 0) >= slow ? .slow : nil)
            }, weight: 2, rowsMax: 20)
    }

    private func sorted(_ routes: [TopFigures.Route]) -> [TopFigures.Route] {
        func key(_ route: TopFigures.Route) -> Double {
            switch order {
            case .rate: route.perSecond ?? 0
            case .p99: route.p99 ?? -1
            case .total: route.total
            case .name: 0
            }
        }
        return routes.sorted {
            let (first, second) = (key($0), key($1))
            if first != second { return first > second }
            // Without requests in the time shown, the busiest before.
            if order != .name, $0.total != $1.total { return $0.total > $1.total }
            return ($0.route, $0.method) < ($1.route, $1.method)
        }
    }

    private func slow(_ figures: TopFigures) -> Table {
        let limit = TopText.seconds(Double(figures.reading.slowMicrosecondsMin) / 1e6)
        let methods = TopText.column(
            figures.reading.slow.map { TopText.plain($0.method) }, atLeast: 7)
        func line(
            _ time: String, _ method: String, _ target: String, _ status: String, _ took: String,
            _ parts: [String]
        ) -> String {
            let spent = width >= 100 ? parts.map { TopText.right($0, 9) }.joined() : ""
            return TopText.left(time, 10) + TopText.left(method, methods)
                + TopText.left(target, nameWidth(10 + methods + 7 + 9 + spent.count))
                + TopText.right(status, 7) + TopText.right(took, 9) + spent
        }
        return Table(
            heading: line(
                "TIME", "METHOD", "SLOW REQUEST, \(limit) OR MORE", "STATUS", "TOOK",
                ["SHARD", "LOG", "WORKERS"]),
            rows: figures.reading.slow.map { request in
                let spent = [request.spent.shard, request.spent.log, request.spent.workers]
                return Line(
                    text: line(
                        // Of 2026-11-27T10:00:00.000Z.
                        String(TopText.plain(request.time).dropFirst(11).prefix(8)),
                        TopText.plain(request.method), TopText.plain(request.target),
                        "\(request.status)", TopText.seconds(request.milliseconds / 1e3),
                        spent.map { TopText.seconds($0 / 1e3) }),
                    tint: request.status >= 400 ? .refused : .slow)
            }, weight: 1, rowsMax: 10)
    }

    /// The tables with the lines that each may take.
    private func fitted(_ tables: [Table], into room: Int?) -> [Table] {
        var tables = tables
        guard var room else {
            for index in tables.indices {
                tables[index].lines = 2 + min(tables[index].rows.count, tables[index].rowsMax)
            }
            return tables
        }
        // Each table first gets its heading and one row; the lines that are left go round the tables by weight.
        for index in tables.indices where room >= Table.linesMin {
            tables[index].lines = Table.linesMin
            room -= Table.linesMin
        }
        tables.removeAll { $0.lines == 0 }
        var grows = true
        while grows {
            grows = false
            for index in tables.indices {
                for _ in 0..<tables[index].weight
                where room > 0 && tables[index].lines < tables[index].rows.count + 2 {
                    tables[index].lines += 1
                    room -= 1
                    grows = true
                }
            }
        }
        return tables
    }
}
