// RFC 3339 timestamps in UTC with milliseconds, without a calendar or a locale.

import JSONCodec

enum Timestamp {
    /// `2026-11-21T03:37:00.123Z` for milliseconds since 1970. Civil-date arithmetic over the
    /// Gregorian 400-year cycle (146,097 days); exact for every year from 1970 to 9999.
    static func text(_ milliseconds: Int64) -> String {
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
