// The quantity that each limit of the service bounds, and the consequence of exceeding it.

import Limits

extension ServiceLimits: LimitTable {
    private static let quota = LimitConsequence.refused(status: 507, code: "quota")
    private static let tooLarge = LimitConsequence.refused(
        status: 413, code: "transaction-too-large")
    private static let tooManyStreams = LimitConsequence.refused(
        status: 429, code: "too-many-streams")
    private static let malformed = LimitConsequence.refused(
        status: 400, code: "malformed-parameter")

    package static let all: [Limit<ServiceLimits>] = memory + requests + streams

    private static let memoryFull = LimitConsequence.refused(status: 507, code: "memory-full")

    private static let memory: [Limit<ServiceLimits>] = [
        // Reads get 503 `out-of-memory` beyond it.
        Limit(
            "memoryBytesMax", \.memoryBytesMax, beyond: memoryFull,
            help: "Bytes of memory that the process may take; `--max-memory` sets it."),
        Limit(
            "sessionMemoryPercentMax", \.sessionMemoryPercentMax, 1...100, beyond: memoryFull,
            help: "Percent of the process's memory that one session may hold."),
        Limit(
            "callerMemoryPercentMax", \.callerMemoryPercentMax, 1...100, beyond: memoryFull,
            help: "Percent of the process's memory that the sessions of one caller may hold."),
    ]

