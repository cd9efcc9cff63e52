// Watches: a stream of lines for the changes of keys from a revision on.

import JSONCodec

/// A watch under way, of the stream that `EtcdModel.watch` began.
package final class EtcdWatch {
    let request: EtcdWatchRequest
    let member: Int
    /// Whether the watch ends when the member loses its leader.
    let needsLeader: Bool
    /// The first revision that the watch has not seen.
    fileprivate(set) var next: Int64
    fileprivate let take: ([UInt8]) -> Void

    init(
        _ request: EtcdWatchRequest, _ caller: EtcdCaller, next: Int64,
        _ take: @escaping ([UInt8]) -> Void
    ) {
        self.request = request
        member = caller.member
        needsLeader = caller.needsLeader
        self.next = next
        self.take = take
    }

    fileprivate func sends(_ change: EtcdChange) -> Bool {
        change.version.mod >= next && request.keys.contains(change.history.key)
            && (change.version.isDeletion ? request.sendsDeletions : request.sendsPuts)
    }
}

extension EtcdModel {
    /// The most revisions in one line while a watch catches up.
    private static let batchRevisionsMax = 1_000
    /// The size in bytes at which lines are split on demand.
    private static let fragmentBytesMax = 2_097_152

    /// Begins a watch. Its lines go to `take`, with their line ends: those that there are before the call returns, later
    /// ones while other requests are answered. `take` must not call the model.
    ///
    /// - Returns: the watch, or nil when it ended with its first lines.
    /// - Throws: the answer to a request that is refused.
    package func watch(
        _ headers: [String], _ body: [UInt8], member: Int = 0,
        take: @escaping ([UInt8]) -> Void
    ) throws(EtcdWatchRefusal) -> EtcdWatch? {
        do throws(EtcdRefusal) {
            let request = try parsed(body) { (json) throws(EtcdRefusal) in
                guard let create = json.member("create_request") else {
                    throw EtcdRefusal(12, "the model knows no other requests of watches")
                }
                return try EtcdWatchRequest(create)
            }
            let caller = EtcdCaller(model: self, headers: headers, member: member)
            if leader == nil, caller.needsLeader { throw .noLeader }
            return begin(request, caller, take)
        } catch {
            throw EtcdWatchRefusal(answer: error.answer)
        }
    }

    private func begin(
        _ asked: EtcdWatchRequest, _ caller: EtcdCaller, _ take: @escaping ([UInt8]) -> Void
    ) -> EtcdWatch? {
        var request = asked
        if request.keys.key.isEmpty { request.keys.key = [0] }
        do throws(EtcdRefusal) {
            // etcd 3.4 looks at the first key alone when the range has no end.
            let keys = request.keys.isOpen ? EtcdKeys(key: request.keys.key) : request.keys
            try permit(caller) { $0.mayRead(keys) }
        } catch {
            let reason = "rpc error: code = \(error.name) desc = \(error.message)"
            take(created(caller, id: -1, refusal: reason))
            return nil
        }
        let end = request.keys.end
        if !end.isEmpty, end != [0], !request.keys.key.precedes(end) {
            take(created(caller, id: -1, refusal: "mvcc: watcher range is empty"))
            return nil
        }
        take(created(caller, id: request.id, refusal: nil))
        if request.start != 0, request.start < store.compacted {
            take(compacted(caller, id: request.id))
            return nil
        }
        let newest = store.revision + 1
        let watch = EtcdWatch(
            request, caller, next: request.start > 0 ? request.start : newest, take)
        if watch.next < newest {
            catchUp(watch)
            watch.next = newest
        }
        watches.append(watch)
        return watch
    }

    /// Ends a watch, as the end of its connection does.
    package func cancel(_ watch: EtcdWatch) { watches.removeAll { $0 === watch } }

