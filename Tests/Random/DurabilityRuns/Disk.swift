// The disk that fails, as tests use it. `Tests/Random/Simulation/World/Disk` cuts the power.

import CFaultyDisk
import SQLiteLog
import Synchronization

/// A disk and the folder on it.
package final class Disk: @unchecked Sendable {
    package enum Fault: Int32 {
        case write, flush
    }

    // SQLite's result codes; the tests do not need the rest of its interface.
    package static let error: Int32 = 10
    package static let flushError: Int32 = 10 | (4 << 8)
    package static let writeError: Int32 = 10 | (3 << 8)

    private static let made = Atomic<Int>(0)

    package let folder: TemporaryFolder
    package let name: String
    // Confinement: the disk has a lock of its own.
    private let disk: OpaquePointer

    package init() throws {
        folder = try TemporaryFolder()
        name = "faulty-\(Self.made.add(1, ordering: .relaxed).newValue)"
        disk = faulty_disk_make(name)
    }

    package var options: SQLiteLogOptions {
        var options = SQLiteLogOptions()
        options.vfs = name
        options.minFreeDiskBytes = 0
        options.flushRetry = .zero
        options.checkpointPages = 16
        options.upkeepRowsMax = 8
        options.snapshotPartBytes = 4_096
        return options
    }

    package func open(_ change: (inout SQLiteLogOptions) -> Void = { _ in }) throws -> SQLiteLog {
        var options = options
        change(&options)
        return try SQLiteLog(path: folder.path, options: options)
    }

    /// Calls from the `nth` on fail so often; `times` below 0 for ever.
    ///
    /// - Parameter errno: the system's error number behind the result; 0 for none.
    package func fail(
        _ fault: Fault, nth: Int = 1, times: Int = 1, with result: Int32 = error,
        errno: Int32 = 0
    ) {
        faulty_disk_error_number(disk, errno)
        faulty_disk_fail(disk, fault.rawValue, Int64(nth), Int64(times), result)
    }

    package func calls(_ fault: Fault) -> Int { Int(faulty_disk_calls(disk, fault.rawValue)) }

    package func leaveRoom(_ bytes: Int?) { faulty_disk_room(disk, Int64(bytes ?? -1)) }

    package func delay(microseconds: Int) { faulty_disk_delay(disk, Int32(microseconds)) }
}
