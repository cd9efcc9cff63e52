// The arguments of the process, as the kernel has them. Swift looks for them in the memory before `environ`,
// so a preloaded library that moves the environment (libfaketime, an injected agent) would leave the command
// without its arguments: a server with other settings than those given.

import Glibc

enum ProcessArguments {
    /// The arguments behind the name of the program.
    ///
    /// - Throws: when the system has no `/proc` and Swift found no arguments either.
    static func read() throws(Fault) -> [String] {
        let all = commandLine() ?? CommandLine.arguments
        guard !all.isEmpty else {
            throw Fault(
                "the arguments of this process cannot be found: mount /proc, or start traitd without "
                    + "preloaded libraries (LD_PRELOAD)", code: Exit.refusedBySystem,
                label: "Error: ")
        }
        return Array(all.dropFirst())
    }

    /// All arguments; nil where `/proc` cannot be read.
    private static func commandLine() -> [String]? {
        let descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let (bytes, error) = Descriptors.readAll(descriptor)
        return error == 0 ? split(bytes) : nil
    }

    /// The arguments of a text in which a zero byte ends each. An argument may be empty.
    static func split(_ bytes: [UInt8]) -> [String] {
        var arguments = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if bytes.isEmpty || bytes.last == 0 { arguments.removeLast() }
        return arguments
    }
}
