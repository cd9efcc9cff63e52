// How much memory there is for the process: what its control groups allow, else what the machine has.

import Glibc

/// The memory that the process may have at most.
package enum MachineMemory {
    /// Bytes that the control groups of the process allow, the narrowest of them; nil without a limit.
    ///
    /// - Parameter root: `/`, or a copy of the files in tests.
    package static func controlGroupBytes(root: String = "/") -> Int? {
        let mounts = "\(root)sys/fs/cgroup"
        var found: [Int] = []
        for line in lines(of: "\(root)proc/self/cgroup") {
            // hierarchy:controllers:path
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let folders: [String]
            let file: String
            if parts[1].isEmpty {
                folders = [mounts, "\(mounts)/unified"]
                file = "memory.max"
            } else if parts[1].split(separator: ",").contains("memory") {
                folders = ["\(mounts)/memory"]
                file = "memory.limit_in_bytes"
            } else {
                continue
            }
            for folder in folders {
                for path in ancestors(String(parts[2])) {
                    if let bytes = limit("\(folder)\(path)/\(file)") { found.append(bytes) }
                }
            }
        }
        return found.min()
    }

    /// Bytes of the machine.
    package static var machineBytes: Int {
        max(1, sysconf(Int32(_SC_PHYS_PAGES))) * max(1, sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The default of `--max-memory`: three quarters of the memory that the process can have.
    package static func defaultBytes(root: String = "/") -> Int {
        let machine = machineBytes
        return min(controlGroupBytes(root: root) ?? machine, machine) / 4 * 3
    }

    /// The path, and all above it. In a container the path of the host may not exist; its root does.
    private static func ancestors(_ path: String) -> [String] {
        var steps = path.split(separator: "/").map(String.init)
        var paths: [String] = []
        while !steps.isEmpty {
            paths.append("/" + steps.joined(separator: "/"))
            steps.removeLast()
        }
        return paths + [""]
    }

    /// A number of bytes; nil for `max`, and for the number by which version 1 says that there is
    /// no limit.
    private static func limit(_ path: String) -> Int? {
        guard let line = lines(of: path).first, let bytes = Int(line), bytes > 0,
            bytes < 1 << 60
        else { return nil }
        return bytes
    }

    private static func lines(of path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < 65_536 {
            let size = read(descriptor, &part, part.count)
            guard size > 0 else { break }
            bytes += part[..<size]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
