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
    /// - Parameter openFiles: how many files the process may have open; nil for as many as this one.
    package init(
        _ arguments: [String] = [], openFiles: Int? = nil, environment: [String: String] = [:],
        within limit: Duration = .seconds(30)
    ) throws {
        let free = environment["TRAITD_PORT"] == nil ? ["--port", "0"] : []
        var command = [Self.binary] + free + arguments
        if let openFiles {
            command = ["/bin/sh", "-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\""] + command
        }
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
        _ arguments: [String], environment: [String: String] = [:],
        within limit: Duration = .seconds(30)
    ) throws -> (exit: ChildProcess.Exit, out: String, error: String) {
        let child = try ChildProcess(binary, arguments, environment: environment)
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