    /// Ends the watches at a member that ask for a leader, which etcd does three timeouts of elections after it was lost.
    package func endWatchesWithoutLeader(at member: Int) {
        let ended = watches.filter { $0.member == member && $0.needsLeader }
        watches.removeAll { $0.member == member && $0.needsLeader }
        for watch in ended {
            watch.take(
                Array(
                    (#"{"error":{"grpc_code":14,"http_code":503,"#
                        + #""message":"etcdserver: no leader","#
                        + #""http_status":"Service Unavailable"}}"# + "\n").utf8))
        }
    }

    /// Tells a watch that it has all up to now, which etcd does every ten minutes on demand.
    package func sendProgress(to watch: EtcdWatch) {
        watch.take(line(watch, fragment: false) { _ in })
    }

    // MARK: - Changes

    func notify(_ changes: ArraySlice<EtcdChange>) {
        for watch in watches {
            let seen = changes.filter(watch.sends)
            if !seen.isEmpty { send(seen, to: watch) }
        }
    }

    private func catchUp(_ watch: EtcdWatch) {
        var batch: [EtcdChange] = []
        var revisions = 0
        for change in store.changes(from: watch.next) where watch.sends(change) {
            if change.version.mod != batch.last?.version.mod {
                if revisions == Self.batchRevisionsMax {
                    send(batch, to: watch)
                    (batch, revisions) = ([], 0)
                }
                revisions += 1
            }
            batch.append(change)
        }
        if !batch.isEmpty { send(batch, to: watch) }
    }

    private func send(_ changes: [EtcdChange], to watch: EtcdWatch) {
        var rest = changes[...]
        while !rest.isEmpty {
            var count = rest.count
            if watch.request.fragments {
                // The first one goes in any case.
                var bytes = 64 + self.bytes(rest[rest.startIndex], watch)
                count = 1
                while count < rest.count {
                    bytes += self.bytes(rest[rest.startIndex + count], watch)
                    if bytes >= Self.fragmentBytesMax { break }
                    count += 1
                }
            }
            let some = rest.prefix(count)
            rest = rest.dropFirst(count)
            watch.take(
                line(watch, fragment: !rest.isEmpty) { json in
                    json.beginArray("events")
                    for change in some { event(change, watch, &json) }
                    json.endArray()
                })
        }
    }

    /// As a message of gRPC, about.
    private func bytes(_ change: EtcdChange, _ watch: EtcdWatch) -> Int {
        let before = watch.request.prevKV ? previous(of: change)?.value.count ?? 0 : 0
        return change.history.key.count + change.version.value.count + before + 24
    }

    private func previous(of change: EtcdChange) -> EtcdVersion? {
        let revision = change.version.mod - 1
        // etcd does not read what is compacted.
        return revision < store.compacted ? nil : change.history.version(at: revision)
    }

    // MARK: - Lines

    private func event(_ change: EtcdChange, _ watch: EtcdWatch, _ json: inout JSONWriter) {
        json.beginObject()
        if change.version.isDeletion { json.member("type", "DELETE") }
        json.etcd("kv", change)
        if watch.request.prevKV, let before = previous(of: change) {
            json.etcd("prev_kv", EtcdChange(history: change.history, version: before))
        }
        json.endObject()
    }

    private func line(
        _ member: Int, revision: Int64, id: Int64, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var line = JSONWriter.text { json in
            json.beginObject()
            json.beginObject("result")
            json.etcdHeader(self, member, revision)
            json.etcd("watch_id", id)
            members(&json)
            json.endObject()
            json.endObject()
        }
        line.append(0x0A)
        return line
    }

    private func line(
        _ watch: EtcdWatch, fragment: Bool, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        line(watch.member, revision: store.revision, id: watch.request.id) { json in
            json.flag("fragment", when: fragment)
            members(&json)
        }
    }

    private func created(_ caller: EtcdCaller, id: Int64, refusal: String?) -> [UInt8] {
        line(caller.member, revision: store.revision, id: id) { json in
            json.member("created", true)
            json.flag("canceled", when: refusal != nil)
            json.member("cancel_reason", ifPresent: refusal)
        }
    }

    private func compacted(_ caller: EtcdCaller, id: Int64) -> [UInt8] {
        line(caller.member, revision: 0, id: id) { json in
            json.member("canceled", true)
            json.etcd("compact_revision", store.compacted)
        }
    }
}

/// The answer to a watch that does not begin.
package struct EtcdWatchRefusal: Error {
    package let answer: EtcdModelAnswer
}
