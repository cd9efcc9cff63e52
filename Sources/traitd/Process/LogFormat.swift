// The application log: lines for people or for machines, with RFC 3339 times. What comes from outside is
// escaped, so that no message can pretend to be another line.

import ArgumentParser
import Glibc
import HTTPWire
import Logging
import SessionViews
import TraitJSON
import TraitService
import TraitSessions

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// A logger on standard error.
    static func makeLogger(_ format: LogFormat) -> Logger {
        format.logger(to: LogFile(standard: STDERR_FILENO))
    }

    func logger(to file: LogFile) -> Logger {
        Logger(label: "traitd") { _ in ApplicationLog(format: self, file: file) }
    }
}

/// One line a message, written with one call so that lines do not mix.
struct ApplicationLog: LogHandler {
    let format: LogFormat
    let file: LogFile
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let time = Timestamp.text(SessionEnvironment.system.now())
        let line = OutputBuffer(capacity: 256)
        switch format {
        case .text:
            line.append("\(time) \(event.level): ")
            line.append(Self.plain(event.message.description))
            for (key, value) in fields {
                line.append(" \(key)=")
                appendValue(value, .text, to: line)
            }
        case .json:
            line.append("{\"time\":\"\(time)\",\"log\":\"traitd\",\"level\":\"\(event.level)\"")
            line.append(",\"message\":")
            SafeText.quote(event.message.description, .json, into: line)
            for (key, value) in fields {
                line.append(",\"\(key)\":")
                appendValue(value, .json, to: line)
            }
            line.append("}")
        }
        line.append("\n")
        file.write(line.bytes)
    }

    /// Numbers stay numbers; everything else is quoted.
    private func appendValue(
        _ value: Logger.Metadata.Value, _ form: SafeText.Form, to line: OutputBuffer
    ) {
        if case .stringConvertible(let number as Int) = value {
            line.append(decimal: number)
        } else {
            SafeText.quote(value.description, form, into: line)
        }
    }

    /// A message of a text line, which has no quotes around it.
    private static func plain(_ message: String) -> String {
        let quoted = OutputBuffer()
        SafeText.quote(message, .plain, into: quoted)
        return String(decoding: quoted.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
