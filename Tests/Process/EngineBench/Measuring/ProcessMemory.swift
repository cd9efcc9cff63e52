// How much memory this process has in the machine, as the kernel counts it.

import Glibc

enum ProcessMemory {
    /// Resident bytes now, from /proc/self/statm; 0 where there is none.
    static func residentBytes() -> Int {
        guard let fields = SystemFile.text("/proc/self/statm")?.split(separator: " "),
            fields.count > 1, let pages = Int(fields[1])
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// Small files of /proc and /sys.
enum SystemFile {
    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
