// Damage to stored files: single flipped bits, and files that end early. A log either opens with
// everything that was acknowledged, or refuses and names what is damaged.

import Foundation
import SQLiteLog
import SeededRandom
import SessionLog
import SessionScripts

/// A data directory with known content, and copies of it that are damaged.
package final class DamageRun {
    private let original: TemporaryFolder
    private let workload: Workload
    private let files: [(name: String, bytes: [UInt8])]
    package private(set) var survived = 0
    package private(set) var refused = 0

    /// - Parameter isOpen: whether the process that wrote it was killed, so that the write-ahead log
    ///   still has the newest commits.
    package init(seed: UInt64, isOpen: Bool) throws {
        original = try TemporaryFolder()
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = 0
        options.snapshotPartBytes = 8_192
        options.checkpointPages = 24
        let log = try SQLiteLog(path: original.path, options: options)
        workload = Workload(log, seed: seed)
        try workload.run(steps: 60)
        try workload.finish()
        try expect(
            log.statistics?.checkpoints ?? 0 > 0, "the write-ahead log was never copied")
        log.end(copies: !isOpen)
        files = try FileManager.default.contentsOfDirectory(atPath: original.path).sorted().map {
            [path = original.path] in
            ($0, Array(try Data(contentsOf: URL(filePath: path + "/" + $0))))
        }
    }

    /// Flips one bit of all that is stored.
    package func flip(_ random: inout SeededRandom) throws {
        var bit = random.below(files.reduce(0) { $0 + $1.bytes.count } * 8)
        for file in files {
            if bit >= file.bytes.count * 8 {
                bit -= file.bytes.count * 8
                continue
            }
            var bytes = file.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            return try check(
                replacing: file.name, with: bytes,
                "bit \(bit % 8) of byte \(bit / 8) of \(file.name)")
        }
    }

    /// Cuts a file off at each border of a page, or of a frame of the write-ahead log.
    package func truncateEverywhere() throws {
        for file in files where file.name.hasPrefix("traitd.db") {
            let isLog = file.name.hasSuffix("-wal")
            let borders = stride(
                from: isLog ? 32 : 0, to: file.bytes.count, by: isLog ? 4_120 : 4_096)
            for border in borders {
                try check(
                    replacing: file.name, with: Array(file.bytes.prefix(border)),
                    "\(file.name) cut off at \(border)")
            }
        }
    }

    private func check(replacing name: String, with bytes: [UInt8], _ what: String) throws {
        let folder = try TemporaryFolder()
        for file in files {
            try Data(file.name == name ? bytes : file.bytes)
                .write(to: URL(filePath: folder.file(file.name)))
        }
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = 0
        let log: SQLiteLog
        do throws(LogFailure) {
            log = try SQLiteLog(path: folder.path, options: options)
        } catch {
            guard case .damaged(let session?, _?) = error.kind else {
                // A database that is gone altogether has no session to name.
                // Without its mark nothing proves that a log is whole.
                let isUnproved =
                    name == "acknowledged" && error.reason.contains("cannot be proved complete")
                if isUnproved || name == "traitd.db" && bytes.isEmpty {
                    refused += 1
                    return
                }
                throw Differs("\(what): refused without session and revision: \(error)")
            }
            try expect(error.reason.contains(session.name), "\(what): \(error.reason)")
            refused += 1
            return
        }
        do {
            try workload.check(log, seed: 1)
        } catch let error as Differs {
            // A session that cannot be rebuilt is refused by name.
            guard error.description.contains("cannot be rebuilt") else {
                throw Differs("\(what): served wrongly: \(error.description)")
            }
            log.end()
            refused += 1
            return
        }
        log.end()
        survived += 1
    }
}
