// Compares each record of one stream with the model: records come in order, without gap and
// repetition, with the right values and the right digest.

import JSONCodec

/// A record, read from its JSON.
package struct ReceivedRecord {
    var text: String
    package private(set) var type = ""
    package private(set) var revision: Int64 = 0
    package private(set) var token = ""
    var id: String?
    var node = ""
    package var digest: String?
    var reason = ""
    var part = 0
    var isLast = false
    var count = 0
    var from: Int64 = 0
    /// The values of a `state`.
    var values: [String: String] = [:]
    /// The values before and after a `change`, by trait.
    var changes: [String: [String]] = [:]

    package init(_ text: String, _ tape: JSONTape) throws {
        self.text = text
        var record = self
        try Array(text.utf8).withUnsafeBytes { bytes in
            let json = try tape.parse(bytes)
            for (name, value) in json.members {
                switch name.string {
                case "type": record.type = value.string?.string ?? ""
                case "revision": record.revision = value.int64 ?? -1
                case "token": record.token = value.string?.string ?? ""
                case "registration": record.id = value.string?.string
                case "node": record.node = value.string?.string ?? ""
                case "digest": record.digest = value.string?.string
                case "reason": record.reason = value.string?.string ?? ""
                case "part": record.part = Int(value.int64 ?? -1)
                case "last": record.isLast = value.bool ?? false
                case "fromRevision": record.from = value.int64 ?? -1
                case "count": record.count = Int(value.int64 ?? -1)
                case "traits" where value.kind == .object: record.values = Self.texts(value)
                case "changes":
                    for change in value.elements {
                        var trait = ""
                        var values = ["", ""]
                        for (name, value) in change.members {
                            if name.string == "trait" { trait = value.string?.string ?? "" }
                            if name.string == "previous" { values[0] = Self.text(value) }
                            if name.string == "current" { values[1] = Self.text(value) }
                        }
                        record.changes[trait] = values
                    }
                default: break
                }
            }
        }
        self = record
    }

    private static func texts(_ object: JSONValue) -> [String: String] {
        var texts: [String: String] = [:]
        for (name, value) in object.members { texts[name.string] = text(value) }
        return texts
    }

    package static func text(_ value: JSONValue) -> String {
        if let text = value.string { return "\"\(text.string)\"" }
        if let bool = value.bool { return "\(bool)" }
        if let number = value.double {
            return number == number.rounded() ? "\(Int64(number))" : "\(number)"
        }
        return "null"
    }
}

