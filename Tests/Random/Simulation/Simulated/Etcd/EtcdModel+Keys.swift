// Reads, puts, deletions and transactions.

import JSONCodec

/// What a read found.
struct EtcdFoundKeys {
    var pairs: [(history: EtcdHistory, version: EtcdVersion)] = []
    var count: Int64 = 0
    var hasMore = false
}

extension EtcdModel {
    // MARK: - Requests

    func range(
        _ request: EtcdRangeRequest, _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> [UInt8] {
        if request.keys.key.isEmpty { throw .emptyKey }
        try permit(caller) { $0.mayRead(request.keys) }
        if request.revision > store.revision { throw .futureRevision }
        if request.revision > 0, request.revision < store.compacted { throw .compacted }
        let found = found(request)
        return caller.answer { $0.etcd(found, keysOnly: request.keysOnly) }
    }

    func put(_ request: EtcdPutRequest, _ caller: EtcdCaller) throws(EtcdRefusal) -> [UInt8] {
        try checkRoom(for: request.cost)
        try request.check()
        try checkToken(caller)
        try checkSize(request.bytes)
        if space.hasAlarm { throw .noSpace }
        try permit(caller) { $0.mayPut(request) && mayWriteKeys(of: request.lease, $0) }
        // etcd looks for the lease before it looks for the key; within transactions after it.
        if request.lease != 0, leases[request.lease] == nil { throw .leaseNotFound }
        try checkKeyOfPut(request)
        let before = apply(request)
        seal()
        try checkRoomAfter()
        return caller.answer { json in
            if request.prevKV, let before { json.etcd("prev_kv", before) }
        }
    }

    func delete(
        _ request: EtcdDeletionRequest, _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> [UInt8] {
        if request.keys.key.isEmpty { throw .emptyKey }
        try permit(caller) { $0.mayDelete(request) }
        let deleted = apply(request)
        seal()
        return caller.answer { $0.etcd(deleted, request) }
    }

    func transact(
        _ request: EtcdTransactionRequest, _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> [UInt8] {
        try checkRoom(for: request.cost)
        try request.check()
        if !request.isReadOnly {
            try checkToken(caller)
            try checkSize(request.bytes)
        }
        if space.hasAlarm, request.cost > 0 { throw .noSpace }
        try permit(caller, evenWithoutToken: !request.asksForRights) { $0.may(request) }
        let decided = decide(request)
        if !request.isReadOnly { try checkPuts(decided) }
        try checkRanges(decided)
        var responses = JSONWriter(capacity: 512)
        responses.beginArray()
        run(decided, &responses)
        responses.endArray()
        seal()
        if request.cost > 0 { try checkRoomAfter() }
        return caller.answer { json in
            json.flag("succeeded", when: decided.succeeded)
            if !decided.operations.isEmpty { json.member("responses", raw: responses.bytes) }
        }
    }

    /// Ends a change: gives it its revision, and notifies the watches.
    func seal() {
        raftIndex += 1
        let changes = store.seal()
        if !changes.isEmpty { notify(changes) }
        space.note(store.bytes)
    }

    // MARK: - Reading

    func found(_ request: EtcdRangeRequest) -> EtcdFoundKeys {
        var found = EtcdFoundKeys()
        let revision = request.revision > 0 ? request.revision : store.readRevision
        // Filters and orders apply to all keys of the range. A plain limit ends the reading behind one key more, even if
        // these are sorted then.
        let isPlain =
            request.order == .none && request.minMod == 0 && request.maxMod == 0
            && request.minCreate == 0 && request.maxCreate == 0
        let most = isPlain && request.limit > 0 ? Int(min(request.limit, 1 << 40)) + 1 : .max
        store.forEach(in: request.keys, at: revision) { history, version in
            found.count += 1
            if !request.countOnly, found.pairs.count < most, request.selects(version) {
                found.pairs.append((history, version))
            }
        }
        request.sort(&found.pairs)
        if request.limit > 0, found.pairs.count > request.limit {
            found.pairs.removeLast(found.pairs.count - Int(request.limit))
            found.hasMore = true
        }
        return found
    }

    // MARK: - Changing

    /// Returns the version before.
    @discardableResult
    func apply(_ request: EtcdPutRequest) -> EtcdChange? {
        let history = store.history(request.key)
        let before = history?.newest
        let value = request.ignoreValue ? before?.value ?? [] : request.value
        let lease = request.ignoreLease ? before?.lease ?? 0 : request.lease
        if let old = before?.lease, old != 0 { leases[old]?.keys.remove(request.key) }
        if lease != 0 { leases[lease]?.keys.insert(request.key) }
        store.put(request.key, value, lease: lease)
        guard let history, let before else { return nil }
        return EtcdChange(history: history, version: before)
    }

    func apply(_ request: EtcdDeletionRequest) -> [EtcdChange] {
        let deleted = store.delete(request.keys)
        for change in deleted where change.version.lease != 0 {
            leases[change.version.lease]?.keys.remove(change.history.key)
        }
        return deleted
    }

    // MARK: - Transactions

    /// A transaction whose comparisons are made; those of its parts, too, before anything changes.
    struct Decided {
        let succeeded: Bool
        let operations: [EtcdOperationRequest]
        /// Of the operations that are parts, in order.
        let parts: [Decided]
    }

    private func decide(_ request: EtcdTransactionRequest) -> Decided {
        let succeeded = request.comparisons.allSatisfy(holds)
        let operations = succeeded ? request.success : request.failure
        var parts: [Decided] = []
        for case .transaction(let part) in operations { parts.append(decide(part)) }
        return Decided(succeeded: succeeded, operations: operations, parts: parts)
    }

    private func holds(_ comparison: EtcdComparisonRequest) -> Bool {
        var isEmpty = true
        var holds = true
        store.forEach(in: comparison.keys, at: store.revision) { _, version in
            isEmpty = false
            holds = holds && comparison.holds(version)
        }
        if !isEmpty { return holds }
        // A key that is not there has no value, and zeros for all else.
        return comparison.target != .value
            && comparison.holds(EtcdVersion(mod: 0, create: 0, version: 0, value: [], lease: 0))
    }

    private func checkKeyOfPut(_ put: EtcdPutRequest) throws(EtcdRefusal) {
        guard put.ignoreValue || put.ignoreLease else { return }
        if store.history(put.key)?.newest == nil { throw .keyNotFound }
    }

    private func checkPuts(_ decided: Decided) throws(EtcdRefusal) {
        var parts = decided.parts[...]
        for operation in decided.operations {
            switch operation {
            case .put(let put):
                try checkKeyOfPut(put)
                if put.lease != 0, leases[put.lease] == nil { throw .leaseNotFound }
            case .transaction: if let part = parts.popFirst() { try checkPuts(part) }
            case .range, .deletion, .none: break
            }
        }
    }

    private func checkRanges(_ decided: Decided) throws(EtcdRefusal) {
        var parts = decided.parts[...]
        for operation in decided.operations {
            switch operation {
            case .range(let range):
                if range.revision > store.revision { throw .futureRevision }
                if range.revision != 0, range.revision < store.compacted { throw .compacted }
            case .transaction: if let part = parts.popFirst() { try checkRanges(part) }
            case .put, .deletion, .none: break
            }
        }
    }

    private func run(_ decided: Decided, _ json: inout JSONWriter) {
        var parts = decided.parts[...]
        for operation in decided.operations {
            json.beginObject()
            switch operation {
            case .range(let range):
                json.beginObject("response_range")
                json.etcdHeader(store.readRevision)
                json.etcd(found(range), keysOnly: range.keysOnly)
            case .put(let put):
                let before = apply(put)
                json.beginObject("response_put")
                json.etcdHeader(store.readRevision)
                if put.prevKV, let before { json.etcd("prev_kv", before) }
            case .deletion(let deletion):
                let deleted = apply(deletion)
                json.beginObject("response_delete_range")
                json.etcdHeader(store.readRevision)
                json.etcd(deleted, deletion)
            case .transaction:
                json.beginObject("response_txn")
                json.etcdHeader(0)
                if let part = parts.popFirst() {
                    json.flag("succeeded", when: part.succeeded)
                    if !part.operations.isEmpty {
                        json.beginArray("responses")
                        run(part, &json)
                        json.endArray()
                    }
                }
            case .none: json.beginObject("none")
            }
            json.endObject()
            json.endObject()
        }
    }
}

// MARK: - Compaction

extension EtcdModel {
    func compact(_ revision: Int64, _ caller: EtcdCaller) throws(EtcdRefusal) -> [UInt8] {
        try permit(caller, evenWithoutToken: true) { _ in true }
        if revision <= store.compacted { throw .compacted }
        if revision > store.revision { throw .futureRevision }
        store.compact(to: revision)
        raftIndex += 1
        return caller.answer()
    }
}

// MARK: - Parts of requests and answers

extension EtcdRangeRequest {
    func selects(_ version: EtcdVersion) -> Bool {
        (minMod == 0 || version.mod >= minMod) && (maxMod == 0 || version.mod <= maxMod)
            && (minCreate == 0 || version.create >= minCreate)
            && (maxCreate == 0 || version.create <= maxCreate)
    }

    func sort(_ pairs: inout [(history: EtcdHistory, version: EtcdVersion)]) {
        let order = order == .none && target != .key ? Order.ascending : order
        guard order != .none else { return }
        func isBefore(
            _ left: (history: EtcdHistory, version: EtcdVersion),
            _ right: (history: EtcdHistory, version: EtcdVersion)
        ) -> Bool {
            switch target {
            case .key: left.history.key.precedes(right.history.key)
            case .version: left.version.version < right.version.version
            case .create: left.version.create < right.version.create
            case .mod: left.version.mod < right.version.mod
            case .value: left.version.value.precedes(right.version.value)
            }
        }
        pairs.sort { order == .ascending ? isBefore($0, $1) : isBefore($1, $0) }
    }
}

extension EtcdComparisonRequest {
    func holds(_ version: EtcdVersion) -> Bool {
        let order =
            switch target {
            case .value: version.value.order(value)
            case .version: Self.order(version.version, number)
            case .create: Self.order(version.create, number)
            case .mod: Self.order(version.mod, number)
            case .lease: Self.order(version.lease, number)
            }
        return switch outcome {
        case .equal: order == 0
        case .notEqual: order != 0
        case .greater: order > 0
        case .less: order < 0
        }
    }

    private static func order(_ left: Int64, _ right: Int64) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }
}

extension JSONWriter {
    mutating func etcd(_ found: EtcdFoundKeys, keysOnly: Bool) {
        if !found.pairs.isEmpty {
            beginArray("kvs")
            for pair in found.pairs { etcd(pair.history, pair.version, keysOnly: keysOnly) }
            endArray()
        }
        flag("more", when: found.hasMore)
        etcd("count", found.count)
    }

    mutating func etcd(_ name: StaticString, _ change: EtcdChange) {
        key(name)
        etcd(change.history, change.version)
    }

    mutating func etcd(_ deleted: [EtcdChange], _ request: EtcdDeletionRequest) {
        etcd("deleted", Int64(deleted.count))
        guard request.prevKV, !deleted.isEmpty else { return }
        beginArray("prev_kvs")
        for change in deleted { etcd(change.history, change.version) }
        endArray()
    }
}
