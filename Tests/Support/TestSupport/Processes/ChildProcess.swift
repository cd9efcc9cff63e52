// A program started by a test. Foundation's Process is not used because its children inherit
// descriptors of other tests (a stream that stays open in another process never ends), and because
// here the process must be reaped and signalled under one lock: a number is never reused while
// a test may still signal it.

import Foundation

/// A child process whose output is collected as it comes.
package final class ChildProcess: @unchecked Sendable {
    package enum Exit: Sendable, Hashable {
        case code(Int32)
        case signal(Int32)
    }

    package enum Output: Sendable, Hashable { case out, error }

    package struct Line: Sendable {
        package let from: Output
        package let text: String
    }

    package let pid: pid_t
    // Confinement: `isReaped` and `text` are touched only while `lock` is held.
    private let lock = NSLock()
    private var isReaped = false
    private var text: [Output: [UInt8]] = [.out: [], .error: []]
    private let lines = Mailbox<Line, Exit>()

    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws {
        var out: [Int32] = [-1, -1]
        var error: [Int32] = [-1, -1]
        guard pipe(&out) == 0, pipe(&error) == 0 else {
            throw RawConnection.SystemError(call: "pipe", number: errno)
        }
        pid = try Self.spawn(path, arguments, environment, out: out[1], error: error[1])
        close(out[1])
        close(error[1])
        LiveChildren.shared.insert(self)
        let thread = Thread { [self, out, error] in
            follow(out: out[0], error: error[0])
            reap()
        }
        thread.stackSize = 1 << 19
        thread.start()
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], out: Int32,
        error: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out, 1)
        posix_spawn_file_actions_adddup2(&actions, error, 2)
        // Glibc ignores those that are not open; nothing here opens more than a thousand.
        for descriptor in 3..<Int32(1_024) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // Settings of traitd come from the test alone.
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRAITD_") }
        let merged = inherited.merging(environment) { $1 }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for string in argv + envp { free(string) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            throw RawConnection.SystemError(call: "posix_spawn \(path)", number: result)
        }
        return pid
    }

    // MARK: Output

    package var standardOutput: String { collected(.out) }
    package var standardError: String { collected(.error) }

    private func collected(_ output: Output) -> String {
        lock.withLock { String(decoding: text[output] ?? [], as: UTF8.self) }
    }

    /// The next whole line of either output; nil once the process has exited.
    package func nextLine(before deadline: Deadline) throws -> Line? {
        switch try lines.take(before: deadline, "a line of process \(pid)") {
        case .element(let line): line
        case .closed: nil
        }
    }

    private func follow(out: Int32, error: Int32) {
        var open: [(Int32, Output)] = [(out, .out), (error, .error)]
        var partial: [Output: [UInt8]] = [:]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !open.isEmpty {
            var entries = open.map { pollfd(fd: $0.0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            for (entry, (descriptor, output)) in zip(entries, open) where entry.revents != 0 {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    close(descriptor)
                    open.removeAll { $0.0 == descriptor }
                    continue
                }
                take(buffer[..<count], output, &partial[output, default: []])
            }
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>, _ output: Output, _ partial: inout [UInt8]) {
        lock.withLock { text[output, default: []] += bytes }
        partial += bytes
        while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
            lines.put(Line(from: output, text: String(decoding: partial[..<end], as: UTF8.self)))
            partial.removeFirst(end + 1)
        }
    }

    // MARK: Exit

    private func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        var status: Int32 = 0
        lock.withLock {
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            isReaped = true
        }
        LiveChildren.shared.remove(self)
        let signal = status & 0x7f
        if Self.crashes.contains(signal) { showCrash(signal) }
        lines.close(signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal))
    }

    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Tests that lose a server only see that it does not answer; this says why.
    private func showCrash(_ signal: Int32) {
        let last = standardError.suffix(20_000)
        let words = "process \(pid) crashed with signal \(signal):\n\(last)\n"
        FileHandle.standardError.write(Data(words.utf8))
    }

    /// Signals this process, by its number and only while it is ours.
    package func signal(_ number: Int32) {
        lock.withLock {
            if !isReaped { kill(pid, number) }
        }
    }

    package func waitForExit(within limit: Duration = .seconds(20)) throws -> Exit {
        try lines.ending(before: Deadline(within: limit), "process \(pid) to exit")
    }

    /// Asks the process to end, insists after ten seconds.
    package func stop() {
        signal(SIGTERM)
        if (try? waitForExit(within: .seconds(10))) == nil { signal(SIGKILL) }
    }
}

/// Ends what tests left running when the test process exits.
private final class LiveChildren: @unchecked Sendable {
    static let shared = LiveChildren()
    // Confinement: `children` is touched only while `lock` is held.
    private let lock = NSLock()
    private var children: [pid_t: ChildProcess] = [:]

    private init() {
        atexit { LiveChildren.shared.endAll() }
    }

    func insert(_ child: ChildProcess) { lock.withLock { children[child.pid] = child } }
    func remove(_ child: ChildProcess) {
        lock.withLock { if children[child.pid] === child { children[child.pid] = nil } }
    }

    private func endAll() {
        for child in lock.withLock({ Array(children.values) }) { child.signal(SIGKILL) }
    }
}
