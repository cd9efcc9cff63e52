// The errors of a session, which know no protocol: TraitService makes problem documents of them, and a replay
// reports them as they are.

import JSONCodec

/// A refusal of a session. It means that nothing changed, except for `logUnavailable`: after it, the
/// commit may be in the log when the server starts again; and for `outcomeUnknown`.
@usableFromInline
package struct SessionError: Error, Sendable {
    /// A further fact about the refusal, by name.
    package enum Fact: Sendable {
        case string(String)
        case integer(Int64)
        /// JSON text.
        case json([UInt8])
    }

    /// The next step of a client, which the interface puts into its own words.
    package enum Hint: Sendable {
        case createSession(String)
        case createNode(String)
        case changeNode(String)
        case listTraits(session: String)
        case listSystemTraits
        case listDevices
        case defineDynamic(member: String)
        case defineEnvironmentKey
        case readTrait(node: String, trait: String)
        case setScope(method: String)
    }

    package let code: SessionErrorCode
    /// A sentence that says what is wrong and, where no hint does, what to do.
    package var detail: String
    /// JSON pointer (RFC 6901) into the decoded document.
    package var pointer: String?
    /// Whether the name at fault stands inside a document, not in the request's own target.
    package var isInside = false
    package var didYouMean: String?
    package var hint: Hint?
    package var facts: [(name: StaticString, value: Fact)] = []
    /// The other faults of the same body, in their order.
    package var others: [SessionError] = []
    /// The revision of the state that the error is about; 0 when it is about none.
    package private(set) var seenAt: Int64 = 0
    /// What the error only means, inside of this module; see `WorkBudget`.
    package enum Signal {
        case takesLong
        case interrupted
    }
    package var signal: Signal?

    package init(
        _ code: SessionErrorCode, _ detail: String, pointer: String? = nil,
        didYouMean: String? = nil, hint: Hint? = nil
    ) {
        self.code = code
        self.detail = detail
        self.pointer = pointer
        self.didYouMean = didYouMean
        self.hint = hint
    }

    /// The error of a text that is no acceptable JSON, or that there is no memory to read.
    package init(_ error: JSONError) {
        if error.code == .outOfMemory {
            self.init(.outOfMemory, error.reason.capitalizedFirst + ".")
            return
        }
        if let limit = error.limit {
            self = .limit(
                .malformedJSON,
                "\(error.reason.capitalizedFirst): \(limit.name) is \(limit.value).",
                name: limit.name, value: limit.value)
        } else {
            self.init(.malformedJSON, error.reason.capitalizedFirst + ".")
        }
        pointer = error.pointer
        self = with("offset", Int64(error.offset)).with("line", Int64(error.line)).with(
            "column", Int64(error.column))
    }

    /// The error of a part of a document: `prefix` comes before its pointer and the pointers of `others`.
    @usableFromInline
    package func prefixed(_ prefix: String) -> SessionError {
        var error = self
        error.pointer = prefix + (pointer ?? "")
        if !others.isEmpty { error.others = others.map { $0.prefixed(prefix) } }
        return error
    }

    /// The same error, about the state of a revision.
    package func seen(at revision: Int64) -> SessionError {
        var error = self
        error.seenAt = revision
        return error
    }

    package func at(_ pointer: String) -> SessionError {
        var error = self
        error.pointer = pointer
        return error
    }

    /// The error of a name that stands in a document, at `pointer`; nil for a place without a pointer.
    package func inside(at pointer: String?) -> SessionError {
        var error = self
        error.isInside = true
        error.pointer = pointer
        return error
    }

    /// Adds `pointer` to an error without one that says that the identifier exists; returns others as they are.
    package func pointingAtIdentifier(_ pointer: String) -> SessionError {
        code == .exists && self.pointer == nil ? at(pointer) : self
    }

    package func with(_ name: StaticString, _ value: Int64) -> SessionError {
        with(name, .integer(value))
    }

    package func with(_ name: StaticString, _ value: String) -> SessionError {
        with(name, .string(value))
    }

    package func with(_ name: StaticString, _ value: Fact) -> SessionError {
        var error = self
        error.facts.append((name, value))
        return error
    }

    /// The error of a write that the log has not settled.
    package static var outcomeUnknown: SessionError {
        SessionError(
            .outcomeUnknown,
            "The log has not said whether the write happened; if it did, readers see it later. Send the request again with the same Idempotency-Key, or read first."
        )
    }

    /// The log refuses this process.
    package static func logRefused(_ reason: String) -> SessionError {
        SessionError(.logRefused, "The log refuses this server: \(reason). Nothing changed.")
    }

    /// A limit that was reached: named, with its value.
    package static func limit(
        _ code: SessionErrorCode, _ detail: String, name: String, value: Int
    ) -> SessionError {
        SessionError(code, detail).with("limit", "\(name)=\(value)")
    }

    /// Whether the error says that this limit is reached.
    func isOfLimit(_ name: String) -> Bool {
        facts.contains { fact in
            if case .string(let text) = fact.value { text.hasPrefix("\(name)=") } else { false }
        }
    }
}

