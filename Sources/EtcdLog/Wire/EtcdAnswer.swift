// Answers of etcd: JSON in which zeros, false and empty lists are left out, and 64-bit numbers are text.

import JSONCodec

struct EtcdKeyValue {
    let key: String
    let value: [UInt8]
    /// The revision of etcd that changed the key last.
    let changedAt: Int64
}

/// The keys that one read found.
struct EtcdFound {
    var values: [EtcdKeyValue] = []
    /// Whether there are more than the limit allowed.
    var hasMore = false
    /// The keys of the range, whichever of them were asked for.
    var count: Int64 = 0
}

/// A member of etcd, as it describes itself.
struct EtcdMemberState {
    let version: String
    /// The bytes of the database's file, free ones included.
    let databaseSize: Int64
    let id: String
    /// The id of the member that leads; nil without one.
    let leader: String?
    /// The complaints of the member, such as an alarm.
    let errors: [String]

    init(version: String, _ root: JSONValue) {
        self.version = version
        databaseSize = EtcdAnswer.number(root.member("dbSize"))
        id = root.member("header")?.member("member_id")?.string?.string ?? ""
        leader = root.member("leader")?.string?.string
        errors =
            root.member("errors").map { $0.elements.compactMap { $0.string?.string } } ?? []
    }
}

/// The answer to one request, or one line of a watch.
struct EtcdAnswer {
    /// The newest revision of etcd when it answered.
    private(set) var revision: Int64 = 0
    private(set) var clusterID = ""
    /// Whether the comparisons of a transaction held.
    private(set) var succeeded = false
    /// The results of a transaction's operations, in order; a plain read has one.
    private(set) var found: [EtcdFound] = []
    /// The bytes of the database that are in use, in an answer to a question for them.
    private(set) var databaseBytes: Int64 = 0
    /// The lease that was granted or renewed, and the time that is left of it; 0 for one that is over.
    private(set) var lease: Int64 = 0
    private(set) var secondsToLive: Int64 = 0

    /// The status of a member, in an answer to a request for it.
    private(set) var member: EtcdMemberState?

    /// - Throws: `unanswered` when this is no answer: it may have been cut.
    init(_ bytes: [UInt8]) throws(EtcdFailure) {
        self = try Self.reading(bytes) { (root) throws(EtcdFailure) in
            var answer = EtcdAnswer()
            try answer.read(root)
            return answer
        }
    }

    private init() {}

    /// The result of a read whose answer must have one.
    func found(at index: Int) -> EtcdFound {
        found.indices.contains(index) ? found[index] : EtcdFound()
    }

    private mutating func read(_ whole: JSONValue) throws(EtcdFailure) {
        // The answer to a renewal is a line of a stream.
        let root = whole.member("result") ?? whole
        readHeader(root)
        lease = Self.wholeNumber(root.member("ID"))
        secondsToLive = Self.number(root.member("TTL"))
        succeeded = root.member("succeeded")?.bool ?? false
        databaseBytes = Self.number(root.member("dbSizeInUse"))
        if let version = root.member("version")?.string?.string {
            member = EtcdMemberState(version: version, root)
        }
        if let responses = root.member("responses") {
            for response in responses.elements {
                let range = response.member("response_range")
                found.append(try range.map(Self.found) ?? EtcdFound())
            }
        } else {
            found = [try Self.found(root)]
        }
    }

    private mutating func readHeader(_ root: JSONValue) {
        let header = root.member("header")
        revision = Self.number(header?.member("revision"))
        clusterID = header?.member("cluster_id")?.string?.string ?? ""
    }

    private static func found(_ range: JSONValue) throws(EtcdFailure) -> EtcdFound {
        var found = EtcdFound(
            hasMore: range.member("more")?.bool ?? false, count: number(range.member("count")))
        guard let values = range.member("kvs") else { return found }
        found.values.reserveCapacity(values.count)
        for value in values.elements { found.values.append(try keyValue(value)) }
        return found
    }

