// `traitd top`: the screen from fixed figures, and the command against servers that run.

import Foundation
import JSONCodec
import TestSupport
import Testing

@testable import traitd

@Suite("traitd top")
struct TopTests {
    // MARK: - The screen

    /// The metrics of a server; `step` is 0 or 1 for the first and the second reading.
    private static func metrics(_ step: Int, start: Int = 1_000) -> String {
        func histogram(_ labels: String, _ counts: [Int]) -> String {
            #"{\#(labels)"bounds": [0.001, 0.01, 0.1], "counts": \#(counts), "sum": 1.5}"#
        }
        let traits = #""route": "/v1/sessions/{session}/nodes/{node}/traits", "method": "GET", "#
        let metrics = #""route": "/metrics", "method": "GET", "#
        let put = #""route": "/v1/sessions/{session}", "method": "PUT", "#
        let counts = [
            4_000 + step * 200, 4_900 + step * 298, 5_000 + step * 300, 5_000 + step * 300,
        ]
        let one = 10 + step
        let flushes = [0, 50 + step * 4, 50 + step * 8, 50 + step * 8]
        var members = [
            #""traitd_http_requests_total": [{\#(traits)"code": "200", "value": \#(counts[3])},"#
                + #"{\#(metrics)"code": "200", "value": \#(one)}]"#,
            #""traitd_http_request_duration_seconds": [\#(histogram(traits, counts)),"#
                + #"\#(histogram(metrics, [0, one, one, one])), \#(histogram(put, [0, 0, 0, 40]))]"#,
            #""traitd_log_flush_duration_seconds": [\#(histogram("", flushes))]"#,
            #""traitd_change_delivery_seconds": [\#(histogram("", [9, 9, 9, 9].map { $0 * step }))]"#,
            #""traitd_stream_ends_total": [{"reason": "drain", "value": 1},"#
                + #"{"reason": "timeout", "value": \#(3 + step * 2)}]"#,
            #""traitd_memory_bytes": [{"part": "program", "value": 22450176},"#
                + #"{"part": "nodes", "value": 104857600}, {"part": "feeds", "value": 0},"#
                + #"{"part": "a \"part\"\n", "value": 1024}]"#,
            #""traitd_build_info": [{"version": "0.1.0", "value": 1}]"#,
            // What no server sends, and what a later one may.
            #""traitd_none": [{"value": null}], "traitd_later": {"value": 1}, "later": [[2], 3]"#,
        ]
        let by = Double(step)
        for (name, value) in [
            ("traitd_connections", 12), ("traitd_connections_max", 16_000),
            ("traitd_connections_accepted_total", 100 + by * 8), ("traitd_http_refused_total", 3),
            ("traitd_http_received_bytes_total", 1_000 + by * 4_096),
            ("traitd_http_sent_bytes_total", 1_000 + by * 12_345_678),
            ("traitd_http_requests_parked", 2), ("traitd_http_requests_working", 1),
            ("traitd_sessions", 3), ("traitd_sessions_max", 10_000), ("traitd_nodes", 1_200_345),
            ("traitd_registrations", 42), ("traitd_commits_total", 700 + by * 56),
            ("traitd_streams", 5), ("traitd_streams_opened_total", 9),
            ("traitd_log_entries_total", 700 + by * 56), ("traitd_log_flush_failures_total", 0),
            ("traitd_log_bytes", 98_765_432), ("traitd_log_refused_appends_total", 0),
            ("traitd_memory_admitted_bytes", 157_286_400),
            ("traitd_memory_max_bytes", 1_073_741_824), ("traitd_ready", 1),
            ("process_cpu_seconds_total", 10 + by * 0.7),
            ("process_start_time_seconds", Double(start)),
        ] as [(String, Double)] {
            members.append(#""\#(name)": [{"value": \#(value)}]"#)
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func samples(_ text: String) throws -> MetricSamples {
        try JSONTape().withDocument(of: Array(text.utf8), refusal: \.self) {
            json throws(JSONError) in MetricSamples(json)
        }
    }

    private static func reading(_ step: Int, start: Int = 1_000) throws -> TopReading {
        var reading = TopReading(samples: try samples(metrics(step, start: start)))
        reading.time = 50 + Double(step) * 2
        reading.now = 100_000
        let texts = [
            #"{"version": "0.1.0", "shards": 2}"#,
            #"""
            {"thresholdMicroseconds": 10000, "requests": [{"time": "2026-11-27T10:00:01.500Z",
              "requestId": "5c", "method": "GET", "target": "/v1/sessions/mail/nodes/\u001b[2J/traits",
              "status": 200, "milliseconds": 34.5,
              "spent": {"shard": 30.25, "log": 0, "workers": 4.25}}]}
            """#,
            #"""
            {"sessions": [{"name": "mail", "nodes": 1200000, "revision": 812},
              {"name": "theme", "nodes": 345, "revision": 7}, {"name": "empty", "nodes": 0, "revision": 1}]}
            """#,
        ]
        for (index, text) in texts.enumerated() {
            try Array(text.utf8).withUnsafeBytes { bytes in
                let tape = JSONTape()
                let json = try tape.parse(bytes)
                switch index {
                case 0: reading.takeServer(json)
                case 1: reading.takeSlow(json)
                default: reading.sessions = TopReading.sessions(of: json)
                }
            }
        }
        return reading
    }

    private static func text(_ screen: TopScreen, _ figures: TopFigures) -> String {
        screen.lines(figures, of: "http://127.0.0.1:8080").map { line in
            (line.isHeading ? "# " : "  ") + line.text + "|\n"
        }.joined()
    }

    @Test("The screen shows the figures of the time between two readings, in the room there is")
    func screen() throws {
        let figures = TopFigures(try Self.reading(1), since: try Self.reading(0))
        let footer = "q quit"
        let screens = [
            ("100 columns, any height", TopScreen(width: 100, height: nil)),
            ("120 by 24", TopScreen(width: 120, height: 24, order: .name, footer: footer)),
            ("80 by 16", TopScreen(width: 80, height: 16, order: .total, footer: footer)),
            ("40 by 12", TopScreen(width: 40, height: 12, order: .p99, footer: footer)),
            ("20 by 3", TopScreen(width: 20, height: 3, footer: footer)),
        ]
        let shown = screens.map { "\($0):\n" + Self.text($1, figures) + "\n" }.joined()
        GoldenFile("top-screen", of: "Process/EndToEndTests").verify(shown)
        GoldenFile("top-figures", of: "Process/EndToEndTests").verify(figures.json + "\n")
    }

    @Test("Requests of top itself are left out, and routes that only top has asked")
    func ownRequests() throws {
        let before = try Self.reading(0)
        var now = try Self.reading(1)
        now.own = ["/metrics": 1]
        let figures = TopFigures(now, since: before)
        #expect(figures.requestsPerSecond == 150)
        let metrics = try #require(figures.routes.first { $0.route == "/metrics" })
        #expect(metrics.perSecond == 0 && metrics.p99 == nil && metrics.total == 10)
        now.own = ["/metrics": 11]
        #expect(!TopFigures(now, since: before).routes.contains { $0.route == "/metrics" })
    }

    @Test("What is refused or slow stands out, and the help fits the terminal")
    func tints() throws {
        let figures = TopFigures(try Self.reading(1), since: try Self.reading(0))
        let lines = TopScreen(width: 100, height: nil).lines(figures, of: "server")
        #expect(lines.filter { $0.tint == .slow }.map { $0.text.contains("34.5 ms") } == [true])
        #expect(lines.allSatisfy { $0.tint != .refused })
        var unready = try Self.reading(1)
        var text = Self.metrics(1)
        for (name, before, after) in [("traitd_ready", 1, 0), ("traitd_http_refused_total", 3, 4)] {
            let sample = #""\#(name)": [{"value": "#
            #expect(text.contains("\(sample)\(before).0"))
            text = text.replacingOccurrences(of: "\(sample)\(before)", with: "\(sample)\(after)")
        }
        unready.samples = try Self.samples(text)
        let alarmed = TopScreen(width: 100, height: nil)
            .lines(TopFigures(unready, since: try Self.reading(0)), of: "server")
        #expect(alarmed.filter { $0.tint == .refused }.count == 2)
        for size in 0...12 {
            let help = TopScreen(width: size * 8, height: size).help()
            #expect(help.count <= size && help.allSatisfy { $0.text.count <= size * 8 })
        }
    }

    @Test("No line is wider than the terminal, and no screen higher, whatever its size")
    func sizes() throws {
        let figures = TopFigures(try Self.reading(1), since: try Self.reading(0))
        for width in 0...130 {
            for height in 0...30 {
                let lines = TopScreen(width: width, height: height, footer: "q quit")
                    .lines(figures, of: "http://127.0.0.1:8080")
                #expect(lines.count <= height, "\(width) by \(height)")
                #expect(lines.allSatisfy { $0.text.count <= width }, "\(width) by \(height)")
            }
        }
    }

    @Test("A column is wider than its longest word, and a locale without Unicode gets ASCII")
    func columns() throws {
        #expect(TopText.column(["GET", "OPTIONS"], atLeast: 7) == 8)
        #expect(TopText.column([], atLeast: 7) == 7)
        #expect(TopText.spelled("5 µs of a long…") == "5 us of a long~")
        let figures = TopFigures(try Self.reading(1), since: try Self.reading(0))
        let unicode = TopScreen(width: 60, height: nil).lines(figures, of: "server")
        let ascii = TopScreen(width: 60, height: nil, isUnicode: false).lines(figures, of: "server")
        #expect(
            unicode.contains { $0.text.contains("µ") } && unicode.contains { $0.text.contains("…") }
        )
        #expect(ascii.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
        #expect(ascii.map(\.text.count) == unicode.map(\.text.count))
    }

    @Test("One reading, or one of before a restart, gives no rates")
    func rates() throws {
        for earlier in [nil, try Self.reading(0, start: 900)] {
            let figures = TopFigures(try Self.reading(1), since: earlier)
            #expect(figures.rate("traitd_commits_total") == nil)
            #expect(figures.routes.allSatisfy { $0.perSecond == nil && $0.p50 == nil })
            #expect(
                Self.text(TopScreen(width: 80, height: nil), figures).contains("commits      -/s"))
        }
    }

    @Test("Quantiles are interpolated, and a number that is none is shown as a dash")
    func numbers() {
        var histogram = Histogram()
        #expect(histogram.quantile(0.5) == nil)
        histogram.add(1, 10)
        histogram.add(2, 20)
        histogram.add(.infinity, 40)
        #expect(histogram.quantile(0.25) == 1)
        #expect(histogram.quantile(0.375) == 1.5)
        #expect(histogram.quantile(0.99) == 2)
        #expect(histogram.since(histogram).quantile(0.5) == nil)
        for value in [nil, Double.nan, .infinity] {
            #expect(TopText.count(value) == "-" && TopText.bytes(value) == "-")
            #expect(TopText.rate(value) == "-" && TopText.seconds(value) == "-")
            #expect(TopText.time(value) == "-")
        }
        #expect(TopText.count(1e300).hasSuffix(" T"))
        #expect(TopText.count(-1) == "0")
        #expect(TopText.bytes(1_536) == "1.5 KiB")
        #expect(TopText.seconds(0.000_25) == "250 µs")
        #expect(TopText.time(90_061) == "1 d 1 h")
    }

    // MARK: - The command

    private static func top(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (exit: ChildProcess.Exit, out: String, error: String) {
        try TraitdProcess.run(["top"] + arguments, environment: environment)
    }

    @Test("Where standard output is no terminal, one screen is printed; --json prints the figures")
    func once() throws {
        // The variable is for commands; a server ignores it.
        let server = try TraitdProcess(environment: ["TRAITD_TOKEN": "of a command"])
        defer { server.child.stop() }
        let session = try SessionClient("watched", on: server.url)
        _ = try session.client.send(
            HTTPRequest(
                "PUT", "/v1/sessions/watched",
                text: #"{"nodes": [{"id": "a", "kind": "environment"}]}"#)
        ).expecting(201)
        let run = try Self.top(["--server", server.url])
        #expect(run.exit == .code(0), "\(run.error)")
        for part in ["traitd 0.1.0", "requests", "sessions 1 of", "nodes 1 ", "SESSION", "watched"]
        {
            #expect(run.out.contains(part), "\(part) is not in\n\(run.out)")
        }
        #expect(!run.out.contains("\u{1B}"))
        let figures = try Self.top(["--server", server.url, "--json"])
        #expect(figures.exit == .code(0), "\(figures.error)")
        let json = try JSON(parsing: figures.out)
        #expect(json["sessions"]?["largest"]?[0]?["name"]?.string == "watched")
        // Requests of `top` itself came between its readings, and are left out.
        let route = json["routes"]?.array?.first { $0["route"]?.string == "/v1/server/slow" }
        #expect(route?["perSecond"] == 0, "\(figures.out)")
        #expect(route?["requests"] == 2, "those of the run before: \(figures.out)")
        #expect(json["requestsPerSecond"] == 0, "\(figures.out)")
    }

    @Test(
        "A server without an answer, one that wants a token, and another server each get their message"
    )
    func refusals() throws {
        let token = String(repeating: "0123456789abcdef", count: 4)
        let unknown = try Self.top(["--port", "1"])
        #expect(unknown.exit == .code(69))
        #expect(unknown.error == "traitd: traitd does not answer on 127.0.0.1:1\n")
        let file = NSTemporaryDirectory() + "top-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        var secrets: [String] = []
        for verb in ["read", "admin"] {
            let made = try TraitdProcess.run(
                ["token", "new", "--tokens", file, "--name", verb, "--allow", verb])
            #expect(made.exit == .code(0), "\(made.error)")
            secrets.append(made.out.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let server = try TraitdProcess(["--tokens", file])
        defer { server.child.stop() }
        let place = ["--server", server.url, "--once"]
        let without = try Self.top(place)
        #expect(without.exit == .code(77))
        #expect(without.error.contains("TRAITD_TOKEN"), "\(without.error)")
        let wrong = try Self.top(place, environment: ["TRAITD_TOKEN": "traitd_x_\(token)"])
        #expect(wrong.exit == .code(77))
        let reader = try Self.top(place, environment: ["TRAITD_TOKEN": secrets[0]])
        #expect(reader.exit == .code(77))
        #expect(reader.error.contains("verb admin"), "\(reader.error)")
        let admin = try Self.top(place, environment: ["TRAITD_TOKEN": secrets[1]])
        #expect(admin.exit == .code(0), "\(admin.error)")
        let other = try Self.top(["--server", server.url + "/elsewhere"])
        #expect(other.exit != .code(0))
        #expect(!other.error.isEmpty)
    }

    @Test(
        "On a terminal the screen is drawn in its size, and the terminal comes back as it was",
        arguments: ["q", "INT", "TERM"])
    func terminal(end: String) throws {
        let server = try TraitdProcess()
        defer { server.child.stop() }
        let binary = TraitdProcess.binary
        let command =
            "trap : INT; stty cols 70 rows 20; before=$(stty -g); sh -c \"echo pid \\$\\$; exec \(binary) top "
            + "--server \(server.url)\"; echo ended $?; "
            + "[ \"$before\" = \"$(stty -g)\" ] && echo the same modes"
        let keys = NSTemporaryDirectory() + "top-\(UUID().uuidString)"
        #expect(mkfifo(keys, 0o600) == 0)
        defer { unlink(keys) }
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", "TERM=xterm exec script -qec '\(command)' /dev/null < \(keys)"])
        let writer = open(keys, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        let deadline = Deadline(within: .seconds(20))
        while !child.standardOutput.contains("q quit"), !deadline.hasPassed { sched_yield() }
        #expect(child.standardOutput.contains("\u{1B}[?1049h"))
        #expect(write(writer, "sr", 2) == 2)
        while !child.standardOutput.contains("sort: p99  r rate: every 2 s"), !deadline.hasPassed {
            sched_yield()
        }
        switch end {
        case "q": #expect(write(writer, "q", 1) == 1)
        // As the key Ctrl-C does.
        case "INT": #expect(write(writer, "\u{3}", 1) == 1)
        default:
            let number = child.standardOutput.firstMatch(of: /pid ([0-9]+)/)?.1
            #expect(kill(try #require(number.flatMap { pid_t($0) }), SIGTERM) == 0)
        }
        #expect(try child.waitForExit() == .code(0))
        let shown = child.standardOutput
        // As a shell shows a process that a signal ended.
        let code = ["q": 0, "INT": 130, "TERM": 143][end] ?? -1
        #expect(shown.contains("ended \(code)"), "\(shown)")
        #expect(shown.contains("the same modes"), "\(shown)")
        #expect(shown.contains("\u{1B}[?25h\u{1B}[?1049l"))
        let screen = shown.components(separatedBy: "\u{1B}[H")[1]
        // The terminal puts a carriage return before each line feed.
        let lines = screen.components(separatedBy: "\r\r\n").map {
            $0.replacing(/\u{1B}\[[0-9?]*[a-zA-Z]/, with: "")
        }
        #expect(lines.count == 20, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 70 }, "\(lines)")
    }
}
