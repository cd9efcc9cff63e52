// Another program, started for a measurement and always waited for.

import Glibc

final class ChildProcess {
    private let identifier: pid_t
    private let output: UnsafeMutablePointer<FILE>
    private var hasEnded = false

    /// Starts it with its standard output in a pipe.
    ///
    /// - Parameter isQuiet: drops its standard error, which otherwise is ours.
    init(_ path: String, _ arguments: [String], isQuiet: Bool = false) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, let output = fdopen(ends[0], "r") else {
            throw BenchError("no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        if isQuiet {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, path, &actions, nil, &words, environ)
        posix_spawn_file_actions_destroy(&actions)
        for word in words { free(word) }
        close(ends[1])
        self.output = output
        self.identifier = identifier
        guard status == 0 else {
            fclose(output)
            hasEnded = true
            throw BenchError("cannot start \(path): \(String(cString: strerror(status)))")
        }
    }

    deinit {
        if !hasEnded {
            kill(identifier, SIGKILL)
            _ = wait()
        }
    }

    /// The next line without its end; nil when the program has closed its output.
    func readLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, output)
        guard count > 0, let line else { return nil }
        return String(cString: line).split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Asks it to end, as a service manager does.
    func terminate() { kill(identifier, SIGTERM) }

    /// Waits until it has ended; its exit status, or 128 and the signal that ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        fclose(output)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
