// One line on the terminal about work that takes long, or a line a minute in the log where standard error is no
// terminal. Nothing is written with --quiet, nor by work that ends within a tenth of a second.

import ArgumentParser
import Glibc
import Synchronization

struct ProgressOptions: ParsableArguments {
    @Flag(help: "Show no progress: no line on a terminal, and none a minute elsewhere.")
    var quiet = false
}

/// `@unchecked Sendable`: confined to the thread that works, except `leave`.
final class ProgressLine: @unchecked Sendable {
    private static let terminalSeconds = 0.1
    private static let logSeconds = 60.0
    /// Columns that the line on the terminal has; 0 while there is none.
    private static let shown = Mutex(0)

    private var text: ProgressText
    private let isQuiet: Bool
    private let periodSeconds: Double
    /// Takes the line a minute; nil on a terminal.
    private let log: ((String) -> Void)?
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant
    private var done = 0
    /// Nodes that were made and commits that were applied.
    private var made = 0

    /// - Parameter log: takes the lines where standard error is no terminal.
    init(
        _ what: String, _ unit: ProgressText.Unit = .bytes, total: Int?, _ options: ProgressOptions,
        isTerminal: Bool = isatty(STDERR_FILENO) == 1, logSeconds: Double = logSeconds,
        log: @escaping (String) -> Void = { say("traitd: \($0)") }
    ) {
        text = ProgressText(what: what, unit: unit, total: total)
        isQuiet = options.quiet
        self.log = isTerminal ? nil : log
        periodSeconds = isTerminal ? Self.terminalSeconds : logSeconds
        last = start
    }

    deinit { Self.erase() }

    /// So much is done.
    func show(_ done: Int) {
        self.done = done
        draw()
    }

    /// So much is done of what may still become more, and so many nodes and commits are made.
    func show(_ done: Int, of total: Int, made: Int) {
        text.total = total
        self.made = made
        show(done)
    }

    /// So many more nodes and commits are made.
    func count(_ more: Int) {
        made += more
        draw()
    }

    private func draw() {
        guard !isQuiet else { return }
        let now = ContinuousClock.now
        guard last.duration(to: now) >= .seconds(periodSeconds) else { return }
        last = now
        let line = text.line(
            done: done, made: made, seconds: start.duration(to: now) / .seconds(1),
            width: log == nil ? max(1, Self.columns - 1) : .max)
        if let log { return log(line) }
        Self.shown.withLock { shown in
            let rest = String(repeating: " ", count: max(0, shown - line.count))
            Self.write("\r\(line)\(rest)")
            shown = line.count
        }
    }

    /// Removes the line, for something else to be printed.
    static func erase() {
        shown.withLock { shown in
            if shown > 0 { write("\r\(String(repeating: " ", count: shown))\r") }
            shown = 0
        }
    }

    /// The process ends: begins a new line on the terminal.
    static func leave() {
        shown.withLock { if $0 > 0 { write("\n") } }
    }

    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String) {
        _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
    }
}
