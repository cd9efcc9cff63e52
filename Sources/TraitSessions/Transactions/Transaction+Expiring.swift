// Temporary values: overrides that end at a time.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    /// Sets an override that ends at a time. The entry of the commit has the time also where the request has a `ttl`.
    mutating func set(
        _ node: NodeIndex, _ trait: TraitIndex, json: JSONValue, until end: ValueEnd,
        _ stacking: Stacking
    ) throws(SessionError) {
        let time = try moment(of: end)
        do throws(SessionError) {
            try set(.overrides, node, trait, json: json, expiresAt: time, stacking)
        } catch {
            throw error.at("/value")
        }
    }

    private func moment(of end: ValueEnd) throws(SessionError) -> Int64 {
        isReplay || takesAnyEnd
            ? try end.loggedTime() : try end.time(from: session.environment.now())
    }

    /// Sets the value that the temporary override of a node covers; the override itself where none is temporary.
    mutating func setUnder(
        _ node: NodeIndex, _ trait: TraitIndex, json: JSONValue, until end: ValueEnd?
    ) throws(SessionError) {
        let time = try end.map { end throws(SessionError) in try moment(of: end) }
        do throws(SessionError) {
            try setUnder(node, trait, try read(json, for: trait), until: time)
        } catch {
            throw error.at("/value")
        }
    }

    /// As above, for a value of the trait's type.
    package mutating func setUnder(
        _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue, until end: Int64?
    ) throws(SessionError) {
        guard ends(.overrides, node, trait) else {
            return try set(.overrides, node, trait, value, expiresAt: end)
        }
        let covered = CoveredValue(value: value, end: end)
        if manager != nil || session.annotations.covered[node, trait] != covered {
            session.annotations.setManager(
                ManagedPlace(node, .overrides, trait), manager, in: hierarchy)
        }
        session.annotations.setCovered(node, trait, covered, in: hierarchy)
        needs(format: 4)
        record(.setOverride)
        write("node", node: node)
        write(trait)
        text.json.key("value")
        write(value, of: trait)
        if let end { text.json.member("expiresAt", Timestamp.text(end)) }
        text.json.member("under", true)
        text.json.endObject()
    }

    /// Removes the value that the temporary override of a node covers, if there is one.
    package mutating func removeUnder(_ node: NodeIndex, _ trait: TraitIndex) {
        if session.annotations.covered[node, trait] == nil { return }
        session.annotations.dropCovered(node, trait, in: hierarchy)
        record(.removeOverride)
        write("node", node: node)
        write(trait)
        text.json.member("under", true)
        text.json.endObject()
    }

    /// Whether the override of a node covers a value.
    package func covers(_ node: NodeIndex, _ trait: TraitIndex) -> Bool {
        session.annotations.covered[node, trait] != nil
    }

    /// Has an override that is about to be set lie over what is there, if it does.
    ///
    /// - Returns: whether it covers a value. The manager of the place is that of the value then.
    func cover(
        _ node: NodeIndex, _ trait: TraitIndex, until end: Int64?, _ stacking: Stacking
    ) -> Bool {
        if end == nil { return false }
        let hasCovered = session.annotations.covered[node, trait] != nil
        switch stacking {
        case .over: break
        case .usual:
            let place = ManagedPlace(node, .overrides, trait)
            guard manager == nil, !isReplay, !takesAnyEnd,
                hasCovered || session.annotations.managers.number(of: place) != nil
            else { return false }
        case .instead, .under: return false
        }
        if hasCovered { return true }
        guard let present = hierarchy.override(trait, of: node) else { return false }
        let covered = CoveredValue(value: present, end: session.end(of: trait, at: node))
        session.annotations.setCovered(node, trait, covered, in: hierarchy)
        return true
    }

    /// Shows the value again that an override covers which is removed, unless its own time has passed.
    ///
    /// - Returns: whether there is such a value.
    func uncover(_ node: NodeIndex, _ trait: TraitIndex) -> Bool {
        guard !session.annotations.covered.isEmpty,
            let covered = session.annotations.covered[node, trait], covered.isThere(at: time),
            (try? hierarchy.setOverride(node, trait, covered.value)) != nil
        else { return false }
        session.annotations.setCovered(node, trait, nil, in: hierarchy)
        session.annotations.setEnd(node, trait, covered.end, in: hierarchy)
        return true
    }

    /// Whether the value is an override that ends at a time.
    func ends(_ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex) -> Bool {
        layer == .overrides && session.annotations.expiries.time(node, trait) != nil
    }

    /// An override was removed, or set to stay.
    func forgetEnd(_ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex) {
        if layer == .supplied || session.annotations.isEmpty { return }
        session.annotations.setEnd(node, trait, nil, in: hierarchy)
    }

    /// The value of an environment key changed: of a bridged one the override of its trait.
    func forgetEnd(of key: EnvironmentKey, _ node: NodeIndex) {
        if session.annotations.expiries.isEmpty { return }
        guard let name = key.bridgedTrait, let trait = hierarchy.definitions.index(of: name) else {
            return
        }
        forgetEnd(.overrides, node, trait)
    }

    /// Removes the overrides among these whose time has come and that nothing has changed since.
    mutating func end(_ values: [Expiry]) throws(SessionError) {
        let now = session.environment.now()
        try budget.begin(values.count, session)
        for value in values {
            guard value.time <= now,
                session.annotations.expiries.time(value.node, value.trait) == value.time
            else { continue }
            remove(.overrides, value.node, value.trait)
            try spend()
        }
    }

    /// Changes names that the facts of temporary values contain. The values have no end and cover nothing while `body` runs.
    func keepingEnds(
        _ values: [Expiry], _ body: () throws(SessionError) -> Void
    ) throws(SessionError) {
        func set(_ value: Expiry, _ time: Int64?) {
            session.annotations.setEnd(value.node, value.trait, time, in: hierarchy)
        }
        func cover(_ value: Expiry, _ covered: CoveredValue?) {
            session.annotations.setCovered(value.node, value.trait, covered, in: hierarchy)
        }
        let covered = values.map { session.annotations.covered[$0.node, $0.trait] }
        for value in values {
            cover(value, nil)
            set(value, nil)
        }
        try body()
        for (value, covered) in zip(values, covered) {
            set(value, value.time)
            cover(value, covered)
        }
    }
}

