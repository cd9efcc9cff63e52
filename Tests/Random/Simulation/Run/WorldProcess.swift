// The process of one world, whose hash seeds are fixed: the order of Swift's sets follows from them.

import Glibc
import SimulatedWorld

/// What a world's process has said and how it has ended.
struct WorldReport {
    var output = ""
    var status: Int32 = 0
    /// Seconds of processor time.
    var seconds = 0.0

    var isClean: Bool { status == 0 }

    /// The first line of what was found.
    var finding: String {
        let lines = output.split(separator: "\n")
        if let found = lines.first(where: { $0.hasPrefix("found:") }) { return String(found) }
        let signal = status & 0x7F
        if signal == SIGXCPU || signal == SIGKILL { return "an endless loop" }
        let reason = lines.first { $0.contains("Fatal error") || $0.contains("held over") }
        return "ended with status \(status): \(reason ?? lines.last ?? "")"
    }

    var trace: Substring? { output.split(separator: "\n").first { $0.hasPrefix("trace ") } }

    var tally: Tally {
        var tally = Tally()
        for line in output.split(separator: "\n") where line.hasPrefix("count ") {
            let parts = line.split(separator: " ", maxSplits: 2)
            if parts.count == 3, let count = Int(parts[1]) { tally.add(String(parts[2]), count) }
        }
        return tally
    }
}

final class WorldProcess {
    let options: WorldOptions
    private let number: pid_t
    let output: Int32
    private var bytes: [UInt8] = []

    init(_ options: WorldOptions) {
        self.options = options
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { preconditionFailure("the system has no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var words = ["RunSimulation", "--world"] + Self.words(options)
        words += ["--trace", "\(options.traceLines)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var made = pid_t()
        let failed = posix_spawn(&made, "/proc/self/exe", &actions, nil, &arguments, environ)
        for text in arguments { free(text) }
        precondition(failed == 0, "the system starts no process: \(failed)")
        number = made
        close(ends[1])
    }

    /// The arguments that name a world.
    static func words(_ options: WorldOptions) -> [String] {
        var words = ["--seed", "\(options.seed)"]
        if let faults = options.faults {
            words += ["--faults", faults.sorted().map(String.init).joined(separator: ",")]
        }
        if options.clients != WorldOptions().clients {
            words += ["--clients", "\(options.clients)"]
        }
        return words
    }

    /// Takes what there is. Returns the report when the process has ended.
    func take() -> WorldReport? {
        var some = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &some, some.count)
        if count > 0 {
            bytes += some[..<count]
            return nil
        }
        close(output)
        var report = WorldReport(output: String(decoding: bytes, as: UTF8.self))
        var usage = rusage()
        wait4(number, &report.status, 0, &usage)
        for time in [usage.ru_utime, usage.ru_stime] {
            report.seconds += Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
        return report
    }

    /// Runs a world to its end.
    static func run(_ options: WorldOptions) -> WorldReport {
        let process = WorldProcess(options)
        while true { if let report = process.take() { return report } }
    }
}