    /// - Parameter isKnown: whether a row with that key and tag need not be read. Its value is empty then.
    static func keyValue(
        _ json: JSONValue, isKnown: (String, UInt64) -> Bool
    ) throws(EtcdFailure) -> EtcdKeyValue {
        guard let key = decoded(json.member("key")).map({ String(decoding: $0, as: UTF8.self) }),
            let value = json.member("value")?.string,
            // Four letters are three bytes.
            let start = Base64.decode(UnsafeRawBufferPointer(rebasing: value.bytes.prefix(16))),
            let tag = Row.tag(in: start), isKnown(key, tag)
        else { return try keyValue(json) }
        return EtcdKeyValue(key: key, value: [], changedAt: number(json.member("mod_revision")))
    }

    static func keyValue(_ json: JSONValue) throws(EtcdFailure) -> EtcdKeyValue {
        guard let key = decoded(json.member("key")), let value = decoded(json.member("value"))
        else {
            throw EtcdFailure(.unanswered, "etcd answers with a value that is no base64")
        }
        return EtcdKeyValue(
            key: String(decoding: key, as: UTF8.self), value: value,
            changedAt: number(json.member("mod_revision")))
    }

    private static func decoded(_ json: JSONValue?) -> [UInt8]? {
        guard let json else { return [] }
        return json.string.flatMap { Base64.decode($0.bytes) }
    }

    /// A revision, a size or a code. Whatever a stranger answers, sums of such numbers do not overflow.
    static func number(_ json: JSONValue?) -> Int64 { min(max(-1, wholeNumber(json)), 1 << 60) }

    private static func wholeNumber(_ json: JSONValue?) -> Int64 {
        guard let json else { return 0 }
        return json.int64 ?? json.string.flatMap { Int64($0.string) } ?? 0
    }

    /// Reads a text of JSON from etcd.
    static func reading<Result>(
        _ bytes: [UInt8], _ body: (JSONValue) throws(EtcdFailure) -> Result
    ) throws(EtcdFailure) -> Result {
        let tape = JSONTape()
        var result: Swift.Result<Result, EtcdFailure> = .failure(
            EtcdFailure(.unanswered, "etcd answers with nothing"))
        bytes.withUnsafeBytes { bytes in
            do throws(EtcdFailure) {
                result = .success(
                    try tape.withDocument(
                        bytes,
                        refusal: {
                            EtcdFailure(.unanswered, "etcd answers with no JSON: \($0.reason)")
                        }, body))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: - Failures and tokens

    /// The beginning of a body that is no JSON.
    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(200), as: UTF8.self)
        let line = text.prefix { $0.isASCII && !$0.isNewline }
        return line.isEmpty ? "no reason given" : String(line)
    }

    /// The failure that an answer other than 200 tells.
    static func failure(status: Int, _ bytes: [UInt8]) -> EtcdFailure {
        do throws(EtcdFailure) {
            return try reading(bytes) { failure(status: status, $0) }
        } catch {
            // A proxy between, or an answer that was cut.
            return EtcdFailure(status: status, code: -1, message: Self.text(bytes))
        }
    }

    static func failure(status: Int, _ json: JSONValue) -> EtcdFailure {
        let message = json.member("message") ?? json.member("error")
        return EtcdFailure(
            status: status, code: number(json.member("code") ?? json.member("grpc_code")),
            message: message?.string?.prefix(bytesMax: 200) ?? "")
    }

    static func token(_ bytes: [UInt8]) throws(EtcdFailure) -> String {
        try reading(bytes) { (root) throws(EtcdFailure) in
            // The token becomes a header, so it must not end one.
            guard let token = root.member("token")?.string?.string,
                token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else {
                throw EtcdFailure(.unanswered, "etcd answers with no token")
            }
            return token
        }
    }
}