extension SessionState {
    /// Has the store look for overrides that end, if there are some.
    func noteExpiries() {
        if !annotations.expiries.isEmpty { streams.listing?.noteExpiries() }
    }

    /// Overrides whose time has come and that one commit ends; empty when there are no more.
    func takeExpiredValues() -> [Expiry] {
        annotations.expiries.isEmpty ? [] : annotations.expiries.takeDue(at: environment.now())
    }

    /// When the override of a trait ends, in milliseconds since 1970; nil for one that stays.
    package func end(of trait: TraitIndex, at node: NodeIndex) -> Int64? {
        annotations.expiries.time(node, trait)
    }

    /// `"expiresAt"` of the open object, for an override that ends, and `"under"` for one that covers a value.
    package func writeEnd(
        of trait: TraitIndex, at node: NodeIndex, into writer: inout JSONWriter
    ) {
        if annotations.expiries.isEmpty { return }
        writer.member(
            "expiresAt", ifPresent: annotations.expiries.time(node, trait).map(Timestamp.text))
        guard let covered = annotations.covered[node, trait] else { return }
        writer.key("under")
        let place = ManagedPlace(node, .overrides, trait)
        write(covered, of: trait, setBy: annotations.managers.manager(of: place), into: &writer)
    }

    private func write(
        _ covered: CoveredValue, of trait: TraitIndex, setBy manager: String?,
        into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("value")
        encodings.encoding(of: trait, in: hierarchy.definitions)
            .write(covered.value, into: &writer)
        writer.member("expiresAt", ifPresent: covered.end.map(Timestamp.text))
        writer.member("setBy", ifPresent: manager)
        writer.endObject()
    }

    /// `"expiresAt":{trait: time…}` of the open object, if overrides of the node end, and
    /// `"under":{trait: {"value","expiresAt"?}…}` for the values that they cover.
    func writeEnds(at node: NodeIndex, into writer: inout JSONWriter) {
        let ends = annotations.expiries.ends(at: node)
        if ends.isEmpty { return }
        writer.beginObject("expiresAt")
        for end in ends {
            writer.key(hierarchy.definitions[end.trait].key)
            writer.value(Timestamp.text(end.time))
        }
        writer.endObject()
        let covered = annotations.covered.values(at: node)
        if covered.isEmpty { return }
        writer.beginObject("under")
        for (trait, value) in covered {
            writer.key(hierarchy.definitions[trait].key)
            write(value, of: trait, setBy: nil, into: &writer)
        }
        writer.endObject()
    }
}

extension Session {
    /// Ends overrides by a queued write, except for those that are written before that. Never called on an event
    /// loop.
    func end(_ values: [Expiry]) {
        var proposal = Proposal(.endValues(values))
        proposal.options.cause = Array(#"{"expired":true}"#.utf8)
        _ = queue(proposal, isLong: false)
    }
}
