// `traitd top`: the figures of a running server on a text screen, once a second.

import ArgumentParser
import Glibc

struct Top: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Watch a running server: requests, commits, sessions, memory, log, slow requests.",
        discussion: """
            The screen comes from /metrics, /v1/server, /v1/server/slow and /v1/sessions. A server with \
            --tokens wants a token with the verb admin and the sessions * for them, in the variable \
            TRAITD_TOKEN or in --token-file. Rates, p50 and p99 are those of the time between two readings; \
            TOTAL counts from the server's start. Rates and routes leave out the requests of `traitd top` \
            itself. The list of sessions is up to 5 s older.

            Keys: q ends; s sorts the routes by rate, p99, total, name; r reads every 1, 2, 5, 10 seconds; \
            ? lists the keys. What is refused is red and what is slow is yellow, unless NO_COLOR is set. While the server does not answer, the last line says so, and `traitd top` tries again.

            With --once, with --json, or where standard input or output is no terminal, two readings a \
            second apart are printed once.

            Exit status: 0; 66 when the file of --token-file cannot be read; 69 when no server answers; 76 \
            when the server is no traitd; 74 when the output cannot be written; 77 when the token is missing, unknown or may not do this.
            """)

    @OptionGroup var server: ServerOptions

    @Flag(help: "Print one screen, and end.")
    var once = false

    @Flag(help: "Print the figures as a JSON object, and end.")
    var json = false

    private static let periods: [Double] = [1, 2, 5, 10]
    /// Where standard output is no terminal.
    private static let widthDefault = 100

    func run() throws {
        var reader = TopReader(server)
        let first = try reader.read()
        if once || json || !TerminalScreen.isPossible {
            usleep(1_000_000)
            return try show(TopFigures(try reader.read(), since: first))
        }
        TerminalScreen.enter()
        defer { TerminalScreen.leave() }
        try watch(&reader, first)
    }

    private func show(_ figures: TopFigures) throws(Fault) {
        if json { return try printLine(figures.json) }
        let width = TerminalScreen.size?.width ?? Self.widthDefault
        let screen = TopScreen(
            width: width, height: nil, isUnicode: TopText.localeIsUnicode)
        let lines = screen.lines(figures, of: "\(server.server)").map(\.text.trimmedAtEnd)
        try printLine(lines.joined(separator: "\n"))
    }

    /// Draws until `q`.
    private func watch(_ reader: inout TopReader, _ first: TopReading) throws {
        var order = TopScreen.Order.rate
        var period = 0
        var last = first
        var figures = TopFigures(first, since: nil)
        var fault: String?
        var isHelping = false
        var due = Self.now + Self.periods[period]
        while true {
            let size = TerminalScreen.size ?? (80, 24)
            let seconds = Int(Self.periods[period])
            let footer =
                fault.map { "\($0) Trying again. q quits." }
                ?? "q quit  s sort: \(order.rawValue)  r rate: every \(seconds) s  ? help"
            let screen = TopScreen(
                width: size.width, height: size.height, order: order,
                footer: TopText.plain(footer), isUnicode: TopText.localeIsUnicode)
            let lines =
                isHelping ? screen.help() : screen.lines(figures, of: "\(server.server)")
            guard TerminalScreen.draw(lines) else { return }
            switch TerminalScreen.wait(milliseconds: Int32(max(0, (due - Self.now) * 1_000) + 1)) {
            case .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")), .end: return
            case .key where isHelping: isHelping = false
            case .key(UInt8(ascii: "?")): isHelping = true
            case .key(UInt8(ascii: "s")): order = order.next
            case .key(UInt8(ascii: "r")):
                period = (period + 1) % Self.periods.count
                due = min(due, Self.now + Self.periods[period])
            case .key, .woken: break
            }
            guard Self.now >= due else { continue }
            due = Self.now + Self.periods[period]
            do {
                let reading = try reader.read()
                figures = TopFigures(reading, since: last)
                last = reading
                fault = nil
            } catch let failure as Fault where failure.code != Exit.noInput {
                fault = failure.description
            }
        }
    }

    private static var now: Double { TopReader.seconds(CLOCK_MONOTONIC) }
}

extension String {
    fileprivate var trimmedAtEnd: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}