    private static let requests: [Limit<ServiceLimits>] = [
        Limit(
            "sessionsMax", \.sessionsMax, 1...10_000_000, beyond: quota,
            help: "Sessions of the server."),
        Limit(
            "operationsMax", \.operationsMax, 1...10_000_000, beyond: tooLarge,
            help: "Operations of one transaction."),
        // That of an import is read as it comes, and never in memory as a whole.
        Limit(
            "documentBytesMax", \.documentBytesMax, 1_024...1_099_511_627_776,
            beyond: .refused(status: 413, code: "body-too-large"),
            help: "Bytes of the document of an import or an apply, after decompression."),
        // openapi.yaml has the same bound.
        Limit(
            "pageSizeMax", \.pageSizeMax, beyond: malformed,
            help: "Items of one page of a list."),
        Limit(
            "pageSizeDefault", \.pageSizeDefault,
            beyond: .effect("the next page has the rest"),
            help: "Items of a page when a request does not say how many."),
        Limit(
            "pageBytesMax", \.pageBytesMax,
            beyond: .effect("the page ends early, and the next one has the rest"),
            help: "Bytes of a page of nodes, registrations, environment keys, colours or images."),
        Limit(
            "filterBytesMax", \.filterBytesMax, beyond: malformed,
            help: "Bytes of the text that `q` searches for."),
        Limit(
            "updatedNodesMax", \.updatedNodesMax, beyond: tooLarge,
            help:
                "Nodes that updates bring up to date, values that are converted, registrations that get another "
                + "name and parts that are copied in one transaction, from the second such operation on. Eight "
                + "that are only counted or looked at, as below a moved node, count as one."),
        // openapi.yaml has the same bound.
        Limit(
            "answeredChangesMax", \.answeredChangesMax,
            beyond: .effect("the answer says `truncated`"),
            help: "Changes that a commit's answer lists."),
        Limit(
            "answeredChangesBytesMax", \.answeredChangesBytesMax,
            beyond: .effect("the answer says `truncated`"),
            help: "Bytes of changes that a commit's answer lists."),
        Limit(
            "answeredConflictsMax", \.answeredConflictsMax,
            beyond: .effect("`fields` has the first ones; the detail says how many there are"),
            help: "Places managed by others that the refusal of an apply lists."),
        Limit(
            "managersMax", \.managersMax, beyond: quota,
            help: "Different managers whose applies one session has taken."),
        Limit(
            "notificationBytesMax", \.notificationBytesMax, 1_024...1_073_741_824, beyond: tooLarge,
            help: "Bytes of the notifications of one commit; equal ones count once."),
        Limit(
            "flagContextBytesMax", \.flagContextBytesMax,
            beyond: .refused(status: 413, code: "body-too-large"),
            help: "Bytes of the body of a flag evaluation."),
        // openapi.yaml has the same bound.
        Limit(
            "rowsMax", \.rowsMax, beyond: .refused(status: 400, code: "malformed-body"),
            help: "Rows of one window into the tree."),
        Limit(
            "rowNamesMax", \.rowNamesMax,
            beyond: .refused(status: 413, code: "body-too-large"),
            help: "Open and closed nodes that a request for rows names."),
        Limit(
            "variantRowsMax", \.variantRowsMax,
            beyond: .refused(status: 413, code: "too-many-variants"),
            help: "Rows that one request for variants makes, before equal ones are joined."),
        // The whole answer is in memory.
        Limit(
            "variantValuesMax", \.variantValuesMax,
            beyond: .refused(status: 413, code: "too-many-variants"),
            help: "Values, rows times nodes times traits, of the answer to a request for variants."),
        Limit(
            "rowLingerSeconds", milliseconds: \.rowLingerMilliseconds,
            beyond: .effect("the next request makes the rows anew"),
            help: "Seconds that the nodes in tree order are kept after a request for rows."),
        Limit(
            "inlineBodyBytesMax", \.inlineBodyBytesMax,
            beyond: .effect("a worker makes the session, and the shard serves others"),
            help: "Bytes of a session's body up to which the shard makes the session itself."),
        Limit(
            "inlineAppliedNodesMax", \.inlineAppliedNodesMax,
            beyond: .effect("the document is applied beside the shard"),
            help: "Nodes of a document that the shard applies itself."),
        Limit(
            "inlineRegistrationsMax", \.inlineRegistrationsMax,
            beyond: .effect("the state is streamed from a snapshot"),
            help: "Registrations whose state a stream writes under the session's lock."),
        Limit(
            "inlineAnswerBytesMax", \.inlineAnswerBytesMax,
            beyond: .effect("a snapshot is read beside the shard, and the answer is streamed"),
            help: "Bytes of an answer or state that are written under the session's lock."
        ),
        // So many hold the session's lock for about 200 microseconds.
        Limit(
            "inlineValuesMax", \.inlineValuesMax,
            beyond: .effect("a snapshot is read beside the shard, and the answer is streamed"),
            help: "Values, nodes times traits, that are resolved under the session's lock."),
        // So many hold the session's lock for less than a millisecond.
        Limit(
            "inlineVisitsMax", \.inlineVisitsMax,
            beyond: .effect("a snapshot is read beside the shard"),
            help: "Nodes that a list of nodes visits under the session's lock."),
        Limit(
            "inlineHistoryBytesMax", \.inlineHistoryBytesMax,
            beyond: .effect("a worker writes the page, and the shard serves others"),
            help: "Bytes of commits up to which the shard writes a page of the history itself."),
        Limit(
            "idempotencyKeyBytesMax", \.idempotencyKeyBytesMax,
            beyond: .refused(status: 400, code: "malformed-idempotency-key"),
            help: "Bytes of an `Idempotency-Key`."),
        Limit(
            "idempotencyKeysMax", \.idempotencyKeysMax,
            beyond: .effect("the oldest key is forgotten; its request would be carried out again"),
            help: "Requests with an `Idempotency-Key` whose outcome a session keeps."),
        Limit(
            "idempotencyBytesMax", \.idempotencyBytesMax,
            beyond: .effect("the oldest keys are forgotten"),
            help: "Bytes of the answers that a session keeps for requests with a key."),
        Limit(
            "idempotencyAgeSeconds", milliseconds: \.idempotencyAgeMilliseconds, 1...31_536_000,
            beyond: .effect("the key is forgotten"),
            help: "Seconds for which the outcome of a request with a key is kept."),
        Limit(
            "readSnapshotsMax", \.readSnapshotsMax,
            beyond: .refused(status: 429, code: "too-many-reads"),
            help: "Revisions of one session that long answers are being made from."),
        Limit(
            "pastBytesMax", \.pastBytesMax, 1_048_576...1_099_511_627_776, beyond: memoryFull,
            help:
                "Bytes of the past revisions that are kept for reading. Unused ones are dropped first."
        ),
        Limit(
            "pastResultsMax", \.pastResultsMax,
            beyond: .effect("those that were used longest ago are dropped"),
            help: "Past revisions and histories that are kept for reading."),
        Limit(
            "pastRebuildsMax", \.pastRebuildsMax,
            beyond: .effect("the request waits"),
            help: "Past revisions and histories of one caller that are rebuilt at the same time."),
        Limit(
            "pastWaitingMax", \.pastWaitingMax,
            beyond: .refused(status: 429, code: "too-many-reads"),
            help: "Past revisions and histories of one caller that wait to be rebuilt."),
    ]