/// Evaluates `value`, which is a part of a document; an error points into the document.
///
/// - Parameter pointer: the part's place in the document.
@inlinable
package func within<Value>(
    _ pointer: @autoclosure () -> String, _ value: @autoclosure () throws(SessionError) -> Value
) throws(SessionError) -> Value {
    do throws(SessionError) { return try value() } catch { throw error.prefixed(pointer()) }
}

/// Everything that a session can refuse. The list is closed; the raw values are those of the
/// interface's problem codes, which a test compares.
package enum SessionErrorCode: String, CaseIterable, Sendable {
    // The request cannot be understood.
    case malformedJSON = "malformed-json"
    case malformedBody = "malformed-body"
    case unknownMember = "unknown-member"
    case missingMember = "missing-member"
    case malformedIdentifier = "malformed-identifier"
    case malformedParameter = "malformed-parameter"
    case malformedToken = "malformed-token"
    case malformedIdempotencyKey = "malformed-idempotency-key"
    case malformedReason = "malformed-reason"
    case tokenMismatch = "token-mismatch"
    // The caller may not.
    case forbidden
    // A name in the request refers to nothing.
    case unknownSession = "unknown-session"
    case unknownNode = "unknown-node"
    case unknownTrait = "unknown-trait"
    case unknownRegistration = "unknown-registration"
    case unknownScope = "unknown-scope"
    case noOverride = "no-override"
    case unknownEnvironmentKey = "unknown-environment-key"
    case unknownDevice = "unknown-device"
    case unknownColor = "unknown-color"
    case unknownImage = "unknown-image"
    case unknownParent = "unknown-parent"
    case unknownController = "unknown-controller"
    // The state forbids it.
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
    case historyGone = "history-gone"
    case sessionReplaced = "session-replaced"
    case revisionMismatch = "revision-mismatch"
    // The value is wrong.
    case typeMismatch = "type-mismatch"
    case kindMismatch = "kind-mismatch"
    case emptyTraitList = "empty-trait-list"
    case privateTrait = "private-trait"
    case invalidDefinition = "invalid-definition"
    case invalidVariants = "invalid-variants"
    case nothingRecorded = "nothing-recorded"
    case unsupportedMode = "unsupported-mode"
    case notSiblings = "not-siblings"
    case idempotencyKeyReused = "idempotency-key-reused"
    case managed
    case idempotencyInFlight = "idempotency-in-flight"
    // A limit, named with its value.
    case bodyTooLarge = "body-too-large"
    case transactionTooLarge = "transaction-too-large"
    case tooManyVariants = "too-many-variants"
    case valueTooLarge = "value-too-large"
    case tooManyStreams = "too-many-streams"
    case tooManyReads = "too-many-reads"
    case quota
    case memoryFull = "memory-full"
    case outOfMemory = "out-of-memory"
    // The log.
    case storageFull = "storage-full"
    case logUnavailable = "log-unavailable"
    /// The log has not answered in time; the write may have happened, or may happen yet.
    case outcomeUnknown = "outcome-unknown"
    /// The log refuses what this process asks for; an operator has to mend that.
    case logRefused = "log-refused"
    /// An entry of the log cannot be applied to the session in this process.
    case sessionDiverged = "session-diverged"
    /// A fault of the program.
    case internalError = "internal-error"
}

extension SessionError {
    /// Whether the operation may be possible after other operations.
    package var mayPassLater: Bool {
        if signal != nil { return false }
        return switch code {
        case .cycle, .secondRootView: true
        case .quota: isOfLimit("depthMax")
        default: false
        }
    }
}
