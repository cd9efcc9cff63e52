// Figures that the system has of this process, by the names that Prometheus' own clients use.

import Glibc

/// Read from `/proc`; a figure that the system does not give is nil.
struct ProcessFigures {
    var cpuSeconds: Double?
    var residentBytes: Int?
    var virtualBytes: Int?
    var threads: Int?
    var openFiles: Int?
    var openFilesMax: Int?
    /// Seconds since 1970.
    var startTime: Double?

    /// O(1): three files of the system, whatever the process holds.
    init() {
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        // proc(5): the name of the command stands in brackets and may have blanks and brackets in it.
        if let text = Self.read("/proc/self/stat"), let end = text.lastIndex(of: ")") {
            let fields = text[text.index(after: end)...].split(separator: " ")
            func field(_ number: Int) -> Int? {
                // The first one here is the third of the file.
                fields.indices.contains(number - 3) ? Int(fields[number - 3]) : nil
            }
            if let user = field(14), let system = field(15) {
                cpuSeconds = Double(user + system) / ticks
            }
            threads = field(20)
            virtualBytes = field(23)
            residentBytes = field(24).map { $0 * max(1, sysconf(Int32(_SC_PAGESIZE))) }
            startTime = field(22).flatMap { start in
                Self.bootTime.map { $0 + Double(start) / ticks }
            }
        }
        var status = stat()
        // Since Linux 6.2 the folder says how many there are; before, one would have to go through them.
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 {
            openFiles = Int(status.st_size)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            openFilesMax = Int(clamping: limit.rlim_cur)
        }
    }

    private static let bootTime: Double? = {
        var boot = timespec()
        var now = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &boot) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0
        else { return nil }
        func seconds(_ time: timespec) -> Double {
            Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
        return seconds(now) - seconds(boot)
    }()

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
