// The machine by its properties: what makes figures of two runs comparable, or shows that they
// are not. No names of hosts or people.

import Glibc

struct Machine {
    var processor = "unknown"
    var cores = 0
    /// `L1d 32 KiB`, one entry a level, of the first core.
    var caches: [String] = []
    var memoryBytes = 0
    var kernel = "unknown"
    var architecture = "unknown"

    static func current() -> Machine {
        var machine = Machine()
        let processors = SystemFile.text("/proc/cpuinfo")?.split(separator: "\n") ?? []
        for line in processors where line.hasPrefix("model name") {
            let name = line.drop { $0 != ":" }.dropFirst(2)
            machine.processor = String(name)
            break
        }
        machine.cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        machine.memoryBytes =
            Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
        var names = utsname()
        if uname(&names) == 0 {
            // What follows the version number names a build of the kernel.
            let version = string(names.release).prefix { $0.isNumber || $0 == "." }
            machine.kernel = string(names.sysname) + " " + String(version)
            machine.architecture = string(names.machine)
        }
        machine.caches = cacheLevels()
        return machine
    }

    private static func cacheLevels() -> [String] {
        var levels: [String] = []
        for index in 0..<8 {
            let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
            guard let level = line(folder + "level"), let size = line(folder + "size") else {
                continue
            }
            let letter = ["Data": "d", "Instruction": "i"][line(folder + "type") ?? ""] ?? ""
            levels.append("L\(level)\(letter) \(size)")
        }
        return levels
    }

    private static func line(_ path: String) -> String? {
        SystemFile.text(path)?.split(separator: "\n").first.map(String.init)
    }

    /// A C array of characters up to its zero.
    private static func string<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
