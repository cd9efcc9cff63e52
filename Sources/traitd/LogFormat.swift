// Log lines on standard error, for people or for machines.

import ArgumentParser
import Glibc
import JSONCodec
import Logging

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    static func makeLogger(_ format: LogFormat) -> Logger {
        Logger(label: "traitd") { _ in StandardErrorLog(format: format) }
    }
}

/// One line a message, written with one call so that lines do not mix.
struct StandardErrorLog: LogHandler {
    let format: LogFormat
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        var line = JSONWriter()
        switch format {
        case .text:
            line.verbatim("\(event.level): \(event.message)")
            for (key, value) in fields { line.verbatim(" \(key)=\(value)") }
        case .json:
            line.beginObject()
            line.key("level")
            line.value(event.level.rawValue)
            line.key("message")
            line.value(event.message.description)
            for (key, value) in fields {
                line.key(key)
                line.value(value.description)
            }
            line.endObject()
        }
        line.newline()
        _ = line.bytes.withMemoryRebound(to: UInt8.self) { bytes in
            Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
