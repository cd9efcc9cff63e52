// How much memory the process may take.

import ArgumentParser
import HTTPServer
import Ledger
import TraitService
import TraitSessions

struct MemoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Memory of the process: bytes, or a number with KiB, MiB, GiB. (default: three quarters of what the control group or ulimit allows, else of the machine's)",
            valueName: "size"),
        transform: Self.size)
    var maxMemory: MemorySize?

    /// Less is not enough for the program, its threads and one request.
    private static let bytesMin = 33_554_432

    func validate() throws {
        if let maxMemory, maxMemory.bytes < Self.bytesMin {
            throw ValidationError("--max-memory begins at 32MiB.")
        }
    }

    private static func size(_ text: String) throws -> MemorySize {
        guard let size = MemorySize(text) else {
            throw ValidationError(
                "it goes from 32MiB to \(Int.max >> 40)TiB: bytes, or a number with KiB, MiB, GiB, TiB, or "
                    + "as Kubernetes has them, 512Mi or 500M.")
        }
        return size
    }

    /// Brings limits down to what fits into the process's memory.
    func apply(to limits: inout AllLimits) {
        let space = ProcessSpace.space.bytesMax ?? .max
        let bytes = max(
            Self.bytesMin,
            maxMemory.map { min($0.bytes, space) }
                ?? min(MachineMemory.defaultBytes(), space / 4 * 3))
        limits.service.memoryBytesMax = bytes
        // The memory of connections is a part of the budget. Answers and bodies together may have a quarter.
        limits.server.collectedBytesMax = min(limits.server.collectedBytesMax, bytes / 8)
        limits.server.unsentBytesMax = min(limits.server.unsentBytesMax, bytes / 8)
    }

    /// The ledger of the process. Opens a file, which the limit of open files has room for.
    static func makeLedger(_ limits: ServiceLimits) -> MemoryLedger {
        MemoryLedger(
            bytesMax: limits.memoryBytesMax, sessionPercentMax: limits.sessionMemoryPercentMax,
            callerPercentMax: limits.callerMemoryPercentMax, space: ProcessSpace.space)
    }
}