    private static let streams: [Limit<ServiceLimits>] = [
        Limit(
            "retainedCommitsMin", \.retainedCommitsMin, 1...100_000_000,
            beyond: .effect("older ones are dropped when one of the next three limits is reached"),
            help: "Newest commits of one session that stay, whatever their age and bytes."),
        Limit(
            "retainedCommitsMax", \.retainedCommitsMax, 1...100_000_000,
            beyond: .effect("the oldest commits are dropped; streams resume from the others"),
            help: "Commits of one session from which streams resume."),
        Limit(
            "retainedBytesMax", \.retainedBytesMax, 65_536...1_099_511_627_776,
            beyond: .effect("the oldest commits are dropped; streams resume from the others"),
            help: "Bytes of the commits of one session from which streams resume."),
        Limit(
            "retainedAgeSeconds", milliseconds: \.retainedAgeMilliseconds, 1...315_360_000,
            beyond: .effect("older commits are dropped when another one comes"),
            help: "Seconds for which streams may resume from a commit."),
        Limit(
            "snapshotEvery", \.snapshotEvery, 1...10_000_000,
            beyond: .effect("the log on disk gets a snapshot of the session"),
            help: "Commits of one session after which `--data-dir` gets a snapshot of it, "
                + "or earlier after `--limit retained-bytes-max` bytes of commits."),
        Limit(
            "minFreeDisk", \.minFreeDisk, 1...1_099_511_627_776,
            beyond: .refused(status: 507, code: "storage-full"),
            help: "Bytes that writes leave free on the disk of `--data-dir`."),
        Limit(
            "streamsMax", \.streamsMax, 1...10_000_000,
            beyond: tooManyStreams,
            help: "Open streams and waiting long polls of one session."),
        Limit(
            "streamsPerCallerMax", \.streamsPerCallerMax, 1...10_000_000,
            beyond: tooManyStreams,
            help: "Open streams and waiting long polls of one token or, without tokens, of one "
                + "address."),
        Limit(
            "feedsMax", \.feedsMax, beyond: tooManyStreams,
            help: "Different filters of one session's streams, long polls and watches."),
        // A commit visits each of them once at most.
        Limit(
            "feedMembersMax", \.feedMembersMax, beyond: tooManyStreams,
            help:
                "Registrations and watches that the different streams, long polls and watches of one "
                + "session name together; those of one caller name half as many."),
        Limit(
            "streamRegistrationsMax", \.streamRegistrationsMax, beyond: malformed,
            help: "Registrations and watches that one stream may name."),
        Limit(
            "heartbeatSeconds", milliseconds: \.heartbeatMilliseconds, 1...3_600,
            beyond: .effect("the stream gets a bookmark"),
            help: "Seconds of silence after which a stream gets a bookmark."),
        Limit(
            "streamLifetimeSeconds", milliseconds: \.streamLifetimeMilliseconds, 1...31_536_000,
            beyond: .effect("the stream ends with reason `timeout` and may be resumed"),
            help: "Seconds that one stream may last."),
        Limit(
            "watchLingerSeconds", milliseconds: \.watchLingerMilliseconds, 1...86_400,
            beyond: .effect("the watch is dropped; its tokens get 410 `history-gone`"),
            help: "Seconds that an ad hoc watch outlives its last stream."),
        // Replay reads the same, so no setting changes it.
        Limit(
            "ttlSecondsMax", \.ttlSecondsMax,
            beyond: .refused(status: 400, code: "malformed-body"),
            help: "Seconds of the `ttl` of a registration."),
        Limit(
            "longPollWaitSecondsMax", \.longPollWaitSecondsMax, 1...86_400, beyond: malformed,
            help: "Seconds that a long poll may wait."),
        // openapi.yaml has the same bound.
        Limit(
            "longPollRecordsMax", \.longPollRecordsMax, beyond: malformed,
            help: "Records of one answer to a long poll."),
        Limit(
            "longPollRecordsDefault", \.longPollRecordsDefault,
            beyond: .effect("the next answer has the rest"),
            help: "Records of an answer to a long poll when a request does not say how many."),
        Limit(
            "slowRequestMicrosecondsMin", \.slowRequestMicrosecondsMin, 1...3_600_000_000,
            beyond: .effect("shorter ones are not listed"),
            help: "Microseconds from which on GET /v1/server/slow lists a request."),
        Limit(
            "slowRequestsMax", \.slowRequestsMax,
            beyond: .effect("the oldest leaves the list"),
            help: "Requests, and turns, that GET /v1/server/slow lists."),
        Limit(
            "accessLogBytesMax", \.accessLogBytesMax,
            beyond: .effect("further lines are dropped and counted"),
            help: "Bytes of each shard's answers that wait for their lines of the access log."),
    ]
}
