// Durations in queries: `30s`, `500ms`, `2m`, `0`.

package enum QueryDuration {
    /// Milliseconds; nil when it is no duration.
    package static func milliseconds(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.utf8.count), let number = Int64(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return number
        case "s": return number * 1_000
        case "m": return number * 60_000
        case "": return number == 0 ? 0 : nil
        default: return nil
        }
    }
}
