// Loading a file: the whole server as a child process, from its start until it says that it serves.

import Glibc

enum Loading: BenchCase {
    static let name = "load"
    static let measures = ["load.nodes-per-second"]

    static func run(_ bench: Bench) throws {
        guard let server = bench.settings.serverPath else {
            for name in measures { bench.skip(name, "no --server was given") }
            return
        }
        let size = bench.settings.largest
        let path = try SessionFile.write(nodes: size, bench)
        defer { unlink(path) }
        let rates = try bench.repeated(5) { _ in
            var line: String?
            var process: ChildProcess?
            let elapsed = try bench.ticks.time {
                let child = try ChildProcess(
                    server, ["--port", "0", "--shards", "1", "--load", path],
                    isQuiet: true)
                line = child.readLine()
                process = child
            }
            process?.terminate()
            _ = process?.wait()
            guard line?.contains("serving on") == true else {
                throw BenchError("the server said '\(line ?? "")' instead of where it serves")
            }
            return Double(size) / (elapsed / 1e9)
        }
        let subject = Subject(.wide, nodes: size, overridingPercent: 1, "the whole server")
        bench.record("load.nodes-per-second", subject, .perSecond, rates)
    }

}

/// A session file as a client would write it.
private enum SessionFile {
    /// A wide tree of views, one in a hundred with an override. Returns the file's path.
    static func write(nodes: Int, _ bench: Bench) throws -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/traitd-bench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0, let file = fdopen(descriptor, "w") else {
            throw BenchError("no temporary file in \(folder)")
        }
        defer { fclose(file) }
        fputs(#"{"name":"bench","nodes":["#, file)
        fputs(#"{"id":"n0","kind":"environment","parent":null}"#, file)
        for node in 1..<nodes {
            let overrides = node % 100 == 0 ? #","overrides":{"userInterfaceStyle":"dark"}"# : ""
            fputs(
                ",\n" + #"{"id":"n\#(node)","kind":"view","parent":"n\#((node - 1) / 10)""#
                    + overrides + "}", file)
        }
        fputs("]}\n", file)
        return template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }
}
