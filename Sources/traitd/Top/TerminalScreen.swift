// The terminal while a command draws on all of it: keys come one by one, and what stood there before comes back at
// the end, whatever ends the process.

import Glibc

/// Confined to the main thread, which also takes the signals. The functions that signal handlers call use system
/// calls alone.
enum TerminalScreen {
    /// The modes of the terminal before `enter`.
    nonisolated(unsafe) private static var before = termios()
    nonisolated(unsafe) private static var isEntered = false

    /// Whether a person reads standard output on a terminal that can place the cursor, and types on standard input.
    static var isPossible: Bool {
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        return isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 && !name.isEmpty
            && name != "dumb"
    }

    /// Columns and lines of standard output; nil where it is no terminal.
    static var size: (width: Int, height: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Takes the terminal, until `leave` or the end of the process by a signal.
    static func enter() {
        tcgetattr(STDIN_FILENO, &before)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { number in
                TerminalScreen.leave()
                // The signal is blocked until the handler returns, and then ends the process.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        takeStop()
        signal(SIGCONT) { _ in
            TerminalScreen.takeStop()
            TerminalScreen.takeTerminal()
        }
        // Interrupts the wait for a key, so that the screen is drawn anew.
        signal(SIGWINCH) { _ in }
        takeTerminal()
    }

    private static func takeStop() {
        signal(SIGTSTP) { number in
            TerminalScreen.leave()
            signal(number, SIG_DFL)
            raise(number)
        }
    }

    private static func takeTerminal() {
        var modes = before
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
        isEntered = true
        // The other screen, without a cursor.
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Gives the terminal back as it was.
    static func leave() {
        guard isEntered else { return }
        isEntered = false
        write("\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    /// Whether colours are wanted: https://no-color.org.
    static var hasColour: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }

    /// Draws over what is shown.
    ///
    /// - Returns: false when the terminal is gone.
    static func draw(_ lines: [TopScreen.Line]) -> Bool {
        let rows = lines.map { line in
            let code: String? =
                switch line.tint {
                case _ where line.isHeading: "7"
                case .refused where hasColour: "31"
                case .slow where hasColour: "33"
                default: nil
                }
            return (code.map { "\u{1B}[\($0)m\(line.text)\u{1B}[0m" } ?? line.text) + "\u{1B}[K"
        }
        let text = "\u{1B}[H" + rows.joined(separator: "\r\n") + "\u{1B}[J"
        return Array(text.utf8).withUnsafeBytes { Descriptors.writeAll($0, to: STDOUT_FILENO) == 0 }
    }

    enum Event {
        case key(UInt8)
        /// The time is over, or a signal came.
        case woken
        /// The input has ended.
        case end
    }

    /// Waits for a key at most so long.
    static func wait(milliseconds: Int32) -> Event {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return .woken }
        var key: UInt8 = 0
        let count = read(STDIN_FILENO, &key, 1)
        if count < 0, errno == EINTR { return .woken }
        return count == 1 ? .key(key) : .end
    }

    private static func write(_ text: StaticString) {
        _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
