// The closed list of everything that can go wrong for a client. ProblemCode+Table.swift has status and words of each.
// `GET /problems/{code}`, openapi.yaml and the tests read this list.

package enum ProblemCode: String, CaseIterable, Sendable {
    // 400: what was sent cannot be understood.
    case malformedJSON = "malformed-json"
    case malformedBody = "malformed-body"
    case unknownMember = "unknown-member"
    case missingMember = "missing-member"
    case unknownParameter = "unknown-parameter"
    case repeatedParameter = "repeated-parameter"
    case malformedParameter = "malformed-parameter"
    case malformedIdentifier = "malformed-identifier"
    case malformedToken = "malformed-token"
    case malformedIdempotencyKey = "malformed-idempotency-key"
    case malformedReason = "malformed-reason"
    case tokenMismatch = "token-mismatch"
    case malformedRequest = "malformed-request"
    // 401, 403: the caller, and the origin of the page.
    case unauthenticated
    case forbidden
    case crossOrigin = "cross-origin"
    // 404: what the path names does not exist.
    case unknownRoute = "unknown-route"
    case unknownSession = "unknown-session"
    case unknownNode = "unknown-node"
    case unknownTrait = "unknown-trait"
    case unknownRegistration = "unknown-registration"
    case unknownScope = "unknown-scope"
    case unknownEnvironmentKey = "unknown-environment-key"
    case unknownDevice = "unknown-device"
    case unknownColor = "unknown-color"
    case unknownImage = "unknown-image"
    case unknownProblem = "unknown-problem"
    case noOverride = "no-override"
    // 405, 406, 408, 415, 417: the request's form.
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTimeout = "request-timeout"
    case unsupportedMediaType = "unsupported-media-type"
    case expectationFailed = "expectation-failed"
    // 409: the state forbids it.
    case exists
    case kindImmutable = "kind-immutable"
    case cycle
    case secondRootView = "second-root-view"
    case inUse = "in-use"
    case changedSince = "changed-since"
    case traitImmutable = "trait-immutable"
    case environmentKeyImmutable = "environment-key-immutable"
    case systemTrait = "system-trait"
    case duplicateIdentifier = "duplicate-identifier"
    case sessionDiffers = "session-differs"
    case revisionAhead = "revision-ahead"
    case managed
    case idempotencyInFlight = "idempotency-in-flight"
    // 410: it was there once.
    case historyGone = "history-gone"
    case sessionReplaced = "session-replaced"
    // 412
    case revisionMismatch = "revision-mismatch"
    // 413, 414, 429, 431, 503, 507: a limit, named with its value.
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case tooManyStreams = "too-many-streams"
    case headersTooLarge = "headers-too-large"
    case tooManyConnections = "too-many-connections"
    case tooManyConnectionsFromAddress = "too-many-connections-from-address"
    case tooMuchInput = "too-much-input"
    case tooMuchOutput = "too-much-output"
    case outOfMemory = "out-of-memory"
    case transactionTooLarge = "transaction-too-large"
    case tooManyVariants = "too-many-variants"
    case tooManyReads = "too-many-reads"
    case quota
    case memoryFull = "memory-full"
    case storageFull = "storage-full"
    // 421: the request is for another server.
    case unknownHost = "unknown-host"
    // 422: understood, but the value is wrong. (`unknownTrait` is 422 too, inside a body or query.)
    case valueTooLarge = "value-too-large"
    case typeMismatch = "type-mismatch"
    case unknownParent = "unknown-parent"
    case unknownController = "unknown-controller"
    case kindMismatch = "kind-mismatch"
    case emptyTraitList = "empty-trait-list"
    case privateTrait = "private-trait"
    case invalidDefinition = "invalid-definition"
    case invalidVariants = "invalid-variants"
    case nothingRecorded = "nothing-recorded"
    case unsupportedMode = "unsupported-mode"
    case notSiblings = "not-siblings"
    case idempotencyKeyReused = "idempotency-key-reused"
    // 5xx: ours.
    case internalError = "internal-error"
    case notImplemented = "not-implemented"
    case logUnavailable = "log-unavailable"
    case outcomeUnknown = "outcome-unknown"
    case logRefused = "log-refused"
    case sessionDiverged = "session-diverged"
    case starting
    case draining
    case versionNotSupported = "http-version-not-supported"

    /// Seconds after which trying again makes sense; nil when it does not by itself.
    var retryAfterSeconds: Int64? {
        switch self {
        case .tooManyStreams, .tooManyReads, .tooManyConnections,
            .tooManyConnectionsFromAddress, .tooMuchInput, .tooMuchOutput, .outOfMemory,
            .logUnavailable, .outcomeUnknown, .logRefused, .starting, .draining,
            .idempotencyInFlight:
            1
        default: nil
        }
    }
}
