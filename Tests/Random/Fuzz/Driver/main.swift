// The entry point for libFuzzer. The environment names the target, since libFuzzer starts itself again, with
// the options that it knows, when it merges corpora.
//
//     FUZZ_TARGET=wire traitd-fuzz -seed=1 -runs=100000 corpus/wire

import CLibFuzzer
import FuzzTargets
import Glibc

/// The one target of this process: libFuzzer's callback takes no context.
nonisolated(unsafe) private var target = FuzzTarget.wire

private func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do throws(FuzzFailure) {
        try target.run(UnsafeRawBufferPointer(start: bytes, count: count))
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
    return 0
}

guard let name = getenv("FUZZ_TARGET"), let chosen = FuzzTarget(rawValue: String(cString: name))
else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
    print("usage: FUZZ_TARGET=\(names) traitd-fuzz [libFuzzer's options and corpora]")
    exit(2)
}
target = chosen
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&count, &arguments, run))
