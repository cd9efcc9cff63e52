// `traitd log status`: whether the log that servers share is well, for people and for scripts.

import ArgumentParser
import EtcdLog
import Glibc
import JSONCodec
import SessionLog

struct LogStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the members of etcd, their room, the sessions, and signs of a restore.",
        discussion: """
            Reads the whole log and changes nothing. Servers may go on.

            Exit status: 0 when all is well; 1 when the log works and needs attention: a member does not answer, \
            has no leader or reports an alarm, 80 % of the room is used, or there is no log under the prefix; 65 \
            when etcd seems to be restored or replaced, when sessions cannot be read, or when a later release \
            wrote the log; 73 when no majority of members answers; 74 when the output cannot be written.
            """)

    @OptionGroup var options: NamedLogOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let settings = try options.settings()
        let status: EtcdLogStatus
        do throws(LogFailure) {
            status = try EtcdLogStatus.read(settings)
        } catch {
            throw Fault(
                "the log in etcd cannot be read: \(error.reason)", code: Exit.code(of: error))
        }
        let code = status.exitCode
        let text = json ? status.json(code) : Array(status.text.utf8)
        let output = try OutputFile(nil)
        text.withUnsafeBytes(output.write)
        try output.finish()
        if code != 0 { throw ExitCode(code) }
    }
}

extension EtcdLogStatus {
    /// Findings that need an operator, the gravest first.
    fileprivate var findings: (grave: [String], others: [String]) {
        var grave: [String] = []
        var others: [String] = []
        if let suspicion { grave.append(suspicion) }
        grave += refused.map { "the session '\($0.session.name)' cannot be read: \($0.reason)" }
        if epoch == nil {
            others.append("there is no log under \(prefix); a server makes one when it starts")
        }
        for member in members {
            if let failure = member.failure {
                others.append("a member does not answer: \(failure)")
            } else if !member.hasLeader {
                others.append("\(member.endpoint) has no leader")
            }
            others += member.errors.map { "\(member.endpoint) reports: \($0)" }
        }
        if space.isShort {
            others.append("\(space.used) of \(space.max) bytes are used; see the page on replicas")
        }
        return (grave, others)
    }

    /// The log works, and something needs an operator soon.
    private static let attention: Int32 = 1

    fileprivate var exitCode: Int32 {
        let (grave, others) = findings
        return !grave.isEmpty ? Exit.badData : others.isEmpty ? 0 : Self.attention
    }

    // MARK: - For people

    fileprivate var text: String {
        var lines = members.map { member in
            if member.failure != nil { return "member    \(member.endpoint)  does not answer" }
            let role = member.isLeader ? "leader" : member.hasLeader ? "follower" : "no leader"
            return "member    \(member.endpoint)  etcd \(member.version)  \(role)  "
                + "\(member.bytesUsed) bytes used of \(Self.quota(member.quotaBytes))"
        }
        lines.append("cluster   \(clusterID)")
        lines.append("revision  \(revision), compacted to \(compactedRevision)")
        lines.append(
            "room      \(space.used) bytes used, limit \(space.max == .max ? "none" : "\(space.max)")"
        )
        lines.append("prefix    \(prefix)")
        if let epoch {
            lines.append("epoch     \(epoch.tag), made in cluster \(epoch.clusterID)")
            lines.append(
                "sessions  \(usage.live) live, \(usage.ended) ended, \(refused.count) refused")
            lines.append(
                "log       \(usage.rowBytes) bytes of commits, \(usage.snapshotBytes) bytes of snapshots"
            )
        }
        if !replicas.isEmpty { lines.append("servers   \(replicas.joined(separator: " "))") }
        let (grave, others) = findings
        lines += grave.map { "FAULT     \($0)" } + others.map { "ATTENTION \($0)" }
        if grave.isEmpty, others.isEmpty { lines.append("all is well") }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func quota(_ bytes: Int64?) -> String {
        switch bytes {
        case nil: "an unknown quota"
        case 0: "no quota"
        case .some(let bytes): "\(bytes)"
        }
    }

    // MARK: - For scripts

    fileprivate func json(_ code: Int32) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("exitCode", Int(code))
        json.member("clusterId", clusterID)
        json.member("prefix", prefix)
        if let epoch {
            json.beginObject("epoch")
            json.member("tag", epoch.tag)
            json.member("clusterId", epoch.clusterID)
            json.endObject()
        } else {
            json.key("epoch")
            json.null()
        }
        json.member("restoreSuspected", suspicion != nil)
        json.member("suspicion", ifPresent: suspicion)
        json.member("revision", revision)
        json.member("compactedRevision", compactedRevision)
        json.member("bytesUsed", space.used)
        json.key("bytesMax")
        if space.max == .max { json.null() } else { json.value(space.max) }
        json.beginArray("members")
        for member in members { Self.write(member, &json) }
        json.endArray()
        json.beginObject("sessions")
        json.member("live", usage.live)
        json.member("ended", usage.ended)
        json.member("refused", refused.count)
        json.endObject()
        json.beginArray("refused")
        for refusal in refused {
            json.beginObject()
            json.member("session", refusal.session.name)
            json.member("uid", refusal.session.uid)
            json.member("reason", refusal.reason)
            json.endObject()
        }
        json.endArray()
        json.member("commitBytes", usage.rowBytes)
        json.member("snapshotBytes", usage.snapshotBytes)
        json.beginArray("replicas")
        for replica in replicas { json.value(replica) }
        json.endArray()
        json.beginArray("findings")
        let (grave, others) = findings
        for finding in grave + others { json.value(finding) }
        json.endArray()
        json.endObject()
        return json.array() + Array("\n".utf8)
    }

    private static func write(_ member: Member, _ json: inout JSONWriter) {
        json.beginObject()
        json.member("endpoint", member.endpoint)
        json.member("answers", member.failure == nil)
        if let failure = member.failure {
            json.member("reason", failure)
        } else {
            json.member("version", member.version)
            json.member("clusterId", member.clusterID)
            json.member("isLeader", member.isLeader)
            json.member("hasLeader", member.hasLeader)
            json.member("revision", member.revision)
            json.member("bytesUsed", member.bytesUsed)
            json.member("fileBytes", member.fileBytes)
            json.member("quotaBytes", ifPresent: member.quotaBytes)
            json.beginArray("errors")
            for error in member.errors { json.value(error) }
            json.endArray()
        }
        json.endObject()
    }
}
