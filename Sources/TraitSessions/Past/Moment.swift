// Times that clients give: RFC 3339 with any zone and any fraction of a second.

extension Timestamp {
    /// Milliseconds since 1970 of a time of RFC 3339, section 5.6; nil for anything else, also for a time without
    /// a zone. Digits beyond milliseconds are dropped.
    package static func moment(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t") else { return nil }
        var end = 19
        var fraction: Int64 = 0
        if bytes[end] == UInt8(ascii: ".") {
            end += 1
            let start = end
            var scale: Int64 = 100
            while end < bytes.count, (0x30...0x39).contains(bytes[end]) {
                fraction += Int64(bytes[end] - 0x30) * scale
                scale /= 10
                end += 1
            }
            if end == start { return nil }
        }
        let digits = bytes[..<4]
        guard let offset = minutes(bytes[end...]),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        // The calendar repeats after 400 years. So a year before 1970 is read as a later one.
        let year = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let periods = year < 1970 ? (1970 - year + 399) / 400 : 0
        let seconds = milliseconds(
            "\(year + periods * 400)" + String(decoding: bytes[4..<10], as: UTF8.self) + "T"
                + String(decoding: bytes[11..<19], as: UTF8.self) + "Z")
        return seconds.map {
            $0 - Int64(periods) * 146_097 * 86_400_000 + fraction - offset * 60_000
        }
    }

    /// Minutes that a zone is ahead of UTC: `Z` or `+01:00`.
    private static func minutes(_ zone: ArraySlice<UInt8>) -> Int64? {
        let zone = Array(zone)
        if zone.count == 1 { return zone[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard zone.count == 6, zone[3] == UInt8(ascii: ":"),
            zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
            [1, 2, 4, 5].allSatisfy({ (0x30...0x39).contains(zone[$0]) })
        else { return nil }
        func number(_ start: Int) -> Int64 {
            Int64(zone[start] - 0x30) * 10 + Int64(zone[start + 1] - 0x30)
        }
        guard number(1) < 24, number(4) < 60 else { return nil }
        return (number(1) * 60 + number(4)) * (zone[0] == UInt8(ascii: "-") ? -1 : 1)
    }
}
