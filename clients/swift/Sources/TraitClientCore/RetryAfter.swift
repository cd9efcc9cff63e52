// The field Retry-After (RFC 9110, section 10.2.3): seconds, or a date.

import Foundation

package enum RetryAfter {
    /// A call whose server names a longer time fails at once.
    package static let callMax = Duration.seconds(60)
    /// A stream connects again after this time, even if the server names a longer one.
    package static let streamMax = Duration.seconds(300)

    /// How long to wait, or nil if the field has neither form. A date that has passed is 0.
    package static func delay(_ field: String?, now: Date) -> Duration? {
        guard let text = field?.trimmingCharacters(in: .whitespaces), !text.isEmpty else {
            return nil
        }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Double(text).map { .clamped(seconds: $0) }
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text).map { .clamped(seconds: $0.timeIntervalSince(now)) }
    }
}
