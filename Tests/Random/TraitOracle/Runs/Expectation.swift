// What a run of the command expects, without a test library.

/// Something that a run expects and that did not come about.
struct Mistaken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !isSo { throw Mistaken(otherwise()) }
}

/// A value that has to be there.
func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Mistaken("no \(Value.self)") }
    return value
}
