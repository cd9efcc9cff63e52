// The options of the log and the access log: forms, files and sampling.

import ArgumentParser
import Glibc
import SessionViews
import TraitService
import TraitSessions

/// The form of the access log.
enum AccessLogForm: String, ExpressibleByArgument, CaseIterable {
    case off, text, json

    var form: SafeText.Form? {
        switch self {
        case .off: nil
        case .text: .text
        case .json: .json
        }
    }
}

struct LogOptions: ParsableArguments {
    @Option(help: "How lines of the log look: text or json.")
    var logFormat = LogFormat.text

    @Option(
        help: ArgumentHelp(
            "The file that the log is appended to; SIGHUP opens it anew. (default: standard error)",
            valueName: "path"), completion: .file())
    var logFile: String?

    @Option(
        help: ArgumentHelp(
            "A line for each answer: off, text or json.", valueName: "form"))
    var accessLog = AccessLogForm.off

    @Option(
        help: ArgumentHelp(
            "The file that the access log is appended to; SIGHUP opens it anew. (default: "
                + "standard output)",
            valueName: "path"), completion: .file())
    var accessLogFile: String?

    @Option(
        help: ArgumentHelp(
            "Of so many answers one is logged, and all with a status of 500 and above. (default: 1)",
            valueName: "n"), transform: WholeNumber.checked)
    var accessLogSample = 1

    func validate() throws {
        if !(1...1_000_000).contains(accessLogSample) {
            throw ValidationError("--access-log-sample goes from 1 to 1000000.")
        }
        if accessLog == .off, accessLogFile != nil {
            throw ValidationError(
                "--access-log-file goes with --access-log text or --access-log json.")
        }
    }

    func makeLogFile() throws(Fault) -> LogFile {
        guard let logFile else { return LogFile(standard: STDERR_FILENO) }
        return try LogFile(path: logFile)
    }

    /// The access log, if there is to be one, and the file that it is written to.
    func makeAccessLog(
        shards: Int, limits: ServiceLimits
    ) throws(Fault) -> (log: AccessLog, file: LogFile)? {
        guard let form = accessLog.form else { return nil }
        let file =
            if let accessLogFile {
                try LogFile(path: accessLogFile)
            } else {
                LogFile(standard: STDOUT_FILENO)
            }
        let log = AccessLog(
            form, shards: shards, sampleEvery: accessLogSample,
            bytesMax: limits.accessLogBytesMax
        ) { file.write($0) }
        return (log, file)
    }
}
