// Values of the type `json`: any JSON value, kept in its canonical text.

import JSONCodec
import TraitEngine

enum JSONText {
    /// The most objects and arrays inside one another; a scalar has none.
    static let depthMax = 16

    /// The value of a trait or field of the type `json`. O(n log n) for n members.
    ///
    /// - Throws: `typeMismatch` when the value is nested too deep or has a number that is out of range. The engine
    ///   checks the length.
    package static func value(_ json: JSONValue) throws(SessionError) -> TraitValue {
        if json.isNull { return .null }
        var writer = JSONWriter(capacity: json.rawBytes.count)
        do throws(JSONCanonicalFault) {
            try writer.canonical(json, depthMax: depthMax)
        } catch {
            throw SessionError(.typeMismatch, detail(of: error), pointer: "")
        }
        return .json(String(decoding: writer.bytes, as: UTF8.self))
    }

    private static func detail(of fault: JSONCanonicalFault) -> String {
        switch fault {
        case .depth:
            "A value of the type json has at most \(depthMax) levels of objects and arrays."
        case .number(let text):
            "A number in a value of the type json has to be 0 or in the range of a double, \(Double.leastNonzeroMagnitude) to \(Double.greatestFiniteMagnitude) and the same below 0; there is \(text). Give such a number as a string."
        }
    }
}
