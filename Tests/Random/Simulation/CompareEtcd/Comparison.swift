// Both sides, and what they answered differently.

import JSONCodec
import Simulated

final class Comparison {
    let server: EtcdServer
    let model: EtcdModel
    var generator: Generator
    private let connection: HTTPConnection
    private(set) var counts: [String: Int] = [:]
    private(set) var differences = 0
    /// The numbers of leases here and there, by place.
    private var ours: [Int64] = []
    private var theirs: [Int64] = []
    /// The user that may do everything; nil where there are no users.
    var administrator: String?
    /// The tokens of users here and there.
    private var tokens: [String: (ours: String, theirs: String)] = [:]

    private static let printedMax = 10
    private static let shownMax = 1_500

    init(_ server: EtcdServer, seed: UInt64) throws {
        self.server = server
        model = EtcdModel(seed: seed)
        generator = Generator(seed: seed)
        connection = try HTTPConnection(port: server.port)
    }

    /// Sends a request to both sides. Returns whether it succeeded there.
    @discardableResult
    func send(_ request: Request, as user: String? = nil) throws -> Answer {
        var (here, there) = (request.with(ours), request.with(theirs))
        if let user {
            let token = tokens[user] ?? ("invalid.1", "invalid.1")
            here.headers = ["Authorization: \(token.ours)"]
            there.headers = ["Authorization: \(token.theirs)"]
        }
        let theirAnswer: Answer
        do {
            theirAnswer = try connection.answer(to: there)
        } catch {
            print("etcd ends with: \(request.path) \(String(decoding: there.body, as: UTF8.self))")
            throw error
        }
        let answer = model.answer(here.method, here.path, here.headers, here.body)
        note(request, answer, theirAnswer)
        counts[request.kind, default: 0] += 1
        let masksTime = request.kind == "time to live"
        let left = Normal.text(answer.body, ours, masksTime: masksTime)
        let right = Normal.text(theirAnswer.body, theirs, masksTime: masksTime)
        if answer.status != theirAnswer.status || left != right {
            differ(
                "\(request.kind) by \(user ?? "no user"): \(request.path) "
                    + String(decoding: here.body.prefix(Self.shownMax), as: UTF8.self),
                "\(answer.status) \(left)", "\(theirAnswer.status) \(right)")
        }
        return theirAnswer
    }

    func differ(_ what: String, _ left: String, _ right: String) {
        differences += 1
        guard differences <= Self.printedMax else { return }
        print(
            """
            Difference \(differences), at revision \(model.revision):
              \(what)
              model \(left.prefix(Self.shownMax))
              etcd  \(right.prefix(Self.shownMax))
            """)
    }

    /// Learns leases and tokens from answers.
    private func note(_ request: Request, _ answer: EtcdModelAnswer, _ other: Answer) {
        guard answer.status == 200, other.status == 200 else { return }
        switch request.kind {
        case "grant":
            if let our = Self.text("ID", answer.body).flatMap({ Int64($0) }),
                let their = Self.text("ID", other.body).flatMap({ Int64($0) }),
                !ours.contains(our)
            {
                ours.append(our)
                theirs.append(their)
            }
        case "login":
            let name = Self.text("name", request.body) ?? ""
            if let our = Self.text("token", answer.body), let their = Self.text("token", other.body)
            {
                tokens[name] = (our, their)
            }
        default: break
        }
    }

    /// The text of the first member with a name.
    static func text(_ name: String, _ body: [UInt8]) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        return text.firstRange(of: "\"\(name)\":\"").map {
            String(text[$0.upperBound...].prefix { $0 != "\"" })
        }
    }

    /// The next random request.
    func step(as user: String? = nil) throws {
        generator.leaseCount = ours.count
        generator.revision = model.revision
        generator.compacted = model.compactedRevision
        try send(generator.next(), as: user)
    }

    /// A body with the numbers of leases of one side made comparable.
    func normal(_ body: [UInt8], ofModel: Bool) -> String {
        Normal.text(body, ofModel ? ours : theirs, masksTime: false)
    }

    func token(_ user: String, ofModel: Bool) -> String? {
        tokens[user].map { ofModel ? $0.ours : $0.theirs }
    }

    func count(_ kind: String) { counts[kind, default: 0] += 1 }
}
