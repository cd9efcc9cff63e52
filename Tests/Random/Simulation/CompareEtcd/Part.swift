// The parts of a comparison, each with an etcd of its own: plain requests, a full database, users, leases that end.

import Glibc
import JSONCodec
import Simulated

struct Part {
    let name: String
    var arguments: [String] = []
    /// The part of the requests that this has, and the least.
    let share: Int
    let least: Int
    let run: (Comparison, Int) throws -> Void

    static var all: [Part] {
        [
            Part(name: "requests", share: 1, least: 1, run: plain),
            Part(
                name: "room", arguments: ["--quota-backend-bytes", "\(quota)"], share: 100,
                least: 300, run: room),
            Part(name: "access", share: 20, least: 1_000, run: access),
            Part(name: "leases", share: 1_000, least: 100, run: leases),
        ]
    }

    private static func plain(_ comparison: Comparison, _ requests: Int) throws {
        for _ in 0..<requests {
            if comparison.generator.random.below(1_000) < 4 {
                try comparison.watch()
            } else {
                try comparison.step()
            }
        }
    }

    // MARK: - Room

    private static let quota: Int64 = 8_388_608

    private static func room(_ comparison: Comparison, _ requests: Int) throws {
        comparison.model.space.quota = quota
        for _ in 0..<requests / 3 { try comparison.step() }
        // Until etcd refuses; only etcd's own pages tell when.
        for place in 0..<1_000 {
            let fill = Request("fill", path: "/v3/kv/put") { json in
                json.bytes("key", Array("/fill/\(place)".utf8))
                json.bytes("value", [UInt8](repeating: 1, count: 300_000))
            }
            // etcd writes ten times a second, and the file grows then.
            poll(nil, 0, 300)
            comparison.model.space.fill(to: try comparison.status.size)
            if try comparison.send(fill).status != 200 { break }
        }
        for _ in 0..<requests / 3 {
            comparison.model.space.fill(to: try comparison.status.size)
            try comparison.step()
        }
        try comparison.send(
            Request("fill", path: "/v3/kv/deleterange") { json in
                json.bytes("key", Array("/fill/".utf8))
                json.bytes("range_end", Array("/fill0".utf8))
            })
        let revision = comparison.model.revision
        try comparison.send(
            Request("compaction", path: "/v3/kv/compaction") {
                $0.member("revision", revision)
                $0.member("physical", true)
            })
        try comparison.send(Request("defragment", path: "/v3/maintenance/defragment") { _ in })
        for _ in 0..<requests / 6 { try comparison.step() }
        try comparison.disarm()
        for _ in 0..<requests / 6 { try comparison.step() }
    }

    // MARK: - Access

    private static func access(_ comparison: Comparison, _ requests: Int) throws {
        let keys = (from: Array("/t/h".utf8), end: Array("/t/m".utf8))
        comparison.model.addUser("root", password: "secret", keys: nil)
        comparison.model.addUser("writer", password: "quiet", keys: keys)
        try comparison.setUp(keys)
        comparison.model.enableAccess()
        for (name, password) in [("root", "secret"), ("writer", "quiet"), ("writer", "wrong")] {
            try comparison.send(
                Request("login", path: "/v3/auth/authenticate") { json in
                    json.member("name", name)
                    json.member("password", password)
                })
        }
        comparison.administrator = "root"
        for number in 0..<requests {
            // For a tenth of the requests the writer may do nothing.
            if number == requests * 4 / 10 {
                try comparison.administer("user/revoke") { json in
                    json.member("name", "writer")
                    json.member("role", "log")
                }
                comparison.model.revokePermissions(of: "writer")
            } else if number == requests / 2 {
                try comparison.grant("log", to: "writer")
                comparison.model.addUser("writer", password: "quiet", keys: keys)
            }
            let users = ["root", "writer", "writer", "writer", "stranger", nil]
            let user = users[comparison.generator.random.below(users.count)]
            if comparison.generator.random.below(1_000) < 10 {
                try comparison.watch(as: user == "stranger" ? nil : user)
            } else {
                try comparison.step(as: user)
            }
        }
    }

    // MARK: - Leases

    /// Leases of two and more seconds end in their order, each in one revision.
    private static func leases(_ comparison: Comparison, _ requests: Int) throws {
        for _ in 0..<requests { try comparison.step() }
        for place in 0..<3 {
            let id = 501 + Int64(place)
            try comparison.send(
                Request("grant", path: "/v3/lease/grant") { json in
                    json.member("ID", id)
                    json.member("TTL", 2 + 2 * place)
                })
            for name in ["b", "a", "c"] {
                try comparison.send(
                    Request("put", path: "/v3/kv/put") { json in
                        json.bytes("key", Array("/lease/\(name)\(place)".utf8))
                        json.member("lease", String(id))
                    })
            }
        }
        let first = comparison.model.revision + 1
        // Longer than the last one lives, and etcd looks each half of a second.
        poll(nil, 0, 8_500)
        comparison.model.advance(to: 20_000_000_000)
        let all = Request("range", path: "/v3/kv/range") { json in
            json.bytes("key", Array("/".utf8))
            json.bytes("range_end", [0])
        }
        try comparison.send(all)
        try comparison.compareEvents(from: first)
        for _ in 0..<requests { try comparison.step() }
    }
}

extension Comparison {
    /// The bytes of etcd's file.
    var status: (size: Int64, member: String) {
        get throws {
            let answer = try send(Request("status", path: "/v3/maintenance/status") { _ in })
            return (
                Self.text("dbSize", answer.body).flatMap { Int64($0) } ?? 0,
                Self.text("member_id", answer.body) ?? ""
            )
        }
    }

    /// Ends the alarm on both sides, each of its own member.
    func disarm() throws {
        func request(_ member: String) -> Request {
            Request("alarm", path: "/v3/maintenance/alarm") { json in
                json.member("action", "DEACTIVATE")
                json.member("alarm", "NOSPACE")
                json.member("memberID", member)
            }
        }
        let theirs = try HTTPConnection(port: server.port).answer(
            to: request(try status.member))
        let own = model.answer(
            "POST", "/v3/maintenance/alarm", [], request(String(model.memberIDs[0])).body)
        let (left, right) = (normal(own.body, ofModel: true), normal(theirs.body, ofModel: false))
        if left != right { differ("disarm", left, right) }
    }

    /// Gives etcd the users that the model has.
    func setUp(_ keys: (from: [UInt8], end: [UInt8])) throws {
        for role in ["root", "log"] { try administer("role/add") { $0.member("name", role) } }
        try administer("role/grant") { json in
            json.member("name", "log")
            json.beginObject("perm")
            json.member("permType", "READWRITE")
            json.bytes("key", keys.from)
            json.bytes("range_end", keys.end)
            json.endObject()
        }
        for (name, password, role) in [
            ("root", "secret", "root"), ("writer", "quiet", "log"),
        ] {
            try administer("user/add") { json in
                json.member("name", name)
                json.member("password", password)
            }
            try grant(role, to: name)
        }
        try administer("enable") { _ in }
    }

    func grant(_ role: String, to user: String) throws {
        try administer("user/grant") { json in
            json.member("user", user)
            json.member("role", role)
        }
    }

    func administer(_ path: String, _ members: (inout JSONWriter) -> Void) throws {
        var request = Request("setup", path: "/v3/auth/\(path)", members)
        request.headers = headers(administrator, ofModel: false)
        let answer = try HTTPConnection(port: server.port).answer(to: request)
        if answer.status != 200 {
            let text = String(decoding: answer.body, as: UTF8.self)
            throw ConnectionFailure(text: "\(path): \(text)")
        }
    }
}
