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

    /// The most that another process had resident until now, from its VmHWM; 0 when unknown.
    static func peakBytes(of process: pid_t) -> Int {
        let lines = SystemFile.text("/proc/\(process)/status")?.split(separator: "\n") ?? []
        for line in lines where line.hasPrefix("VmHWM:") {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            if fields.count > 1, let kibibytes = Int(fields[1]) { return kibibytes * 1_024 }
        }
        return 0
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
