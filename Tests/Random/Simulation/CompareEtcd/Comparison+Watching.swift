// Watches of both sides: the lines that begin and end them, and the sequence of events.

import JSONCodec
import Simulated

extension Comparison {
    /// Watches keys of the past, or of the future while requests go on, up to a change that is made for this.
    func watch(as user: String? = nil) throws {
        var keys = generator.keys()
        if generator.random.chance(3) { keys = ([], [0], false) }
        let isLive = generator.random.chance(40)
        let filter = ["NODELETE", "NODELETE", "NOPUT", nil][generator.random.below(4)]
        var start = max(0, model.compactedRevision + 1 + Int64(generator.random.below(20)))
        if generator.random.chance(15) { start = model.compactedRevision - 1 }
        // etcd forgets deletions of the compacted revision some time later.
        if generator.random.chance(15), filter == "NODELETE" { start = model.compactedRevision }
        if isLive { start = generator.random.chance(70) ? 0 : model.revision + 2 }
        let body = request(keys.start, keys.end, start: start, filter)
        if isLive {
            try follow(body, keys.start, filter, user)
        } else {
            let last = try mark(keys.start, filter)
            compare(body, try theirs(body, until: last, user), ours(body, user))
        }
    }

    /// Compares all events from a revision to now.
    func compareEvents(from revision: Int64) throws {
        let body = request([0], [0], start: revision, nil)
        let last = try mark([0], nil)
        compare(body, try theirs(body, until: last, nil), ours(body, nil))
    }

    private func request(
        _ key: [UInt8], _ end: [UInt8]?, start: Int64, _ filter: String?
    ) -> Request {
        let prevKV = generator.random.chance(30)
        let fragment = generator.random.chance(50)
        let id = generator.random.chance(10) ? 3 : 0
        return Request("watch", path: "/v3/watch") { json in
            json.beginObject("create_request")
            json.bytes("key", key)
            if let end { json.bytes("range_end", end) }
            if start != 0 { json.member("start_revision", start) }
            if let filter {
                json.beginArray("filters")
                json.value(filter)
                json.endArray()
            }
            json.flag("prev_kv", when: prevKV)
            json.flag("fragment", when: fragment)
            if id != 0 { json.member("watch_id", id) }
            json.endObject()
        }
    }

    /// Changes the first key of a range, and returns the revision of the change that the filter lets through.
    private func mark(_ key: [UInt8], _ filter: String?) throws -> Int64 {
        let key = key.isEmpty ? [0] : key
        try send(
            Request("put", path: "/v3/kv/put") {
                $0.bytes("key", key)
                $0.bytes("value", [1])
            }, as: administrator)
        let put = model.revision
        try send(
            Request("delete", path: "/v3/kv/deleterange") { $0.bytes("key", key) },
            as: administrator)
        return filter == "NODELETE" ? put : model.revision
    }

    func headers(_ user: String?, ofModel: Bool) -> [String] {
        user.map { ["Authorization: \(token($0, ofModel: ofModel) ?? "invalid.1")"] } ?? []
    }

    private func ours(_ request: Request, _ user: String?) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        do throws(EtcdWatchRefusal) {
            let watch = try model.watch(headers(user, ofModel: true), request.body) {
                lines.append($0)
            }
            if let watch { model.cancel(watch) }
        } catch {
            lines.append(error.answer.body)
        }
        return lines
    }

    private func theirs(
        _ request: Request, until revision: Int64, _ user: String?
    ) throws -> [[UInt8]] {
        let connection = try HTTPConnection(port: server.port)
        var request = request
        request.headers = headers(user, ofModel: false)
        _ = try connection.begin(request)
        return try lines(connection, until: revision)
    }

    /// The lines up to a change, or to the end of the watch.
    private func lines(_ connection: HTTPConnection, until revision: Int64) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest: [UInt8] = []
        let mark = "\"mod_revision\":\"\(revision)\""
        while let chunk = try connection.nextChunk(waiting: 3_000) {
            rest += chunk
            while let end = rest.firstIndex(of: 0x0A) {
                let line = Array(rest[...end])
                rest.removeFirst(end + 1)
                lines.append(line)
                let text = String(decoding: line, as: UTF8.self)
                if text.contains(mark) || text.contains("\"canceled\":true") { return lines }
            }
        }
        return lines
    }

    private func follow(
        _ request: Request, _ key: [UInt8], _ filter: String?, _ user: String?
    ) throws {
        let connection = try HTTPConnection(port: server.port)
        var theirRequest = request
        theirRequest.headers = headers(user, ofModel: false)
        _ = try connection.begin(theirRequest)
        var ours: [[UInt8]] = []
        var watch: EtcdWatch?
        do throws(EtcdWatchRefusal) {
            watch = try model.watch(headers(user, ofModel: true), request.body) { ours.append($0) }
        } catch {
            ours.append(error.answer.body)
        }
        // etcd has begun when it says so.
        var theirs = try connection.nextChunk(waiting: 3_000).map { [$0] } ?? []
        generator.compacts = false
        for _ in 0..<generator.random.below(20) { try step(as: administrator) }
        generator.compacts = true
        let last = try mark(key, filter)
        let isOver = theirs.contains { String(decoding: $0, as: UTF8.self).contains("canceled") }
        if !isOver { theirs += try lines(connection, until: last) }
        if let watch { model.cancel(watch) }
        compare(request, theirs, ours)
    }

    private func compare(_ request: Request, _ theirs: [[UInt8]], _ ours: [[UInt8]]) {
        count("watch")
        let left = normal(lines: ours, ofModel: true)
        let right = normal(lines: theirs, ofModel: false)
        if left == right { return }
        differ("watch \(String(decoding: request.body, as: UTF8.self))", left, right)
    }

    /// Lines without events as they are, and all events in one list: how many a line has depends on the moment.
    private func normal(lines: [[UInt8]], ofModel: Bool) -> String {
        var others: [String] = []
        var events: [Substring] = []
        for line in lines {
            let text = normal(line, ofModel: ofModel)
            guard let start = text.firstRange(of: "\"events\":[") else {
                others.append(text)
                continue
            }
            events.append(text[start.upperBound...].dropLast(4))
        }
        return others.joined() + events.joined(separator: ",")
    }
}
