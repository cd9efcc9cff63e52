// The words of each problem: a title, and what `GET /problems/{code}` says about it.

extension ProblemCode {
    /// A short summary that does not change from one occurrence to the next.
    package var title: String { text.title }

    /// One or two sentences for the person who meets the problem.
    package var explanation: String { text.explanation }

    private var text: (title: String, explanation: String) {
        switch self {
        case .malformedJSON:
            (
                "The body is not JSON",
                "Bodies are strict JSON (RFC 8259) in UTF-8, without a byte order mark and without repeated member names. The detail gives line and column."
            )
        case .malformedBody:
            (
                "The body has the wrong shape",
                "A member has another JSON type than the operation expects; `pointer` says which."
            )
        case .unknownMember:
            (
                "The body has an unknown member",
                "Members that the operation does not know are refused, so that a misspelt one is never ignored in silence."
            )
        case .missingMember:
            ("A required member is missing", "Add the member that the detail names.")
        case .unknownParameter:
            (
                "The query has an unknown parameter",
                "Parameters that the operation does not know are refused: a misspelt dryRun must never write."
            )
        case .repeatedParameter:
            (
                "A query parameter is repeated",
                "Give each parameter once; lists are comma-separated."
            )
        case .malformedParameter:
            ("A query parameter has a malformed value", "The detail names the values it takes.")
        case .malformedIdentifier:
            (
                "An identifier is malformed",
                "Identifiers are 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', '~' and '-', and are neither '.' nor '..'."
            )
        case .malformedToken:
            (
                "A token is malformed",
                "Tokens are opaque: give back exactly what a record, a page or a Last-Event-ID carried."
            )
        case .tokenMismatch:
            (
                "The token belongs to another filter",
                "A token from inside a revision only continues a stream with the same registrations or watches."
            )
        case .malformedRequest:
            ("The request is not valid HTTP/1.1", "RFC 9110 and 9112 are followed strictly.")
        case .unknownRoute:
            ("There is nothing at this path", "GET /openapi.yaml lists every route.")
        case .unknownSession:
            ("The session does not exist", "PUT /v1/sessions/{name} creates it.")
        case .unknownNode:
            ("The node does not exist", "PUT …/nodes/{id} with a kind and a parent creates it.")
        case .unknownTrait:
            (
                "The trait is not defined",
                "System traits are addressed by accessor name; custom ones are defined with PUT …/traits/{key}."
            )
        case .unknownRegistration:
            ("The registration does not exist", "It may have ended with its node.")
        case .unknownScope:
            (
                "Nothing is tracked under this name",
                "The node has no tracked scope of that method. PUT …/scopes/{method} sets the traits that the method read."
            )
        case .unknownEnvironmentKey:
            (
                "The environment key does not exist",
                "The session has no environment key of that name. PUT …/environmentKeys defines one."
            )
        case .unknownColor:
            (
                "The color does not exist",
                "The session has no dynamic color of that name. PUT …/colors defines one."
            )
        case .unknownImage:
            (
                "The image does not exist",
                "The session has no dynamic image of that name. PUT …/images defines one."
            )
        case .unknownProblem:
            ("There is no such problem code", "GET /openapi.yaml lists all codes.")
        case .noOverride:
            (
                "The node has no such value of its own",
                "Reading an override that is not set is an error, as in UIKit: ask with HEAD first, or read …/traits/{t} for the resolved value."
            )
        case .unauthenticated:
            (
                "The request is not authenticated",
                "Send `Authorization: Bearer` with a token that the server knows. `traitd token new` makes one."
            )
        case .forbidden:
            (
                "The token does not allow it",
                "The detail names the verb or the sessions that are missing. `traitd token new` makes a token with them."
            )
        case .crossOrigin:
            (
                "The page is of another origin",
                "Pages of other origins may not write, and read only what the server shares with them. The detail names the option that allows it."
            )
        case .unknownHost:
            (
                "The server does not answer to that host",
                "`Host` names another server. If the name is one of this server's, start it with --allow-host for that name."
            )
        case .methodNotAllowed:
            ("The method is not allowed here", "The Allow header lists the methods of this path.")
        case .notAcceptable:
            ("No representation is acceptable", "The detail lists the media types on offer.")
        case .requestTimeout:
            ("The request took too long to arrive", "Send the whole request at once.")
        case .unsupportedMediaType:
            (
                "The body's media type is not supported",
                "Send application/json (with curl: --json), or application/merge-patch+json with PATCH."
            )
        case .expectationFailed:
            ("The expectation cannot be met", "Only Expect: 100-continue is understood.")
        case .exists:
            ("It exists already", "Use another identifier, or PUT to replace what may be replaced.")
        case .kindImmutable:
            ("A node's kind cannot change", "Delete the node and create it again.")
        case .cycle:
            ("The node would become its own ancestor", "Move the ancestor out first.")
        case .secondRootView:
            (
                "The controller has a view already",
                "A view controller owns one root view; clear `controller` of the other view first."
            )
        case .inUse:
            ("Something still uses it", "The detail says what; remove that first.")
        case .traitImmutable:
            (
                "A definition cannot change",
                "PUT does not change a definition: PATCH it. What PATCH refuses needs another trait."
            )
        case .environmentKeyImmutable:
            (
                "An environment key cannot change",
                "The key is defined differently. Delete it when nothing uses it, or take another name."
            )
        case .systemTrait:
            ("System traits are fixed", "They can be neither redefined nor deleted.")
        case .duplicateIdentifier:
            (
                "The identifier is taken",
                "Keys, identifiers and the names of the trait sets are unique in a session."
            )
        case .sessionDiffers:
            (
                "The session exists with other settings",
                "propagation, updates and limits are fixed when a session is created."
            )
        case .revisionAhead:
            ("The revision has not happened yet", "Continue from the current revision or before.")
        case .historyGone:
            (
                "The history is no longer retained",
                "Start again with ?initial=true, which first sends the present values."
            )
        case .sessionReplaced:
            (
                "The session was replaced",
                "The token belongs to a session of the same name that is gone. Start again with ?initial=true."
            )
        case .revisionMismatch:
            (
                "The session has moved on",
                "The condition named another revision than the current one. Read again, then repeat."
            )
        case .bodyTooLarge:
            ("The body is too large", "The limit counts decoded bytes. Split the work.")
        case .targetTooLong:
            ("The request target is too long", "Send long lists in a body.")
        case .tooManyStreams:
            ("Too many streams are open", "Close some, or watch several nodes on one stream.")
        case .tooManyConnections:
            (
                "Too many connections are open",
                "The server has reached its limit of connections; try again."
            )
        case .tooManyConnectionsFromAddress:
            (
                "Your address has too many connections",
                "Close some, or send several requests over one."
            )
        case .tooMuchInput:
            (
                "Too much is being received",
                "The server has reached its limit of bytes of unfinished requests; try again. If a body alone exceeds the limit, send it in parts, or raise --collected-bytes-max or --max-memory."
            )
        case .tooMuchOutput:
            (
                "Too much waits to be sent",
                "The server has reached its limit of bytes of unsent answers; try again, or ask for less."
            )
        case .outOfMemory:
            ("The request needs more memory than there is", "Send less at once, or try again.")
        case .headersTooLarge:
            ("The header section is too large", "The detail names the limit.")
        case .transactionTooLarge:
            (
                "The transaction is too large",
                "The detail names the limit. Several smaller transactions do the same."
            )
        case .tooManyReads:
            (
                "Too many long answers are being made",
                "Try again when one of them has been read, or ask for less at a time."
            )
        case .quota:
            (
                "A limit of the session or server is reached",
                "The detail names the limit and its value. Delete something first, or raise the limit if it is an option of the server."
            )
        case .memoryFull:
            (
                "There is no memory for what the request adds",
                "The detail names the limit, how far it is used and the option that raises it. Deleting and reading go on."
            )
        case .storageFull:
            ("The log is full", "Reading goes on; writes are refused until there is room.")
        case .valueTooLarge:
            (
                "The value is larger than it may be",
                "The detail names the limit and its value. It can never be accepted as it is."
            )
        case .typeMismatch:
            (
                "The value has the wrong type",
                "Values are not converted: GET …/traits/{t} shows the trait's type and cases."
            )
        case .unknownParent:
            ("The parent does not exist", "Create parents before their children.")
        case .unknownController:
            ("The controller does not exist", "Create the controller before its view.")
        case .kindMismatch:
            (
                "The kinds do not fit",
                "Each kind of node may stand only under certain kinds; the detail lists them."
            )
        case .emptyTraitList:
            ("The list of traits is empty", "Name at least one trait or a set.")
        case .privateTrait:
            (
                "The trait is private",
                "It is a member of a system set only: it cannot be set or watched by itself."
            )
        case .invalidDefinition:
            ("The definition is not valid", "The detail says what to change.")
        case .malformedIdempotencyKey:
            (
                "The Idempotency-Key is malformed",
                "Send one key of at most 255 printable ASCII characters, such as a UUID, as it is or between quotes."
            )
        case .malformedReason:
            (
                "The reason is malformed",
                "Send one text of at most 256 bytes of UTF-8 without control characters, as `Traitd-Reason` or as the member `reason`."
            )
        case .managed:
            (
                "Others manage what the document sets",
                "Only the manager that set a value can change it by apply. Leave the value out of the document, or take it over with force=true."
            )
        case .idempotencyInFlight:
            (
                "The first request of this key is still running",
                "Send the request again when the first one has been answered: it gets the same answer, and nothing is done twice."
            )
        case .notSiblings:
            (
                "The nodes are no siblings",
                "A node can be put before or after one that has the same trait parent."
            )
        case .idempotencyKeyReused:
            (
                "The key stands for another request",
                "A key names one request of its caller for as long as it is kept. Take a new key for another request."
            )
        case .unsupportedMode:
            ("The mode is not supported", "The detail lists the modes on offer.")
        case .internalError:
            ("The server failed", "This is a defect in traitd; please report it with the instance.")
        case .notImplemented:
            (
                "The server does not implement this",
                "No resource of this server takes the method, or the body has a transfer coding other than chunked; the detail says which."
            )
        case .logUnavailable:
            (
                "The commit could not be kept",
                "The session's log did not confirm the commit, and the session does not show it. If writing to the log failed, the commit may be there after a restart: read again before you repeat the write. A server that shares its log also answers reads so while the log does not say which revision is the newest."
            )
        case .outcomeUnknown:
            (
                "The outcome of the write is not known",
                "The log that several servers share has not answered in time. The write may have happened, or may happen yet: it stays pending, and readers see it once the log has it. Send it again with the same Idempotency-Key, to any server: a write that has happened gets its first answer."
            )
        case .sessionDiverged:
            (
                "The session cannot be read further here",
                "This server cannot apply an entry that another one appended to the session's log; its own log names the entry. Another server may serve the session. Upgrade this one if its version is older."
            )
        case .starting:
            (
                "The server is starting",
                "It reads its sessions from the data directory. Try again when /readyz answers 200."
            )
        case .draining:
            ("The server is shutting down", "Try again: another instance will answer.")
        case .versionNotSupported:
            ("The HTTP version is not supported", "Speak HTTP/1.1.")
        }
    }
}
