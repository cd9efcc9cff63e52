// The settings of the log in etcd.

import SessionLog

/// Where etcd is, and how the log uses it.
package struct EtcdLogOptions: Sendable {
    /// URLs of the members, such as `https://etcd-0:2379`.
    package var endpoints: [String]
    /// The prefix of every key of this log. Two logs in one etcd have different prefixes.
    package var prefix = "/traitd/1"
    /// How long a call other than an append waits for etcd.
    package var deadline = Duration.seconds(10)
    /// The time that the first try of a request has; twice as long for each further one.
    package var firstTry = Duration.milliseconds(400)
    /// How long an append that is refused after a try without an answer is sent again. etcd itself gives a
    /// request up after 7 s; what comes later meets the same refusal.
    package var refusalPatience = Duration.seconds(8)
    /// The time between two comparisons of all heads.
    package var sweepEvery = Duration.seconds(10)
    /// How long a confirmation waits for the watch before it reads the rows itself.
    package var watchPatience = Duration.milliseconds(300)

    /// Files in PEM form for `https`; nil for the system's authorities and for no client certificate.
    package var caFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    /// The user of etcd, whose password is the first line of a file.
    package var user: String?
    package var passwordFile: String?

    /// Bytes of etcd's database, from 95 % of which on nothing is appended but ends of sessions; nil for 75 % of
    /// etcd's quota.
    package var bytesMax: Int64?
    /// How long what a session had stays after its end, so that other processes get to know the end.
    package var forgetAfter = Duration.seconds(600)
    /// How far back etcd keeps what was overwritten and deleted; nil to leave compaction to the operator.
    package var compaction: Duration? = .seconds(600)

    /// The newest versions that this process reads; nil for one that reads no sessions.
    package var versions: LogVersions?
    /// Whether the process serves sessions, so that the others have to know of it.
    package var isMember = true
    /// The name of the process for people, for which `ReplicaName.isValid` holds; nil for its random tag. No commit
    /// depends on it, and two processes may have one name.
    package var replica: String?
    /// Whether a log is made where there is none; otherwise it reads as one without sessions.
    package var makesLog = true
    /// What carries requests; nil for libcurl.
    package var network: (any EtcdNetwork)?
    /// Whether a log is read that was made in another cluster of etcd: to adopt it.
    var takesForeign = false

    package init(endpoints: [String]) { self.endpoints = endpoints }

    /// For a command, which leaves the upkeep of etcd to servers.
    package var withoutUpkeep: EtcdLogOptions {
        var options = self
        options.sweepEvery = .seconds(86_400)
        options.isMember = false
        return options
    }
}
