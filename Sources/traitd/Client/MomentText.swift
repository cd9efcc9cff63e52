// Times as people say them on a command line, in the zone of the machine: `yesterday`, `tuesday`, `2 hours ago`,
// `2026-11-24`, `2026-11-24 10:30`. A server takes RFC 3339 and revisions; those go through as they are.

import Glibc
import SessionViews
import TraitJSON
import TraitSessions

enum MomentText {
    /// What a parameter of the server takes.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - isEnd: whether a day stands for its last moment, not for its first.
    /// - Returns: nil for a text that is no time and no revision.
    static func parameter(_ text: String, now: time_t, isEnd: Bool) -> String? {
        let word = text.lowercased()
        if let revision = Int64(word), revision > 0 { return String(revision) }
        if Timestamp.moment(text) != nil || Timestamp.day(text) != nil { return text }
        // The second is not over.
        if word == "now" { return Timestamp.text(Int64(now) * 1_000 + 999) }
        if let seconds = secondsAgo(word) {
            return Timestamp.text((Int64(now) - seconds) * 1_000)
        }
        guard let (day, isDay) = localTime(word, now) else { return nil }
        let length = isDay && isEnd ? dayLength(after: day) : 0
        return Timestamp.text((Int64(day) + length) * 1_000 - (length > 0 ? 1 : 0))
    }

    /// `2 hours ago`; nil for other texts, and for more than 100 years.
    private static func secondsAgo(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        let units: [String: Int64] = ["minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800]
        guard words.count == 3, words[2] == "ago", let count = Int64(words[0]), count >= 0,
            let unit = units[String(words[1].last == "s" ? words[1].dropLast() : words[1])],
            count <= 3_155_760_000 / unit
        else { return nil }
        return count * unit
    }

    /// The local time that a day, or a day with a time, begins at.
    private static func localTime(_ text: String, _ now: time_t) -> (time_t, isDay: Bool)? {
        var parts = tm()
        var clock = now
        localtime_r(&clock, &parts)
        let words = text.split(whereSeparator: {
            $0 == " " || $0 == "t" && text.first?.isNumber == true
        })
        let weekdays = [
            "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        ]
        guard let first = words.first.map(String.init), words.count <= 2 else { return nil }
        if first == "today" {
        } else if first == "yesterday" {
            parts.tm_mday -= 1
        } else if let weekday = weekdays.firstIndex(where: { $0 == first || $0.prefix(3) == first })
        {
            // The newest such day that is over, or today's.
            parts.tm_mday -= Int32((Int(parts.tm_wday) - weekday + 7) % 7)
        } else {
            let numbers = first.split(separator: "-", omittingEmptySubsequences: false)
            guard numbers.map(\.utf8.count) == [4, 2, 2], Timestamp.day(first + "Z") != nil,
                let year = Int32(numbers[0]), let month = Int32(numbers[1]),
                let day = Int32(numbers[2])
            else { return nil }
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, month - 1, day)
        }
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
        if words.count == 2 {
            let numbers = words[1].split(separator: ":", omittingEmptySubsequences: false)
                .map { $0.utf8.count == 2 ? Int32($0) : nil }
            guard (2...3).contains(numbers.count), let hour = numbers[0], let minute = numbers[1],
                (0..<24).contains(hour), (0..<60).contains(minute)
            else { return nil }
            parts.tm_hour = hour
            parts.tm_min = minute
            if numbers.count == 3 {
                guard let second = numbers[2], (0..<60).contains(second) else { return nil }
                parts.tm_sec = second
            }
        }
        let time = mktime(&parts)
        return time < 0 ? nil : (time, words.count == 1)
    }

    /// Seconds of the local day that begins at a time: 23 or 25 hours where clocks change.
    private static func dayLength(after start: time_t) -> Int64 {
        var parts = tm()
        var clock = start
        localtime_r(&clock, &parts)
        parts.tm_mday += 1
        parts.tm_isdst = -1
        return Int64(mktime(&parts)) - Int64(start)
    }

    /// A time of the server in the zone of the machine: `2026-11-24 10:30:05`.
    static func local(_ text: String) -> String {
        guard let milliseconds = Timestamp.moment(text) else { return text }
        var clock = time_t(milliseconds / 1_000)
        var parts = tm()
        localtime_r(&clock, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
