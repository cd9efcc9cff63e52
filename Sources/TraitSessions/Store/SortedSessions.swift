// The sessions in the order of their names: a page of the list costs what the page holds, however
// many sessions there are.
//
//   chunks   [ a… c… ]  [ d… k… ]  [ m… z… ]     each of at most 512 sessions
//
// A session that comes or goes moves the rest of its chunk. Keys are compared as UTF-8 bytes.

struct SortedSessions {
    private static let chunkMax = 512

    /// None is empty.
    private var chunks: [ContiguousArray<Session>] = []

    /// Adds a session whose name is not there yet. O(√n).
    mutating func insert(_ session: Session) {
        guard !chunks.isEmpty else {
            chunks = [[session]]
            return
        }
        let (chunk, position) = place(of: session.name)
        chunks[chunk].insert(session, at: position)
        let count = chunks[chunk].count
        guard count > Self.chunkMax else { return }
        let rest = ContiguousArray(chunks[chunk][(count / 2)...])
        chunks[chunk].removeLast(rest.count)
        chunks.insert(rest, at: chunk + 1)
    }

    /// Removes the session of that name, if there is one. O(√n).
    mutating func remove(_ name: String) {
        guard !chunks.isEmpty else { return }
        let (chunk, position) = place(of: name)
        guard position < chunks[chunk].count, chunks[chunk][position].name == name else { return }
        chunks[chunk].remove(at: position)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    /// The sessions whose names come after `name`, or all of them; at most `limit`. O(log n + limit).
    func after(_ name: String?, limit: Int) -> [Session] {
        guard !chunks.isEmpty else { return [] }
        var (chunk, position) = name.map(place) ?? (0, 0)
        if let name, position < chunks[chunk].count, chunks[chunk][position].name == name {
            position += 1
        }
        return sessions(from: chunk, position, limit: limit)
    }

    /// The sessions of a range after `name`, or all of the range; at most `limit`. O(log n + limit).
    func after(_ name: String?, in range: NameRange, limit: Int) -> [Session] {
        let found: [Session]
        if let name, !Self.precedes(name, range.first) {
            found = after(name, limit: limit)
        } else {
            found = from(range.first, limit: limit)
        }
        return Array(found.prefix { range.contains($0.name) })
    }

    /// The names of a range next to `name`, the nearest first, at most `reach` on each side. O(log n + reach):
    /// sessions outside of the range are not looked at.
    func names(near name: String, in range: NameRange, reach: Int) -> [String] {
        var pivot = name
        if Self.precedes(name, range.first) { pivot = range.first }
        if Self.precedes(range.end, name) { pivot = range.end }
        let after = from(pivot, limit: reach + 1).map(\.name).prefix { range.contains($0) }
            .filter { $0 != name }.prefix(reach)
        let before = before(pivot, limit: reach).map(\.name).prefix { range.contains($0) }
        var names: [String] = []
        for number in 0..<max(before.count, after.count) {
            if number < before.count { names.append(before[number]) }
            if number < after.count { names.append(after[number]) }
        }
        return names
    }

    /// The sessions whose names are `name` or come after it, at most `limit`. O(log n + limit).
    private func from(_ name: String, limit: Int) -> [Session] {
        guard !chunks.isEmpty else { return [] }
        let (chunk, position) = place(of: name)
        return sessions(from: chunk, position, limit: limit)
    }

    private func sessions(from chunk: Int, _ position: Int, limit: Int) -> [Session] {
        var (chunk, position) = (chunk, position)
        var sessions: [Session] = []
        while chunk < chunks.count, sessions.count < limit {
            let rest = chunks[chunk][position...]
            sessions.append(contentsOf: rest.prefix(limit - sessions.count))
            (chunk, position) = (chunk + 1, 0)
        }
        return sessions
    }

    /// The sessions whose names come before `name`, the last first, at most `limit`. O(log n + limit).
    private func before(_ name: String, limit: Int) -> [Session] {
        guard !chunks.isEmpty else { return [] }
        var (chunk, position) = place(of: name)
        var sessions: [Session] = []
        while sessions.count < limit {
            let rest = chunks[chunk][..<position]
            sessions.append(contentsOf: rest.suffix(limit - sessions.count).reversed())
            if chunk == 0 { break }
            chunk -= 1
            position = chunks[chunk].count
        }
        return sessions
    }

    /// Where a session of that name is, or would be put. O(log n).
    private func place(of name: String) -> (chunk: Int, position: Int) {
        // The last chunk that begins at or before the name.
        let chunk = max(
            0, chunks.firstPlace { Self.precedes(name, $0[0].name) } - 1)
        return (chunk, chunks[chunk].firstPlace { !Self.precedes($0.name, name) })
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
