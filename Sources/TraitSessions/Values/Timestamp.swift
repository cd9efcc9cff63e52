// RFC 3339 timestamps in UTC with milliseconds, without a calendar or a locale.

import JSONCodec

package enum Timestamp {
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
        guard bytes.count == 20 || bytes.count == 24, bytes.last == UInt8(ascii: "Z") else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 &- 0x30) }
        }
        for (position, byte) in bytes.dropLast().enumerated() {
            switch position {
            case 4, 7: if byte != UInt8(ascii: "-") { return nil }
            case 10: if byte != UInt8(ascii: "T") { return nil }
            case 13, 16: if byte != UInt8(ascii: ":") { return nil }
            case 19: if byte != UInt8(ascii: ".") { return nil }
            default: if !(0x30...0x39).contains(byte) { return nil }
            }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        guard year >= 1970, (1...12).contains(month), (1...31).contains(day),
            number(11..<13) < 24, number(14..<16) < 60, number(17..<19) < 60
        else { return nil }
        // The reverse of `civil`: years are counted from March.
        let shifted = month > 2 ? year : year - 1
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days =
            shifted / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100
            + dayOfYear - 719_468
        let seconds =
            days * 86_400 + number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
        let milliseconds = seconds * 1_000 + (bytes.count == 24 ? number(20..<23) : 0)
        // A day that its month has not would come out as one of the next.
        return Self.text(milliseconds).utf8.prefix(10).elementsEqual(bytes.prefix(10))
            ? milliseconds : nil
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
