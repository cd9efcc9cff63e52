// The service's limits: each with a name, its unit last. Every refusal names limit and value.

import Limits
import TraitEngine

/// The values of the limits. `ServiceLimits+Table.swift` has the meaning of each limit.
@usableFromInline
package struct ServiceLimits: Sendable {
    /// Set by `--max-memory`, which has units and a default that depends on the machine.
    package var memoryBytesMax = Int.max
    package var sessionMemoryPercentMax = 80
    package var callerMemoryPercentMax = 90
    package var sessionsMax = 10_000
    package var operationsMax = 100_000
    package var documentBytesMax = 1_073_741_824
    package var updatedNodesMax = 500_000
    package var pageSizeMax = 1_000
    package var pageSizeDefault = 100
    package var pageBytesMax = 262_144
    package var filterBytesMax = 128
    package var answeredChangesMax = 1_000
    package var answeredChangesBytesMax = 262_144
    package var answeredConflictsMax = 100
    package var managersMax = 1_000
    package var notificationBytesMax = 16_777_216
    package var retainedCommitsMin = 1_000
    package var retainedCommitsMax = 10_000
    package var retainedBytesMax = 16_777_216
    package var retainedAgeMilliseconds: Int64 = 604_800_000
    package var idempotencyKeyBytesMax = 255
    package var idempotencyKeysMax = 10_000
    package var idempotencyBytesMax = 16_777_216
    package var idempotencyAgeMilliseconds: Int64 = 86_400_000
    package var snapshotEvery = 10_000
    package var minFreeDisk = 67_108_864
    package var flagContextBytesMax = 65_536
    package var rowsMax = 500
    package var rowNamesMax = 10_000
    package var variantRowsMax = 20_000
    package var variantValuesMax = 1_000_000
    package var rowLingerMilliseconds: Int64 = 60_000
    package var inlineBodyBytesMax = 32_768
    package var inlineAppliedNodesMax = 64
    package var inlineRegistrationsMax = 200
    package var inlineAnswerBytesMax = 262_144
    package var inlineValuesMax = 2_000
    package var inlineVisitsMax = 10_000
    package var inlineHistoryBytesMax = 262_144
    package var readSnapshotsMax = 4
    package var pastBytesMax = 268_435_456
    package var pastResultsMax = 1_000
    package var pastRebuildsMax = 4
    package var pastWaitingMax = 32
    package var streamsMax = 16_000
    package var streamsPerCallerMax = Int.max
    package var feedsMax = 20_000
    package var feedMembersMax = 200_000
    package var streamRegistrationsMax = 100
    package var heartbeatMilliseconds: Int64 = 15_000
    package var streamLifetimeMilliseconds: Int64 = 3_600_000
    package var watchLingerMilliseconds: Int64 = 60_000
    package var ttlSecondsMax = 604_800
    package var longPollWaitSecondsMax = 300
    package var longPollRecordsMax = 1_000
    package var longPollRecordsDefault = 100
    package var slowRequestMicrosecondsMin = 10_000
    package var slowRequestsMax = 128
    package var accessLogBytesMax = 4_194_304
    /// The limits of one session, unless it asks for lower ones.
    package var hierarchy = HierarchyLimits()

    package init() {}
}
