// Users, their permissions and their tokens.

import JSONCodec

struct EtcdModelAccess {
    struct Permission {
        let keys: EtcdKeys
        let reads: Bool
        let writes: Bool
    }

    struct User {
        let password: String
        var isRoot = false
        var permissions: [Permission] = []
    }

    var isEnabled = false
    var users: [String: User] = [:]
    /// The user of each token that a member knows.
    var tokens: [Int: [String: String]] = [:]
    var tokenCount = 0
}

/// What a user may do.
struct EtcdRights {
    let user: EtcdModelAccess.User

    private func has(
        _ keys: EtcdKeys, _ kind: (EtcdModelAccess.Permission) -> Bool
    ) -> Bool {
        user.isRoot || user.permissions.contains { kind($0) && $0.keys.covers(keys) }
    }

    func mayRead(_ keys: EtcdKeys) -> Bool { has(keys, \.reads) }
    func mayWrite(_ keys: EtcdKeys) -> Bool { has(keys, \.writes) }

    func mayPut(_ put: EtcdPutRequest) -> Bool {
        let key = EtcdKeys(key: put.key)
        return mayWrite(key) && (!put.prevKV || mayRead(key))
    }

    func mayDelete(_ deletion: EtcdDeletionRequest) -> Bool {
        mayWrite(deletion.keys) && (!deletion.prevKV || mayRead(deletion.keys))
    }

    /// Both outcomes count, as etcd checks what a transaction might do.
    func may(_ transaction: EtcdTransactionRequest) -> Bool {
        transaction.comparisons.allSatisfy { mayRead($0.keys) }
            && (transaction.success + transaction.failure).allSatisfy { operation in
                switch operation {
                case .range(let range): mayRead(range.keys)
                case .put(let put): mayPut(put)
                case .deletion(let deletion): mayDelete(deletion)
                // etcd 3.4 does not look into parts.
                case .transaction, .none: true
                }
            }
    }
}

extension EtcdTransactionRequest {
    /// Whether there is anything that etcd looks at. Parts are not.
    var asksForRights: Bool {
        !comparisons.isEmpty
            || (success + failure).contains {
                if case .transaction = $0 { false } else { true }
            }
    }
}

extension EtcdKeys {
    func covers(_ other: EtcdKeys) -> Bool {
        if isPoint || other.isPoint || !contains(other.key) {
            return other.isPoint && contains(other.key)
        }
        return isOpen || !other.isOpen && !end.precedes(other.end)
    }
}

extension EtcdRefusal {
    static let denied = EtcdRefusal(7, "etcdserver: permission denied")
    static let noUser = EtcdRefusal(3, "etcdserver: user name is empty")
    static let invalidToken = EtcdRefusal(16, "etcdserver: invalid auth token")
    static let authenticationFailed = EtcdRefusal(
        3, "etcdserver: authentication failed, invalid user ID or password")
    static let authenticationOff = EtcdRefusal(
        9, "etcdserver: authentication is not enabled")
}

extension EtcdModel {
    // MARK: - Settings

    /// Adds a user that may read and write the keys from one on to the one before `end`; nil for all keys. One of the same
    /// name gets these permissions, and keeps its tokens.
    package func addUser(_ name: String, password: String, keys: (from: [UInt8], end: [UInt8])?) {
        var user = EtcdModelAccess.User(password: password)
        if let keys {
            user.permissions = [
                EtcdModelAccess.Permission(
                    keys: EtcdKeys(key: keys.from, end: keys.end), reads: true, writes: true)
            ]
        } else {
            user.isRoot = true
        }
        access.users[name] = user
    }

    /// Takes the permissions of a user away. Its tokens stay.
    package func revokePermissions(of name: String) { access.users[name]?.permissions = [] }

    /// From now on requests need a token.
    package func enableAccess() { access.isEnabled = true }

    /// Ends the tokens at a member, as their time and a start of the member do.
    package func forgetTokens(at member: Int) { access.tokens[member] = nil }

    // MARK: - Requests

    func authenticate(
        _ name: String, _ password: String, _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> [UInt8] {
        guard access.isEnabled else { throw .authenticationOff }
        guard let user = access.users[name], user.password == password else {
            throw .authenticationFailed
        }
        access.tokenCount += 1
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let secret = (0..<16).map { _ in letters[random.below(letters.count)] }
        let token = "\(String(decoding: secret, as: UTF8.self)).\(access.tokenCount)"
        for member in memberIDs.indices { access.tokens[member, default: [:]][token] = name }
        raftIndex += 1
        return caller.answer { $0.member("token", token) }
    }

    private func user(
        _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> EtcdModelAccess.User? {
        let names = ["authorization:", "grpc-metadata-token:"]
        let token = caller.headers.lazy.compactMap { header -> String? in
            guard let name = names.first(where: { header.lowercased().hasPrefix($0) }) else {
                return nil
            }
            return String(header.dropFirst(name.count).drop { $0 == " " })
        }.first
        guard let token else { return nil }
        guard let name = access.tokens[caller.member]?[token], let user = access.users[name] else {
            throw .invalidToken
        }
        return user
    }

    /// A token that is not valid is refused before etcd looks at anything else; a missing one is not.
    func checkToken(_ caller: EtcdCaller) throws(EtcdRefusal) {
        if access.isEnabled { _ = try user(caller) }
    }

    /// - Parameter evenWithoutToken: whether etcd asks for no token, but refuses an invalid one.
    func permit(
        _ caller: EtcdCaller, evenWithoutToken: Bool = false, _ allows: (EtcdRights) -> Bool
    ) throws(EtcdRefusal) {
        guard access.isEnabled else { return }
        guard let user = try user(caller) else {
            if evenWithoutToken { return }
            throw .noUser
        }
        if !allows(EtcdRights(user: user)) { throw .denied }
    }
}
