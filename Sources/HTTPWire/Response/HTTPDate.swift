// Every answer carries a Date that changes once a second, so it is formatted once a second.
// The calendar arithmetic is our own: no locale, no time zone file, no allocation.

/// A cached `Date` field line in the IMF-fixdate form (RFC 9110 section 5.6.7). A plain value; each
/// shard keeps its own.
package struct HTTPDate: Sendable {
    /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and the line end.
    static let lineBytes = 37
    private static let textStart = 6
    private static let textBytes = 29

    package private(set) var unixSeconds: Int64
    private var line = InlineArray<40, UInt8>(repeating: 0)

    /// Times outside the years 0 to 9999 are moved to the nearest that can be written.
    package init(unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
        format()
    }

    /// Formats again if the second is another one than before.
    package mutating func update(unixSeconds: Int64) {
        if unixSeconds != self.unixSeconds {
            self.unixSeconds = unixSeconds
            format()
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package var text: String {
        withLine { line in
            String(decoding: line[Self.textStart..<Self.textStart + Self.textBytes], as: UTF8.self)
        }
    }

    /// The whole field line with its line end.
    @inline(__always)
    package func withLine<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: line) { bytes in
            body(UnsafeRawBufferPointer(start: bytes.baseAddress, count: Self.lineBytes))
        }
    }

    private mutating func format() {
        // 0000-01-01 and 9999-12-31: four digits are all that the format has.
        let seconds = min(max(unixSeconds, -62_167_219_200), 253_402_300_799)
        let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
        let second = Int(seconds) - days * 86_400
        let date = Self.civil(days: days)
        // Day 0 of the Unix era was a Thursday; `days` is no less than -719,528.
        let weekday = (days + 719_533 + 1) % 7
        var position = 0
        put("Date: ", from: 0, 6, &position)
        put("SunMonTueWedThuFriSat", from: weekday * 3, 3, &position)
        put(", ", from: 0, 2, &position)
        put(date.day, digits: 2, &position)
        put(" ", from: 0, 1, &position)
        put("JanFebMarAprMayJunJulAugSepOctNovDec", from: (date.month - 1) * 3, 3, &position)
        put(" ", from: 0, 1, &position)
        put(date.year, digits: 4, &position)
        put(" ", from: 0, 1, &position)
        put(second / 3_600, digits: 2, &position)
        put(":", from: 0, 1, &position)
        put(second / 60 % 60, digits: 2, &position)
        put(":", from: 0, 1, &position)
        put(second % 60, digits: 2, &position)
        put(" GMT\r\n", from: 0, 6, &position)
    }

    private mutating func put(
        _ text: StaticString, from start: Int, _ count: Int, _ position: inout Int
    ) {
        for index in 0..<count { line[position + index] = text.utf8Start[start + index] }
        position += count
    }

    private mutating func put(_ number: Int, digits: Int, _ position: inout Int) {
        var rest = number
        for index in stride(from: digits - 1, through: 0, by: -1) {
            line[position + index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        position += digits
    }

    /// The proleptic Gregorian date of a day counted from 1970-01-01, by eras of 400 years
    /// (146,097 days) that begin on a first of March, so that a leap day is the last of its year.
    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
