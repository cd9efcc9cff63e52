// One transaction of a confirmation. A name alone does not lead to a head, so the first round uses the
// session that the mirror has for the name. A round in which that session lives, or in which a free name
// is free, settles the name; otherwise the next round knows better.

import SessionLog

struct Round {
    private let question: LogQuestion
    private let names: [String]
    private let since: Int64
    /// The session that seems to have each name.
    private(set) var holders: [String: String]

    /// Heads that were read; nil for one that is not there.
    private(set) var targets: [String: Head?] = [:]
    /// Sessions whose head is not readable. That concerns no other session.
    private(set) var failures: [String: LogFailure] = [:]
    /// All heads that changed, if the question is for all, and the number of all.
    private(set) var changed: [String: Head] = [:]
    private(set) var headCount = 0
    /// The lists of snapshots that changed, if the question is for all.
    private(set) var lists: [String: SnapshotList] = [:]
    /// The revision of etcd at which a session was made or ended last.
    private(set) var listChangedAt: Int64 = 0
    private(set) var heads = LogHeads()
    private(set) var isSettled = true

    init(_ question: LogQuestion, _ holders: [String: String], since: Int64) {
        self.question = question
        // All heads answer for the names.
        names = question.wantsAllHeads ? [] : question.names.sorted()
        self.holders = holders
        self.since = since
    }

    func request(_ keys: Keys) -> [UInt8] {
        var operations = names.map { name in
            EtcdOperation.range(EtcdRange(key: holders[name].map(keys.head) ?? keys.name(name)))
        }
        if question.wantsAllHeads {
            operations.append(.range(.all(keys.heads, changedSince: since)))
            operations.append(.range(.all(keys.snapshotLists, changedSince: since)))
        } else if question.wantsList {
            operations.append(.range(EtcdRange(key: keys.list)))
        }
        return EtcdRequest.transaction(then: operations)
    }

    mutating func read(_ answer: EtcdAnswer, _ keys: Keys) {
        for (index, name) in names.enumerated() {
            read(answer.found(at: index).values.first, of: name)
        }
        let last = answer.found(at: names.count)
        headCount = Int(clamping: last.count)
        if question.wantsAllHeads {
            for value in last.values {
                guard let uid = Keys.rest(of: value.key, after: keys.heads) else { continue }
                changed[uid] = head(of: uid, value)
            }
            targets.merge(changed) { $1 }
            for value in answer.found(at: names.count + 1).values {
                guard let uid = Keys.rest(of: value.key, after: keys.snapshotLists) else {
                    continue
                }
                // Whoever needs an unreadable list is told.
                lists[uid] = try? SnapshotList(value.value)
            }
        } else if question.wantsList {
            listChangedAt = last.values.first?.changedAt ?? 0
        }
    }

    /// A session whose head is not readable counts as one that has ended.
    private mutating func head(of uid: String, _ value: EtcdKeyValue) -> Head {
        do throws(LogFailure) { return try Head(value.value) } catch {
            failures[uid] = error
            return Head(revision: .max, checksum: 0, isDeleted: true, name: "")
        }
    }

    private mutating func read(_ value: EtcdKeyValue?, of name: String) {
        guard let uid = holders[name] else {
            guard let value else { return }
            // Its head is read in the next round.
            holders[name] = String(decoding: value.value, as: UTF8.self)
            isSettled = false
            return
        }
        let head = value.map { self.head(of: uid, $0) }
        if failures[uid] != nil { return }
        targets.updateValue(head, forKey: uid)
        if let head, !head.isDeleted {
            heads.byName[name] = LogHead(
                session: LogSession(name: name, uid: uid), revision: head.revision)
        } else {
            holders[name] = nil
            isSettled = false
        }
    }
}
