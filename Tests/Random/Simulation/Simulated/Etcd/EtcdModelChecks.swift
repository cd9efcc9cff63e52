// What etcd refuses for its form before anything else: empty keys, too many operations, one key put twice.

extension EtcdPutRequest {
    func check() throws(EtcdRefusal) {
        if key.isEmpty { throw .emptyKey }
        if ignoreValue, !value.isEmpty { throw .valueProvided }
        if ignoreLease, lease != 0 { throw .leaseProvided }
    }
}

extension EtcdTransactionRequest {
    /// etcd's `--max-txn-ops`.
    private static let operationsMax = 128

    func check() throws(EtcdRefusal) {
        try check(operationsMax: Self.operationsMax)
        _ = try Intervals(of: success)
        _ = try Intervals(of: failure)
    }

    /// Parts count on top of what they are in.
    private func check(operationsMax: Int) throws(EtcdRefusal) {
        let count = max(comparisons.count, success.count, failure.count)
        if count > operationsMax { throw .tooManyOperations }
        if comparisons.contains(where: { $0.keys.key.isEmpty }) { throw .emptyKey }
        for operation in success + failure {
            switch operation {
            case .range(let range): if range.keys.key.isEmpty { throw .emptyKey }
            case .put(let put): try put.check()
            case .deletion(let deletion): if deletion.keys.key.isEmpty { throw .emptyKey }
            case .transaction(let part): try part.check(operationsMax: operationsMax - count)
            case .none: throw .keyNotFound
            }
        }
    }

    /// Nothing but reads. A part counts as a change.
    var isReadOnly: Bool {
        (success + failure).allSatisfy { if case .range = $0 { true } else { false } }
    }
}

/// The keys that a list of operations puts and deletes.
private struct Intervals {
    private var puts: Set<[UInt8]> = []
    private var deletions: [EtcdKeys] = []

    init(of operations: [EtcdOperationRequest]) throws(EtcdRefusal) {
        for case .deletion(let deletion) in operations { deletions.append(deletion.keys) }
        for case .transaction(let part) in operations {
            let (success, failure) = (
                try Intervals(of: part.success), try Intervals(of: part.failure)
            )
            for key in success.puts { try add(key) }
            // A key that the other outcome puts may be put here.
            for key in failure.puts { try add(key, unless: success.puts) }
            deletions += success.deletions + failure.deletions
        }
        for case .put(let put) in operations { try add(put.key) }
    }

    private mutating func add(
        _ key: [UInt8], unless allowed: Set<[UInt8]> = []
    ) throws(EtcdRefusal) {
        if puts.contains(key), !allowed.contains(key) { throw .duplicateKey }
        // An end of a zero byte is not taken for "no end" here.
        if deletions.contains(where: { !$0.isOpen && $0.contains(key) }) { throw .duplicateKey }
        puts.insert(key)
    }
}

// MARK: - Sizes

extension EtcdModel {
    /// The default of `requestBytesMax`, and what gRPC allows on top of it.
    package static let requestBytesDefault = 1_572_864
    private static let messageBytesMax = 2_097_152

    func checkSize(_ bytes: Int) throws(EtcdRefusal) {
        if bytes > Self.messageBytesMax {
            throw EtcdRefusal(
                8,
                "grpc: received message larger than max (\(bytes) vs. \(Self.messageBytesMax))")
        }
        if bytes > requestBytesMax { throw .requestTooLarge }
    }
}

extension EtcdPutRequest {
    /// As a message of gRPC, about.
    var bytes: Int { key.count + value.count + 24 }
    /// As etcd counts it against the quota; never 0.
    var cost: Int64 { 256 + Int64(key.count + value.count) }
}

extension EtcdTransactionRequest {
    var bytes: Int {
        var sum = 24
        for comparison in comparisons {
            sum += 16 + comparison.keys.key.count + comparison.keys.end.count
            sum += comparison.value.count
        }
        for operation in success + failure {
            switch operation {
            case .put(let put): sum += put.bytes
            case .range(let range): sum += 16 + range.keys.key.count + range.keys.end.count
            case .deletion(let keys): sum += 16 + keys.keys.key.count + keys.keys.end.count
            case .transaction(let part): sum += part.bytes
            case .none: break
            }
        }
        return sum
    }

    /// That of the puts of the costlier outcome. etcd counts no puts of parts.
    var cost: Int64 { max(Self.cost(success), Self.cost(failure)) }

    private static func cost(_ operations: [EtcdOperationRequest]) -> Int64 {
        operations.reduce(0) { sum, operation in
            if case .put(let put) = operation { sum + put.cost } else { sum }
        }
    }
}
