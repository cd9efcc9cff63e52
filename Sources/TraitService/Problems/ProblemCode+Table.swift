// The table of problems: the status of each, its title, and what `GET /problems/{code}` says about it.

extension ProblemCode {
    /// The status it is answered with, unless the place where it happened says otherwise.
    package var status: Int { row.status }

    /// A short summary that does not change from one occurrence to the next.
    package var title: String { row.title }

    /// One or two sentences for the person who meets the problem.
    package var explanation: String { row.explanation }

    private struct Row {
        let status: Int
        let title: String
        let explanation: String
    }

    private var row: Row {
        guard let row = Self.rows[self] else { preconditionFailure("\(rawValue) has no row") }
        return row
    }

    private static let rows: [ProblemCode: Row] = {
        let lines = table.split(separator: "\n")
        var rows: [ProblemCode: Row] = [:]
        for place in stride(from: 0, to: lines.count - 1, by: 2) {
            let words = lines[place].split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count == 3, let status = Int(words[0]),
                let code = ProblemCode(rawValue: words[1])
            else { preconditionFailure("'\(lines[place])' is no row of problems") }
            rows[code] = Row(
                status: status, title: words[2], explanation: String(lines[place + 1].dropFirst(4)))
        }
        return rows
    }()

    /// Status, code and title, and below them the explanation.
    private static let table = """
        400 malformed-json The body is not JSON
            Bodies are strict JSON (RFC 8259) in UTF-8, without a byte order mark and without repeated member names. The detail gives line and column.
        400 malformed-body The body has the wrong shape
            A member has another JSON type than the operation expects; `pointer` says which.
        400 unknown-member The body has an unknown member
            Members that the operation does not know are refused, so that a misspelt one is never ignored in silence.
        400 missing-member A required member is missing
            Add the member that the detail names.
        400 unknown-parameter The query has an unknown parameter
            Parameters that the operation does not know are refused: a misspelt dryRun must never write.
        400 repeated-parameter A query parameter is repeated
            Give each parameter once; lists are comma-separated.
        400 malformed-parameter A query parameter has a malformed value
            The detail names the values it takes.
        400 malformed-identifier An identifier is malformed
            Identifiers are 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', '~' and '-', and are neither '.' nor '..'.
        400 malformed-token A token is malformed
            Tokens are opaque: give back exactly what a record, a page or a Last-Event-ID carried.
        400 malformed-idempotency-key The Idempotency-Key is malformed
            Send one key of at most 255 printable ASCII characters, such as a UUID, as it is or between quotes.
        400 malformed-reason The reason is malformed
            Send one text of at most 256 bytes of UTF-8 without control characters, as `Traitd-Reason` or as the member `reason`.
        400 token-mismatch The token belongs to another filter
            A token from inside a revision only continues a stream with the same registrations or watches.
        400 malformed-request The request is not valid HTTP/1.1
            RFC 9110 and 9112 are followed strictly.
        401 unauthenticated The request is not authenticated
            Send `Authorization: Bearer` with a token that the server knows. `traitd token new` makes one.
        403 forbidden The token does not allow it
            The detail names the verb or the sessions that are missing. `traitd token new` makes a token with them.
        403 cross-origin The page is of another origin
            Pages of other origins may not write, and read only what the server shares with them. The detail names the option that allows it.
        404 unknown-route There is nothing at this path
            GET /openapi.yaml lists every route.
        404 unknown-session The session does not exist
            PUT /v1/sessions/{name} creates it.
        404 unknown-node The node does not exist
            PUT …/nodes/{id} with a kind and a parent creates it.
        404 unknown-trait The trait is not defined
            System traits are addressed by accessor name; custom ones are defined with PUT …/traits/{key}.
        404 unknown-registration The registration does not exist
            It may have ended with its node.
        404 unknown-scope Nothing is tracked under this name
            The node has no tracked scope of that method. PUT …/scopes/{method} sets the traits that the method read.
        422 unknown-device The device or setting does not exist
            A device, orientation, split or setting is not in the table of GET /v1/devices, or the device does not have it. The detail says what there is.
        404 unknown-environment-key The environment key does not exist
            The session has no environment key of that name. PUT …/environmentKeys defines one.
        404 unknown-color The color does not exist
            The session has no dynamic color of that name. PUT …/colors defines one.
        404 unknown-image The image does not exist
            The session has no dynamic image of that name. PUT …/images defines one.
        404 unknown-problem There is no such problem code
            GET /openapi.yaml lists all codes.
        404 no-override The node has no such value of its own
            Reading an override that is not set is an error, as in UIKit: ask with HEAD first, or read …/traits/{t} for the resolved value.
        405 method-not-allowed The method is not allowed here
            The Allow header lists the methods of this path.
        406 not-acceptable No representation is acceptable
            The detail lists the media types on offer.
        408 request-timeout The request took too long to arrive
            Send the whole request at once.
        415 unsupported-media-type The body's media type is not supported
            Send application/json (with curl: --json), or application/merge-patch+json with PATCH.
        417 expectation-failed The expectation cannot be met
            Only Expect: 100-continue is understood.
        409 exists It exists already
            Use another identifier, or PUT to replace what may be replaced.
        409 kind-immutable A node's kind cannot change
            Delete the node and create it again.
        409 cycle The node would become its own ancestor
            Move the ancestor out first.
        409 second-root-view The controller has a view already
            A view controller owns one root view; clear `controller` of the other view first.
        409 in-use Something still uses it
            The detail says what; remove that first.
        409 changed-since Later commits changed the same things
            `places` says what, and in which revision. Revert those first, newest first, or set what you want.
        409 trait-immutable A definition cannot change
            PUT does not change a definition: PATCH it. What PATCH refuses needs another trait.
        409 environment-key-immutable An environment key cannot change
            The key is defined differently. Delete it when nothing uses it, or take another name.
        409 system-trait System traits are fixed
            They can be neither redefined nor deleted.
        409 duplicate-identifier The identifier is taken
            Keys, identifiers and the names of the trait sets are unique in a session.
        409 session-differs The session exists with other settings
            propagation, updates and limits are fixed when a session is created.
        409 revision-ahead The revision has not happened yet
            Continue from the current revision or before.
        409 managed Others manage what the document sets
            Only the manager that set a value can change it by apply. Leave the value out of the document, or take it over with force=true.
        409 idempotency-in-flight The first request of this key is still running
            Send the request again when the first one has been answered: it gets the same answer, and nothing is done twice.
        410 history-gone The history is no longer retained
            Start again with ?initial=true, which first sends the present values.
        410 session-replaced The session was replaced
            The token belongs to a session of the same name that is gone. Start again with ?initial=true.
        412 revision-mismatch The session has moved on
            The condition named another revision than the current one. Read again, then repeat.
        413 body-too-large The body is too large
            The limit counts decoded bytes. Split the work.
        414 target-too-long The request target is too long
            Send long lists in a body.
        429 too-many-streams Too many streams are open
            Close some, or watch several nodes on one stream.
        431 headers-too-large The header section is too large
            The detail names the limit.
        503 too-many-connections Too many connections are open
            The server has reached its limit of connections; try again.
        429 too-many-connections-from-address Your address has too many connections
            Close some, or send several requests over one.
        503 too-much-input Too much is being received
            The server has reached its limit of bytes of unfinished requests; try again. If a body alone exceeds the limit, send it in parts, or raise --limit collected-bytes-max or --max-memory.
        503 too-much-output Too much waits to be sent
            The server has reached its limit of bytes of unsent answers; try again, or ask for less.
        503 out-of-memory The request needs more memory than there is
            Send less at once, or try again.
        413 transaction-too-large The transaction is too large
            The detail names the limit. Several smaller transactions do the same.
        413 too-many-variants There are too many variants
            The detail has the number of rows or values and the limit. A `strength` of 2 or 3 makes rows for all pairs or triples of values in place of all combinations.
        429 too-many-reads Too many long answers are being made
            Try again when one of them has been read, or ask for less at a time.
        507 quota A limit of the session or server is reached
            The detail names the limit and its value. Delete something first, or raise the limit if it is a setting of the server.
        507 memory-full There is no memory for what the request adds
            The detail names the limit, how far it is used and the option that raises it. Deleting and reading go on.
        507 storage-full The log is full
            Reading goes on; writes are refused until there is room.
        421 unknown-host The server does not answer to that host
            `Host` names another server. If the name is one of this server's, start it with --allow-host for that name.
        422 value-too-large The value is larger than it may be
            The detail names the limit and its value. It can never be accepted as it is.
        422 type-mismatch The value has the wrong type
            Values are not converted: GET …/traits/{t} shows the trait's type and cases.
        422 unknown-parent The parent does not exist
            Create parents before their children.
        422 unknown-controller The controller does not exist
            Create the controller before its view.
        422 kind-mismatch The kinds do not fit
            Each kind of node may stand only under certain kinds; the detail lists them.
        422 empty-trait-list The list of traits is empty
            Name at least one trait or a set.
        422 private-trait The trait is private
            It is a member of a system set only: it cannot be set or watched by itself.
        422 invalid-definition The definition is not valid
            The detail says what to change.
        422 invalid-variants The axes or exceptions are not valid
            An axis has a name of its own and one value at least; an exception names axes and values of them. The detail says what there is.
        422 nothing-recorded Nothing is recorded of what the node reads
            Scopes and registrations say what a node reads, and it has neither. PUT …/scopes/{method} sets a scope; `reads` may name the traits.
        422 unsupported-mode The mode is not supported
            The detail lists the modes on offer.
        422 not-siblings The nodes are no siblings
            A node can be put before or after one that has the same trait parent.
        422 idempotency-key-reused The key stands for another request
            A key names one request of its caller for as long as it is kept. Take a new key for another request.
        500 internal-error The server failed
            This is a defect in traitd; please report it with the instance.
        501 not-implemented The server does not implement this
            No resource of this server takes the method, or the body has a transfer coding other than chunked; the detail says which.
        503 log-unavailable The commit could not be kept
            The session's log did not confirm the commit, and the session does not show it. If writing to the log failed, the commit may be there after a restart: read again before you repeat the write. A server that shares its log also answers reads so while the log does not say which revision is the newest.
        503 outcome-unknown The outcome of the write is not known
            The log that several servers share has not answered in time. The write may have happened, or may happen yet: it stays pending, and readers see it once the log has it. Send it again with the same Idempotency-Key, to any server: a write that has happened gets its first answer.
        503 log-refused The log refuses this server
            The log that servers share refuses the server's user or certificate. Nothing has changed. Tell the operator; another server may be permitted.
        503 session-diverged The session cannot be read further here
            This server cannot apply an entry that another one appended to the session's log; its own log names the entry. Another server may serve the session. Upgrade this one if its version is older.
        503 starting The server is starting
            It reads its sessions from the data directory. Try again when /readyz answers 200.
        503 draining The server is shutting down
            Try again: another instance will answer.
        505 http-version-not-supported The HTTP version is not supported
            Speak HTTP/1.1.
        """
}
