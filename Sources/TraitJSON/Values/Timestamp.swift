// RFC 3339 timestamps: written in UTC with milliseconds, and read in any zone, without a calendar or a locale.

import JSONCodec

package enum Timestamp {
    /// Milliseconds since 1970 that have a text.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// `2026-11-21T03:37:00.123Z` for milliseconds since 1970. Civil-date arithmetic over the
    /// Gregorian 400-year cycle (146,097 days); exact for every year from 1970 to 9999.
    package static func text(_ milliseconds: Int64) -> String {
        let clamped = max(0, min(milliseconds, 253_402_300_799_999))
        let seconds = clamped / 1_000
        let (year, month, day) = civil(days: seconds / 86_400)
        let time = seconds % 86_400
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(year, 4, UInt8(ascii: "-"), to: &bytes)
        append(month, 2, UInt8(ascii: "-"), to: &bytes)
        append(day, 2, UInt8(ascii: "T"), to: &bytes)
        append(time / 3_600, 2, UInt8(ascii: ":"), to: &bytes)
        append(time / 60 % 60, 2, UInt8(ascii: ":"), to: &bytes)
        append(time % 60, 2, UInt8(ascii: "."), to: &bytes)
        append(clamped % 1_000, 3, UInt8(ascii: "Z"), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Days since 1970 to year, month, day; years are counted from March, so that the leap day
    /// is the last of its year.
    private static func civil(days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Milliseconds since 1970 of a time as `text` writes it, with or without the fraction; nil for
    /// anything else, and for days that do not exist.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 || bytes.count == 24, bytes[10] == UInt8(ascii: "T"),
            bytes.last == UInt8(ascii: "Z"), let time = moment(text), time >= 0
        else { return nil }
        return time
    }

    /// Milliseconds since 1970 of a time of RFC 3339, section 5.6, with any zone and any fraction of a second; nil for
    /// anything else, also for a time without a zone. Digits beyond milliseconds are dropped.
    package static func moment(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let seconds = seconds(bytes) else { return nil }
        var end = 19
        var fraction: Int64 = 0
        if bytes[end] == UInt8(ascii: ".") {
            let digits = bytes[20...].prefix { (0x30...0x39).contains($0) }
            if digits.isEmpty { return nil }
            for (digit, scale) in zip(digits, [100, 10, 1]) {
                fraction += Int64(digit - 0x30) * Int64(scale)
            }
            end = digits.endIndex
        }
        return minutes(bytes[end...]).map { (seconds - $0 * 60) * 1_000 + fraction }
    }

    /// The first and the last millisecond of a day in a zone, such as `2026-11-24+01:00`; nil for anything else.
    package static func day(_ text: String) -> ClosedRange<Int64>? {
        let bytes = Array(text.utf8)
        guard bytes.count == 11 || bytes.count == 16 else { return nil }
        let first = String(decoding: bytes[..<10], as: UTF8.self)
        let zone = String(decoding: bytes[10...], as: UTF8.self)
        guard let start = moment("\(first)T00:00:00\(zone)") else { return nil }
        return start...(start + 86_399_999)
    }

    /// Seconds since 1970 of `2026-11-21T03:37:00`, with which the text begins.
    private static func seconds(_ bytes: [UInt8]) -> Int64? {
        for (position, byte) in bytes.prefix(19).enumerated() {
            switch position {
            case 4, 7: if byte != UInt8(ascii: "-") { return nil }
            case 10: if byte | 0x20 != UInt8(ascii: "t") { return nil }
            case 13, 16: if byte != UInt8(ascii: ":") { return nil }
            default: if !(0x30...0x39).contains(byte) { return nil }
            }
        }
        let (year, month, day) = (number(bytes[0..<4]), number(bytes[5..<7]), number(bytes[8..<10]))
        let (hour, minute) = (number(bytes[11..<13]), number(bytes[14..<16]))
        let second = number(bytes[17..<19])
        guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60 else {
            return nil
        }
        // The reverse of `civil`, 400 years later, as no year is below 0 then: years are counted from March.
        let shifted = 400 + (month > 2 ? year : year - 1)
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days =
            shifted / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100
            + dayOfYear
        // A day that its month has not would come out as one of the next.
        guard civil(days: days - 719_468) == (year + 400, month, day) else { return nil }
        return (days - 719_468 - 146_097) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Minutes that a zone is ahead of UTC: `Z` or `+01:00`.
    private static func minutes(_ zone: ArraySlice<UInt8>) -> Int64? {
        let zone = Array(zone)
        if zone.count == 1 { return zone[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard zone.count == 6, zone[3] == UInt8(ascii: ":"),
            zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
            [1, 2, 4, 5].allSatisfy({ (0x30...0x39).contains(zone[$0]) })
        else { return nil }
        let (hours, minutes) = (number(zone[1...2]), number(zone[4...5]))
        guard hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (zone[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func append(
        _ value: Int64, _ digits: Int, _ separator: UInt8, to bytes: inout [UInt8]
    ) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
        bytes.append(separator)
    }
}
