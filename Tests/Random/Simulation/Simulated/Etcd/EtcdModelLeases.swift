// Leases: keys that go when nothing renews the lease.

import JSONCodec

struct EtcdLease {
    let seconds: Int64
    /// When it ends, in nanoseconds.
    var end: UInt64
    var keys: Set<[UInt8]> = []

    var nanoseconds: UInt64 { UInt64(seconds) * 1_000_000_000 }
}

extension EtcdModel {
    /// etcd grants no less than one and a half timeouts of elections, in whole seconds.
    private static let secondsMin: Int64 = 2
    private static let secondsMax: Int64 = 9_000_000_000
    private static let cost: Int64 = 64

    func grant(
        _ id: Int64, seconds: Int64, _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> [UInt8] {
        try checkRoom(for: Self.cost)
        try permit(caller, evenWithoutToken: true) { _ in true }
        if space.hasAlarm { throw .noSpace }
        if seconds > Self.secondsMax { throw .leaseTooLarge }
        var id = id
        while id == 0 { id = Int64(random.next() & (1 << 63 - 1)) }
        if leases[id] != nil { throw .leaseExists }
        let granted = max(seconds, Self.secondsMin)
        leases[id] = EtcdLease(seconds: granted, end: now + UInt64(granted) * 1_000_000_000)
        raftIndex += 1
        try checkRoomAfter()
        return caller.answer { json in
            json.etcd("ID", id)
            json.etcd("TTL", granted)
        }
    }

    /// One line of a stream. A lease that is over has no time.
    func keepAlive(_ id: Int64, _ caller: EtcdCaller) -> [UInt8] {
        if let lease = leases[id] { leases[id]?.end = now + lease.nanoseconds }
        let line = JSONWriter.text { json in
            json.beginObject()
            json.beginObject("result")
            json.etcdHeader(self, caller.member, store.revision)
            json.etcd("ID", id)
            json.etcd("TTL", leases[id]?.seconds ?? 0)
            json.endObject()
            json.endObject()
        }
        return line + [0x0A]
    }

    func revoke(_ id: Int64, _ caller: EtcdCaller) throws(EtcdRefusal) -> [UInt8] {
        let isEmpty = leases[id]?.keys.isEmpty ?? true
        try permit(caller, evenWithoutToken: isEmpty) { mayWriteKeys(of: id, $0) }
        if leases[id] == nil { throw .leaseNotFound }
        end(id)
        return caller.answer()
    }

    /// A lease removes its keys, and a put with a lease lets its end do so.
    func mayWriteKeys(of id: Int64, _ rights: EtcdRights) -> Bool {
        leases[id]?.keys.allSatisfy { rights.mayWrite(EtcdKeys(key: $0)) } ?? true
    }

    func timeToLive(_ id: Int64, listsKeys: Bool, _ caller: EtcdCaller) -> [UInt8] {
        caller.answer { json in
            json.etcd("ID", id)
            guard let lease = leases[id] else { return json.etcd("TTL", -1) }
            json.etcd("TTL", Int64((lease.end - min(lease.end, now)) / 1_000_000_000))
            json.etcd("grantedTTL", lease.seconds)
            guard listsKeys, !lease.keys.isEmpty else { return }
            json.beginArray("keys")
            for key in lease.keys.sorted(by: { $0.precedes($1) }) {
                EtcdModelBase64.encode(key).withUnsafeBytes { json.value(bytes: $0) }
            }
            json.endArray()
        }
    }

    // MARK: - Ends

    /// When the next lease ends; nil without leases. During an election none does.
    package var nextLeaseEnd: UInt64? { leader == nil ? nil : leases.values.map(\.end).min() }

    /// Ends the leases of the earliest time.
    func endDueLeases() {
        guard let time = nextLeaseEnd else { return }
        for id in leases.filter({ $0.value.end == time }).keys.sorted() { end(id) }
    }

    /// Ends all leases, as an operator who revokes them does.
    package func endLeases() {
        for id in leases.keys.sorted() { end(id) }
    }

    /// Removes the lease and its keys, all in one revision.
    private func end(_ id: Int64) {
        let keys = leases.removeValue(forKey: id)?.keys ?? []
        for key in keys.sorted(by: { $0.precedes($1) }) {
            _ = store.delete(EtcdKeys(key: key))
        }
        seal()
    }
}
