// The operation that ends a temporary value.

import JSONCodec
import TraitEngine
import TraitJSON

/// When an override ends: a time, or so many seconds after the commit.
package struct ValueEnd {
    private let json: JSONValue
    private let isTime: Bool

    /// The longest time for which an override is temporary: 366 days, in milliseconds.
    private static let longest: Int64 = 366 * 86_400_000
    /// The most seconds of a `ttl`: 365 days.
    private static let ttlMax: Int64 = 31_536_000

    private init(_ json: JSONValue, isTime: Bool) {
        self.json = json
        self.isTime = isTime
    }

    /// `expiresAt` or `ttl` of an object; nil when it has neither.
    ///
    /// - Throws: `malformedBody` when it has both.
    package init?(_ object: ObjectReader) throws(SessionError) {
        if let time = object["expiresAt"] {
            if object.has("ttl") {
                throw SessionError(
                    .malformedBody,
                    "A value ends at `expiresAt` or after `ttl` seconds; give one of them.",
                    pointer: "/ttl")
            }
            self.init(time, isTime: true)
        } else if let ttl = object["ttl"] {
            self.init(ttl, isTime: false)
        } else {
            return nil
        }
    }

    func copied(into arena: OperationArena) -> ValueEnd {
        ValueEnd(arena.copy(json), isTime: isTime)
    }

    /// A time that a document or a log entry has, in milliseconds since 1970.
    ///
    /// - Throws: `malformedBody` for anything but a time of RFC 3339 with its zone, from 1970 on.
    static func time(_ json: JSONValue, at pointer: String) throws(SessionError) -> Int64 {
        if let text = json.string?.string, let time = Timestamp.moment(text), time >= 0 {
            return time
        }
        throw .malformed(
            "`expiresAt` is a time with its zone, like 2027-01-31T08:00:00Z or 2027-01-31T09:00:00+01:00",
            json, at: pointer)
    }

    /// Milliseconds since 1970.
    ///
    /// - Parameter now: the wall clock.
    /// - Throws: `malformedBody`.
    func time(from now: Int64) throws(SessionError) -> Int64 {
        guard isTime else {
            guard let seconds = json.int64, (1...Self.ttlMax).contains(seconds) else {
                throw .malformed(
                    "A `ttl` of a value has from 1 to \(Self.ttlMax) seconds, a whole number", json,
                    at: "/ttl")
            }
            return now + seconds * 1_000
        }
        let time = try Self.time(json, at: "/expiresAt")
        if time <= now {
            throw SessionError(
                .malformedBody,
                "`expiresAt` is \(Timestamp.text(time)), and has to be later than now, which is \(Timestamp.text(now)). Remove the override to end it at once.",
                pointer: "/expiresAt")
        }
        if time - now > Self.longest {
            throw SessionError(
                .malformedBody,
                "`expiresAt` is \(Timestamp.text(time)), and a value ends within 366 days. Leave `expiresAt` out to have the value stay.",
                pointer: "/expiresAt")
        }
        return time
    }

    /// The time that an entry of the log has. The clock may have been set back since the commit before.
    func loggedTime() throws(SessionError) -> Int64 {
        guard isTime else { throw .missing("expiresAt") }
        return try Self.time(json, at: "/expiresAt")
    }
}
