// The options of a log that several servers share.

import ArgumentParser
import EtcdLog
import TraitService

struct SharedLogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The log that this server shares with others: etcd= and the URLs of etcd's members, separated by commas.",
            valueName: "etcd=urls"))
    var log: String?

    @Option(
        help: ArgumentHelp(
            "What every key in etcd begins with. Servers with the same prefix share their sessions. (default: /traitd/1)",
            valueName: "prefix"))
    var logPrefix: String?

    @Option(
        help: ArgumentHelp(
            "The certificates of authorities that may vouch for etcd, in PEM form. (default: the system's)",
            valueName: "path"), completion: .file())
    var logCa: String?

    @Option(
        help: ArgumentHelp(
            "The certificate that this server shows to etcd, in PEM form.", valueName: "path"),
        completion: .file())
    var logCert: String?

    @Option(
        help: ArgumentHelp("The key of that certificate, in PEM form.", valueName: "path"),
        completion: .file())
    var logKey: String?

    @Option(help: ArgumentHelp("The user of etcd.", valueName: "name"))
    var logUser: String?

    @Option(
        help: ArgumentHelp(
            "The file whose first line is that user's password.", valueName: "path"),
        completion: .file())
    var logPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            "How long a request waits for etcd: a number with ms, s or m. (default: 10s)",
            valueName: "time"),
        transform: Self.time)
    var logDeadline: LogTime?

    @Option(
        help: ArgumentHelp(
            "Bytes of etcd's database; writes get 507 from 95 % of them on. (default: 75 % of etcd's quota)",
            valueName: "bytes"),
        transform: WholeNumber.checked)
    var logBytesMax: Int?

    @Option(
        help: ArgumentHelp(
            "How long etcd keeps what was overwritten: a number with s or m, or off if etcd compacts itself. (default: 10m)",
            valueName: "time"),
        transform: Self.compaction)
    var logCompaction: LogTime?

    /// Milliseconds, as they were written.
    struct LogTime: CustomStringConvertible {
        let milliseconds: Int64?
        let description: String
    }

    private static func time(_ text: String) throws -> LogTime {
        guard let milliseconds = QueryDuration.milliseconds(text),
            (100...600_000).contains(milliseconds)
        else { throw ValidationError("it goes from 100ms to 10m.") }
        return LogTime(milliseconds: milliseconds, description: text)
    }

    private static func compaction(_ text: String) throws -> LogTime {
        if text == "off" { return LogTime(milliseconds: nil, description: text) }
        guard let milliseconds = QueryDuration.milliseconds(text),
            (60_000...86_400_000).contains(milliseconds)
        else { throw ValidationError("it goes from 1m to 1440m, or is off.") }
        return LogTime(milliseconds: milliseconds, description: text)
    }

    func validate() throws {
        guard let log else {
            if let given = SettingTable.firstGiven(of: self) {
                throw ValidationError("--\(given) goes with --log.")
            }
            return
        }
        _ = try Self.endpoints(log)
        if (logCert == nil) != (logKey == nil) {
            throw ValidationError("--log-cert and --log-key go together.")
        }
        if (logUser == nil) != (logPasswordFile == nil) {
            throw ValidationError("--log-user and --log-password-file go together.")
        }
        if let logPrefix, !logPrefix.hasPrefix("/") || logPrefix.hasSuffix("/") {
            throw ValidationError("--log-prefix begins with a slash and ends without one.")
        }
        if let logBytesMax, logBytesMax < 16_777_216 {
            throw ValidationError("--log-bytes-max begins at 16777216.")
        }
    }

    private static func endpoints(_ log: String) throws -> [String] {
        guard log.hasPrefix("etcd=") else {
            throw ValidationError(
                "--log takes etcd= and URLs, such as --log etcd=http://127.0.0.1:2379.")
        }
        let urls = log.dropFirst("etcd=".count).split(
            separator: ",", omittingEmptySubsequences: false
        )
        .map { String($0.hasSuffix("/") ? $0.dropLast() : $0) }
        for url in urls {
            // Addresses are in logs and in `--print-config`.
            guard !url.contains("@") else {
                throw ValidationError(
                    "--log takes URLs without a user: give --log-user NAME and --log-password-file PATH."
                )
            }
            let rest = ["http://", "https://"].lazy.filter { url.hasPrefix($0) }.first.map {
                url.dropFirst($0.count)
            }
            guard let rest, !rest.isEmpty, !rest.contains("/"), !rest.contains(" ") else {
                throw ValidationError(
                    "'\(url)' is no URL of a member of etcd, such as http://127.0.0.1:2379: http or https, a host and a port, and no path."
                )
            }
        }
        return urls
    }

    /// The settings of the log; nil without one.
    func settings() throws -> EtcdLogOptions? {
        guard let log else { return nil }
        var options = EtcdLogOptions(endpoints: try Self.endpoints(log))
        if let logPrefix { options.prefix = logPrefix }
        options.caFile = logCa
        options.certificateFile = logCert
        options.keyFile = logKey
        options.user = logUser
        options.passwordFile = logPasswordFile
        if let milliseconds = logDeadline?.milliseconds {
            options.deadline = .milliseconds(milliseconds)
        }
        options.bytesMax = logBytesMax.map(Int64.init)
        if let logCompaction {
            options.compaction = logCompaction.milliseconds.map { .milliseconds($0) }
        }
        return options
    }
}
