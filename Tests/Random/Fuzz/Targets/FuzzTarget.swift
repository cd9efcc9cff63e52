// What can be fuzzed, by name: the driver hands libFuzzer's inputs in here, and a test the inputs of
// the corpus, so that both go through the same code.

/// One entry point for arbitrary bytes. Each can be called any number of times in one process.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Heads, chunked bodies, targets and queries, whole and in pieces.
    case wire
    /// The JSON reader against a second one, and the writer's round trip.
    case json
    /// The bounded decompressor, at once and in slices.
    case gzip
    /// The operations of the engine, transactions, undoing and copies.
    case engine
    /// Requests to a service on a real server in this process.
    case service
    /// The readers of design files.
    case convert

    /// Takes one input.
    /// - Throws: what is wrong with the code, never with the input: any input is a good one.
    package func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        switch self {
        case .wire: try WireFuzz.run(input)
        case .json: try JSONFuzz.run(input)
        case .gzip: try GzipFuzz.run(input)
        case .engine: try EngineFuzz.run(input)
        case .service: try ServiceFuzz.run(input)
        case .convert: try ConvertFuzz.run(input)
        }
    }
}

/// Something that no input may bring about.
package struct FuzzFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws unless two readings of the same bytes are the same.
func expectSame<Value: Equatable>(
    _ what: String, _ left: Value, _ right: Value
) throws(FuzzFailure) {
    if left != right { throw FuzzFailure("\(what) differ:\n  \(left)\n  \(right)") }
}
