// The arguments of the process, as the kernel has them. Swift looks for them in the memory before `environ`,
// so a preloaded library that moves the environment (libfaketime, an injected agent) would leave the command
// without its arguments: a server with other settings than those given.

import Glibc

enum ProcessArguments {
    /// The arguments behind the name of the program.
    ///
    /// - Throws: `Unknown` when the system has no `/proc` and Swift found no arguments either.
    static func read() throws(Unknown) -> [String] {
        let all = commandLine() ?? CommandLine.arguments
        guard !all.isEmpty else { throw Unknown() }
        return Array(all.dropFirst())
    }

    struct Unknown: Error, CustomStringConvertible {
        /// sysexits.h: an error of the operating system.
        static let exitCode: Int32 = 71

        var description: String {
            "the arguments of this process cannot be found: mount /proc, or start traitd without preloaded "
                + "libraries (LD_PRELOAD)"
        }
    }

    /// All arguments; nil where `/proc` cannot be read.
    private static func commandLine() -> [String]? {
        let descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { break }
            if count > 0 { bytes += part[..<count] } else if errno != EINTR { return nil }
        }
        return split(bytes)
    }

    /// The arguments of a text in which a zero byte ends each. An argument may be empty.
    static func split(_ bytes: [UInt8]) -> [String] {
        var arguments = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if bytes.isEmpty || bytes.last == 0 { arguments.removeLast() }
        return arguments
    }
}
