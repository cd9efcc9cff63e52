// The arguments of the process, as the kernel has them.

import Testing

@testable import traitd

@Suite("Process arguments")
struct ProcessArgumentsTests {
    @Test(
        "A zero byte ends each argument, and an argument may be empty",
        arguments: [
            ("", []), ("traitd\0", ["traitd"]), ("traitd\0serve\0", ["traitd", "serve"]),
            ("traitd\0--host\0\0--port\0" + "1\0", ["traitd", "--host", "", "--port", "1"]),
            ("\0", [""]), ("traitd\0\0", ["traitd", ""]), ("cut", ["cut"]),
        ] as [(String, [String])])
    func split(text: String, arguments: [String]) {
        #expect(ProcessArguments.split(Array(text.utf8)) == arguments)
    }

    @Test(
        "The process's own arguments are those that Swift knows where the environment has not moved"
    )
    func own() throws {
        #expect(try ProcessArguments.read() == Array(CommandLine.arguments.dropFirst()))
    }
}
