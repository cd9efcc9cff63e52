// Where two texts differ, for people to read.

/// What a run expects and does not find.
package struct Differs: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

package func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !isSo { throw Differs(otherwise()) }
}

package func expectEqual(_ one: [UInt8], _ other: [UInt8], _ what: @autoclosure () -> String) throws
{
    guard one != other else { return }
    let place = zip(one, other).prefix { $0 == $1 }.count
    let start = max(0, place - 120)
    func part(_ bytes: [UInt8]) -> String {
        String(
            decoding: bytes[min(start, bytes.count)..<min(place + 120, bytes.count)], as: UTF8.self)
    }
    throw Differs(
        "\(what()) differ at byte \(place) of \(one.count) and \(other.count)\n"
            + "  one:   …\(part(one))…\n  other: …\(part(other))…")
}

package func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
