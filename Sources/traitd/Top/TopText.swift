// Numbers as `traitd top` shows them: few characters, with units. A number that is none shows as a dash.

import Glibc

enum TopText {
    static let none = "-"

    static func count(_ value: Double?) -> String {
        scaled(value, [(1e6, "M"), (1e9, "G"), (1e12, "T")])
    }

    static func rate(_ value: Double?) -> String {
        guard let value, value.isFinite else { return none }
        return value < 100 ? tenths(value) : count(value)
    }

    static func bytes(_ value: Double?) -> String {
        let units = [
            (1024.0, "KiB"), (1_048_576, "MiB"), (1_073_741_824, "GiB"), (1_099_511_627_776, "TiB"),
        ]
        guard let value, value.isFinite else { return none }
        return value < 1024 ? "\(whole(value)) B" : scaled(value, units)
    }

    static func seconds(_ value: Double?) -> String {
        guard let value, value.isFinite else { return none }
        if value < 0.001 { return "\(whole((value * 1e6).rounded())) µs" }
        if value < 1 { return "\(tenths(value * 1e3)) ms" }
        return "\(tenths(value)) s"
    }

    static func time(_ value: Double?) -> String {
        guard let value, value.isFinite else { return none }
        let seconds = whole(value)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        if seconds < 86_400 { return "\(seconds / 3_600) h \(seconds / 60 % 60) min" }
        return "\(seconds / 86_400) d \(seconds / 3_600 % 24) h"
    }

    /// Printable ASCII, in which the server's texts are. Anything else could move the cursor.
    static func plain(_ text: String) -> String {
        String(
            decoding: text.utf8.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") },
            as: UTF8.self)
    }

    /// The width of a column of these texts, with a blank beside the longest.
    static func column(_ texts: [String], atLeast width: Int) -> Int {
        max(width, (texts.map(\.count).max() ?? 0) + 1)
    }

    /// In ASCII, in as many columns.
    static func spelled(_ text: String) -> String {
        plain(
            String(
                text.map { character in character == "µ" ? "u" : character == "…" ? "~" : character
                }))
    }

    /// Whether the locale of the environment has more than ASCII.
    static var localeIsUnicode: Bool {
        let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let name = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }
            .first { !$0.isEmpty }
        let letters = (name ?? "").lowercased().filter { $0 != "-" }
        return letters.contains("utf8")
    }

    /// In at most `width` columns, cut at its end.
    static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : String(text.prefix(max(0, width - 1))) + (width > 0 ? "…" : "")
    }

    /// In exactly `width` columns, cut at its beginning: routes differ at their ends.
    static func left(_ text: String, _ width: Int) -> String {
        if text.count > width {
            return width > 0 ? "…" + text.suffix(width - 1) : ""
        }
        return text + String(repeating: " ", count: width - text.count)
    }

    /// In at least `width` columns.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func scaled(_ value: Double?, _ units: [(size: Double, name: String)]) -> String
    {
        guard let value, value.isFinite else { return none }
        guard let unit = units.last(where: { value >= $0.size }) else {
            return "\(whole(value))"
        }
        return "\(tenths(value / unit.size)) \(unit.name)"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = whole((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The number as an integer, limited to its range; no figure is below 0.
    private static func whole(_ value: Double) -> Int {
        Int(min(max(0, value), 9e15))
    }
}
