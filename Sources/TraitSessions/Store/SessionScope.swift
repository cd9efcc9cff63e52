// The sessions that a caller may see, by patterns of their names. Other sessions are treated as if they did
// not exist.

import Glibc
import TraitJSON

/// Patterns of session names. `*` stands for any characters, `?` for one.
package final class SessionScope: Sendable {
    package let patterns: [String]
    /// Whether one of the patterns is `*` alone.
    package let coversAll: Bool
    private let bytes: [[UInt8]]
    /// The pattern without its `*`, if there is one pattern and its only wildcard is a `*` at the end; else nil.
    /// The bytes are not written after `init`.
    nonisolated(unsafe) private let prefix: UnsafeBufferPointer<UInt8>?

    /// The ranges of patterns that are a name, or a beginning and `*`: disjoint, in the order of names.
    let ranges: [NameRange]
    /// Whether the ranges cover every name that the patterns cover.
    let isAllRanges: Bool

    package static let all = SessionScope(["*"])

    package init(_ patterns: [String]) {
        self.patterns = patterns
        bytes = patterns.map { Array($0.utf8) }
        coversAll = patterns.contains("*")
        let ranges = patterns.compactMap(NameRange.init(pattern:))
        isAllRanges = ranges.count == patterns.count
        self.ranges = NameRange.disjoint(ranges)
        let only = patterns.count == 1 ? patterns[0] : ""
        let start = only.dropLast()
        guard only.hasSuffix("*"), !start.contains("*"), !start.contains("?") else {
            prefix = nil
            return
        }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: start.utf8.count)
        _ = copy.initialize(from: start.utf8)
        prefix = UnsafeBufferPointer(copy)
    }

    deinit { prefix?.deallocate() }

    /// Whether a pattern is one: 1 to 128 characters of names, `*` and `?`.
    package static func isValid(_ pattern: String) -> Bool {
        (1...128).contains(pattern.utf8.count)
            && pattern.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "-"),
                    UInt8(ascii: "*"), UInt8(ascii: "?"):
                    true
                default: false
                }
            }
    }

    /// O(patterns × length) for patterns with one `*` at their end, else the square of the length.
    package func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        if coversAll { return true }
        if let prefix {
            guard name.count >= prefix.count, let known = prefix.baseAddress,
                let given = name.baseAddress
            else { return false }
            return memcmp(known, given, prefix.count) == 0
        }
        return bytes.contains { Self.matches($0, name) }
    }

    package func contains(_ name: String) -> Bool {
        if coversAll { return true }
        var name = name
        return name.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
    }

    /// A name of this scope with `random` in the place of a `*`; nil when no pattern has exactly one
    /// `*` and nothing else to replace.
    package func name(with random: String) -> String? {
        for pattern in patterns {
            let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
            guard parts.count == 2, !pattern.contains("?"),
                pattern.utf8.count - 1 + random.utf8.count <= 128
            else { continue }
            return parts[0] + random + parts[1]
        }
        return nil
    }

    /// Goes back to the last `*` where the rest does not match.
    private static func matches(_ pattern: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
        let (any, one) = (UInt8(ascii: "*"), UInt8(ascii: "?"))
        var (p, n) = (0, 0)
        var (star, taken) = (-1, 0)
        while n < name.count {
            if p < pattern.count, pattern[p] == any {
                (star, taken) = (p, n)
                p += 1
                if p == pattern.count { return true }
            } else if p < pattern.count, pattern[p] == name[n] || pattern[p] == one {
                p += 1
                n += 1
            } else if star >= 0 {
                taken += 1
                (p, n) = (star + 1, taken)
            } else {
                return false
            }
        }
        while p < pattern.count, pattern[p] == any { p += 1 }
        return p == pattern.count
    }
}

extension SessionError {
    /// The error for a name outside of the caller's scope, whether or not there is such a session.
    package static func outside(_ scope: SessionScope, _ more: String) -> SessionError {
        SessionError(
            .forbidden,
            "The token is for sessions named \(scope.patterns.joined(separator: ", ")). \(more)")
    }

    /// There is a session of that name.
    package static func exists(_ name: String) -> SessionError {
        SessionError(
            .exists,
            "There is a session '\(name)' already. Use it, delete it, or take another name.")
    }
}
