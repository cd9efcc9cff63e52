// What the process may take by default, from copies of the system's files.

import Foundation
import Testing

@testable import Ledger

@Suite("The machine's memory")
struct MachineMemoryTests {
    /// A folder with the files, under their paths.
    private static func withRoot<R>(
        _ files: [String: String], _ body: (String) throws -> R
    ) throws -> R {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("machine-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let url = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        return try body(root.path + "/")
    }

    @Test("is what the narrowest control group of version 2 allows, the process's own or one above")
    func version2() throws {
        let files = [
            "proc/self/cgroup": "0::/a/b/c\n", "sys/fs/cgroup/a/memory.max": "max\n",
            "sys/fs/cgroup/a/b/memory.max": "536870912\n",
            "sys/fs/cgroup/a/b/c/memory.max": "1073741824\n",
        ]
        try Self.withRoot(files) { root in
            #expect(MachineMemory.controlGroupBytes(root: root) == 536_870_912)
            #expect(MachineMemory.defaultBytes(root: root) == 402_653_184)
        }
    }

    @Test("is what a control group of version 1 allows, beside those of other controllers")
    func version1() throws {
        let files = [
            "proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/1\n1:name=systemd:/\n0::/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "268435456\n",
        ]
        try Self.withRoot(files) {
            #expect(MachineMemory.controlGroupBytes(root: $0) == 268_435_456)
        }
    }

    @Test("is the group's root in a container, whose path is the host's")
    func container() throws {
        let files = [
            "proc/self/cgroup": "0::/system.slice/docker-1.scope\n",
            "sys/fs/cgroup/memory.max": "104857600\n",
        ]
        try Self.withRoot(files) {
            #expect(MachineMemory.controlGroupBytes(root: $0) == 104_857_600)
        }
    }

    @Test(
        "is all of the machine where nothing says less",
        arguments: [
            [:], ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"],
            ["proc/self/cgroup": "nonsense\n::\n4:memory\n"],
            ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "-5\n"],
            ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": ""],
        ])
    func none(files: [String: String]) throws {
        try Self.withRoot(files) { root in
            #expect(MachineMemory.controlGroupBytes(root: root) == nil)
            #expect(MachineMemory.defaultBytes(root: root) == MachineMemory.machineBytes / 4 * 3)
        }
    }

    @Test(
        "is written as bytes or with a unit",
        arguments: [
            ("0", 0), ("1048576", 1_048_576), ("512MiB", 536_870_912), ("2GiB", 2_147_483_648),
            ("64KiB", 65_536), ("1TiB", 1_099_511_627_776),
            ("512Mi", 536_870_912), ("1Gi", 1_073_741_824), ("64Ki", 65_536), ("1Ti", 1 << 40),
            ("500M", 500_000_000), ("2G", 2_000_000_000), ("5k", 5_000), ("1T", 1_000_000_000_000),
        ])
    func size(text: String, bytes: Int) { #expect(MemorySize(text)?.bytes == bytes) }

    @Test(
        "is refused as a size",
        arguments: [
            "", "MiB", "Mi", "5K", "5m", "1Gib", "9223372037T", "-1", "1.5GiB", "512MB", "512 MiB",
            "1e9", "+5", "٣", "99999999999999999999",
            "9999999999TiB",
        ])
    func noSize(text: String) { #expect(MemorySize(text) == nil) }
}
