// The real binary, as a user starts it: found beside the tests, on a port of its own.

import Foundation

/// A running `traitd`.
package final class TraitdProcess: Sendable {
    package let child: ChildProcess
    /// `http://127.0.0.1:PORT`.
    package let url: String
    package let port: UInt16

    /// `TRAITD_BINARY`, or `traitd` in the folder that holds the test executable.
    package static let binary: String = {
        if let path = ProcessInfo.processInfo.environment["TRAITD_BINARY"] { return path }
        let test = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return test.deletingLastPathComponent().appendingPathComponent("traitd").path
    }()

    /// Starts `traitd --port 0 …` and waits for the line that says where it serves.
    ///
    /// - Parameter ulimit: options of the shell's `ulimit`, such as `-n 64`; nil for the limits of this process.
    package init(
        _ arguments: [String] = [], ulimit: String? = nil, environment: [String: String] = [:],
        within limit: Duration = .seconds(30)
    ) throws {
        let free = environment["TRAITD_PORT"] == nil ? ["--port", "0"] : []
        let command = Self.command(free + arguments, ulimit)
        child = try ChildProcess(
            command[0], Array(command.dropFirst()),
            environment: environment.merging(
                ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"]) { $1 })
        let deadline = Deadline(within: limit)
        while let line = try child.nextLine(before: deadline) {
            guard let place = Self.place(in: line.text) else { continue }
            (url, port) = place
            return
        }
        throw NotServing(exit: try child.waitForExit(), error: child.standardError)
    }

    deinit { child.stop() }

    private static func command(_ arguments: [String], _ ulimit: String?) -> [String] {
        let command = [binary] + arguments
        guard let ulimit else { return command }
        return ["/bin/sh", "-c", "ulimit \(ulimit) && exec \"$0\" \"$@\""] + command
    }

    package struct NotServing: Error, CustomStringConvertible {
        package let exit: ChildProcess.Exit
        package let error: String
        package var description: String { "traitd ended with \(exit): \(error)" }
    }

    /// `traitd X serving on http://127.0.0.1:PORT`
    private static func place(in line: String) -> (String, UInt16)? {
        guard line.hasPrefix("traitd "), let range = line.range(of: " serving on http://") else {
            return nil
        }
        let authority = line[range.upperBound...].prefix { !$0.isWhitespace }
        guard let colon = authority.lastIndex(of: ":"),
            let port = UInt16(authority[authority.index(after: colon)...])
        else { return nil }
        return ("http://\(authority)", port)
    }

    /// Runs `traitd` with arguments that make it end by itself.
    package static func run(
        _ arguments: [String], ulimit: String? = nil, environment: [String: String] = [:],
        within limit: Duration = .seconds(30)
    ) throws -> (exit: ChildProcess.Exit, out: String, error: String) {
        let command = command(arguments, ulimit)
        let child = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: environment)
        do {
            let exit = try child.waitForExit(within: limit)
            return (exit, child.standardOutput, child.standardError)
        } catch {
            child.signal(SIGKILL)
            throw error
        }
    }

    /// One process shared by the tests that keep to sessions of their own; ends with the tests.
    package static let shared = Result { try TraitdProcess() }
}