package struct StreamChecker {
    /// What the names mean at `at`: other registrations after a reconnect, and after they were made again.
    private(set) var subject: ModelSubject
    let coalesces: Bool
    /// Whether a new state of registrations and watches may stand for changes that the log had not acknowledged when the
    /// state was taken, and for those of what came back while they were pending.
    let isLogged: Bool
    /// The stream has sent everything up to this revision.
    private(set) var at: Int64 = 0
    /// The records so far of the revision after `at`.
    private var parts: [ReceivedRecord] = []
    private var cache: [[String]: String] = [:]
    private var states: [ReceivedRecord]?
    /// Whether the cache holds a state.
    private(set) var isSynced = false
    private(set) var token: String?
    /// Whether the stream was resumed from a token and has sent no digest since.
    private var isCatchingUp = false
    /// Whether the names mean what they meant when the cache was filled.
    private var isSameSet = true
    /// Whether names were made again since the last state. A client that leaves before the new state comes
    /// resumes with a cache of another set.
    private var hasReturned = false
    /// The registrations, by name, and the nodes of watches that were made again since the last state.
    private var returned: Set<String> = []
    /// Those of them that the last state lacks: commits that the log had not acknowledged when it was taken brought them
    /// back, so that another state has them, or removed them again.
    private var lacking: Set<String> = []
    /// Whether a state without members stood for the commit that left none. The end comes next.
    private var isEmptied = false
    private(set) var tally: [String: Int] = [:]

    package init(
        _ subject: ModelSubject, coalesces: Bool, isLogged: Bool = false, at revision: Int64
    ) {
        self.subject = subject
        self.isLogged = isLogged
        self.coalesces = coalesces
        at = revision
    }

    /// Resumes the stream from the token, with the present meaning of its names.
    package mutating func reconnect(_ world: StreamWorld) {
        let renewed = subject.renewed(world)
        if renewed.identity != subject.identity || hasReturned { isSameSet = false }
        subject = renewed
        isCatchingUp = true
        isEmptied = false
    }

    /// - Parameter worlds: the state of each revision; the first is empty.
    /// - Returns: whether the stream goes on.
    package mutating func take(_ record: ReceivedRecord, _ worlds: [StreamWorld]) throws -> Bool {
        func expect(_ isSo: Bool, _ what: String) throws {
            if isSo { return }
            throw Differs("\(what), after revision \(at) of \(subject): \(record.text)")
        }
        tally[record.type, default: 0] += 1
        try expect(record.revision < Int64(worlds.count), "a revision that has not been")
        try expect(!isEmptied || record.type == "end", "no end behind a state of nothing")
        let world = worlds[Int(record.revision)]
        switch record.type {
        case "begin": break
        case "reset", "gap":
            try expect(record.type == "reset" || coalesces, "a gap where none may be")
            if record.reason == "setChanged" {
                try expect(isSynced && parts.isEmpty, "a new state inside a revision or too early")
                if subject.hasCommits || !isLogged {
                    try skip(to: record.revision, worlds, record)
                }
            }
            if record.type == "gap" {
                if parts.isEmpty { try skip(to: record.from - 1, worlds, record) }
                try expect(record.from == at + 1, "a gap that begins elsewhere")
            }
            cache = [:]
            isSameSet = true
            hasReturned = false
            returned = []
            lacking = []
            isSynced = false
            parts = []
            states = []
        case "state":
            if states == nil { states = [] }
            try expect(parts.isEmpty, "a state inside a revision")
            states?.append(record)
            for (trait, value) in record.values { cache[[record.node, trait]] = value }
        case "sync":
            isEmptied = !follow(to: record.revision, worlds)
            try expect(!isEmptied || isLogged && record.count == 0, "a state after the end")
            let sent = states ?? []
            if isLogged { lacking = returned.subtracting(sent.map { $0.id ?? $0.node }) }
            let listeners = subject.listeners(world).filter(isSent)
            try expect(sent.count == record.count && sent.count == listeners.count, "a wrong count")
            for member in listeners {
                let values = Dictionary(
                    uniqueKeysWithValues: member.traits.map { ($0, world.value($0, member.node)) })
                try expect(
                    sent.contains {
                        $0.revision == record.revision && $0.id == member.id
                            && $0.node == member.node && $0.values == values
                    }, "no or a wrong state of \(member)")
            }
            states = nil
            isSynced = true
            at = record.revision
            try expect(record.digest != nil, "no digest")
        case "commit", "change":
            try expect(states == nil, "a change inside a state")
            try skip(to: record.revision - 1, worlds, record)
            try expect(record.revision == at + 1, "a revision again")
            try expect(record.part == parts.count, "a wrong part")
            parts.append(record)
            for (trait, values) in record.changes { cache[[record.node, trait]] = values[1] }
            if record.isLast {
                try check(worlds[Int(at)], world, record)
                parts = []
                try expect(follow(to: record.revision, worlds), "a change after the end")
                at = record.revision
            }
        case "bookmark":
            try expect(parts.isEmpty && states == nil, "a bookmark inside a revision")
            try expect(record.revision >= at, "a revision that goes back")
            try skip(to: record.revision, worlds, record)
            try expect(
                isSynced == (record.digest != nil) || isCatchingUp, "a digest too many or too few")
        case "end":
            let isOver = !follow(to: record.revision, worlds) || subject.listeners(world).isEmpty
            // What was removed came back in a commit that the log did not take.
            let isUndone =
                record.reason == "error" && isLogged
                && subject.listeners(world).count < subject.identity.count
            try expect(
                record.reason == "slowConsumer" && !coalesces || isOver || isUndone,
                "an end without a reason")
            return false
        default: try expect(false, "a record of another type")
        }
        if let digest = record.digest {
            tally["digest", default: 0] += 1
            try expect(
                record.type == "sync"
                    || lacking.allSatisfy { goes($0, from: record.revision, worlds) },
                "a digest without \(lacking)")
            let pairs = subject.pairs(world, where: isSent)
            try expect(digest == streamDigest(pairs), "a digest that is not \(streamDigest(pairs))")
            isCatchingUp = false
            // With another set the client sees by the digest that its cache is wrong, and begins
            // anew.
            try expect(cache == pairs || !isSameSet, "a cache of \(cache) instead of \(pairs)")
        }
        if ["sync", "commit", "change", "bookmark"].contains(record.type) { token = record.token }
        return true
    }

    /// Skips revisions up to that one, which must have no records.
    private mutating func skip(
        to revision: Int64, _ worlds: [StreamWorld], _ record: ReceivedRecord
    ) throws {
        while at < revision {
            if case .session = subject {
                throw Differs("no commit \(at + 1) before \(record.text)")
            }
            let changes = subject.changes(from: worlds[Int(at)], to: worlds[Int(at) + 1])
                .filter { !mayLack($0) }
            guard parts.isEmpty, changes.isEmpty else {
                throw Differs("no \(changes) of \(at + 1) before \(record.text)")
            }
            guard follow(to: at + 1, worlds) else {
                throw Differs("no end at \(at + 1) before \(record.text)")
            }
            at += 1
        }
    }

    /// Lets the names mean what they mean at a later revision.
    ///
    /// - Returns: whether the stream goes on. It ends with the revision that leaves none of its registrations
    ///   and watches, also where that makes some of them again.
    private mutating func follow(to revision: Int64, _ worlds: [StreamWorld]) -> Bool {
        guard case .members = subject else { return true }
        for next in at + 1..<max(at, revision) + 1 {
            let worlds = (worlds[Int(next) - 1], worlds[Int(next)])
            if !subject.listeners(worlds.0).isEmpty, subject.listeners(worlds.1).isEmpty {
                return false
            }
            let present = subject.following(worlds.1)
            if present.identity != subject.identity {
                hasReturned = true
                returned.formUnion(present.madeAgain(since: subject))
            }
            subject = present
        }
        return true
    }

    private func isSent(_ member: ModelMember) -> Bool {
        !lacking.contains(member.id ?? member.node)
    }

    /// Whether a registration or node is not there at a revision, or does not stay what it is.
    private func goes(_ name: String, from revision: Int64, _ worlds: [StreamWorld]) -> Bool {
        worlds[Int(revision)...].contains { world in
            subject.following(world).madeAgain(since: subject).contains(name)
                || !subject.listeners(world).contains { ($0.id ?? $0.node) == name }
        }
    }

    /// Whether the next state may stand for a change.
    private func mayLack(_ change: ExpectedChange) -> Bool {
        isLogged && returned.contains(change.id ?? change.node)
    }

    private mutating func check(
        _ before: StreamWorld, _ after: StreamWorld, _ record: ReceivedRecord
    ) throws {
        var sent = parts
        if subject.hasCommits {
            guard sent.removeFirst().type == "commit" else {
                throw Differs("no commit first in \(record.revision)")
            }
        }
        let changes = subject.changes(from: before, to: after)
        var rest = changes
        var last = (depth: 0, order: -1)
        for change in sent {
            let place = rest.firstIndex {
                $0.id == change.id && $0.node == change.node && $0.changes == change.changes
            }
            guard let place, change.type == "change" else {
                throw Differs("of \(changes) nothing is \(change.text)")
            }
            let found = rest.remove(at: place)
            let order = found.order ?? last.order
            guard found.depth > last.depth || found.depth == last.depth && order >= last.order
            else { throw Differs("out of order in \(record.revision): \(change.text)") }
            last = (found.depth, found.depth > last.depth ? found.order ?? -1 : order)
        }
        rest.removeAll(where: mayLack)
        if !rest.isEmpty { throw Differs("revision \(record.revision) lacks \(rest)") }
        tally["revision", default: 0] += 1
    }
}
