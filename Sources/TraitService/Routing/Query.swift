// The query of a request: parsed strictly, on bytes. A parameter that the operation does not know
// is refused, since a misspelt `dryRun` must never write.

import SessionViews
import TraitJSON
import TraitSessions

/// The parameters of one request. Values point into the request and are still percent-encoded.
struct Query {
    /// Values of parameters that `given` contains. The others are left over from an earlier request.
    private var values: [UnsafeRawBufferPointer]
    private(set) var given = QueryParameterSet()
    /// The values of `watch`, the only parameter that may be given more than once. Left over from an earlier request
    /// unless `given` contains `watch`.
    private var givenWatches: [UnsafeRawBufferPointer] = []

    /// The values of `watch` in their order.
    var watches: [UnsafeRawBufferPointer] { self[.watch] == nil ? [] : givenWatches }

    init() {
        values = Array(
            repeating: UnsafeRawBufferPointer(start: nil, count: 0),
            count: QueryParameter.allCases.count)
    }

    /// Forgets the last request's parameters; keeps the storage.
    mutating func reset() { given = QueryParameterSet() }

    private mutating func set(_ parameter: QueryParameter, _ value: UnsafeRawBufferPointer) {
        values[parameter.rawValue] = value
        given.insert(parameter)
    }

    /// Returns whether the query names a revision or time of the past.
    ///
    /// - Parameter ignoresOthers: whether parameters that are not allowed are ignored.
    /// - Throws: `unknownParameter`, `repeatedParameter`, `malformedParameter` for a flag that
    ///   is neither `true` nor `false`.
    @discardableResult
    mutating func parse(
        _ query: UnsafeRawBufferPointer?, allowed: QueryParameterSet, ignoresOthers: Bool = false
    ) throws(Problem) -> Bool {
        guard let query, !query.isEmpty else { return false }
        var start = 0
        while start <= query.count {
            let end = query.firstPlace(of: UInt8(ascii: "&"), from: start)
            try take(
                UnsafeRawBufferPointer(rebasing: query[start..<end]), allowed: allowed,
                ignoresOthers)
            start = end + 1
        }
        return given.intersects(.past)
    }

    private mutating func take(
        _ pair: UnsafeRawBufferPointer, allowed: QueryParameterSet, _ ignoresOthers: Bool
    ) throws(Problem) {
        guard !pair.isEmpty else { return }
        let equals = pair.firstPlace(of: UInt8(ascii: "="), from: 0)
        let name = UnsafeRawBufferPointer(rebasing: pair[..<equals])
        guard let parameter = QueryParameter.named(name, among: allowed) else {
            if ignoresOthers { return }
            let given = String(decoding: name, as: UTF8.self)
            let known = allowed.map(\.name)
            throw Problem(
                .unknownParameter,
                known.isEmpty
                    ? "This operation takes no query parameters; '\(given)' was given."
                    : "'\(given)' is no parameter of this operation. It takes \(known.joined(separator: ", ")).",
                didYouMean: Suggestion.nearest(to: given, among: known)
            ).with("parameter", given)
        }
        guard self[parameter] == nil || parameter == .watch else {
            throw Problem(
                .repeatedParameter,
                "'\(parameter.name)' is given more than once. Give it once; lists are comma-separated."
            ).with("parameter", parameter.name)
        }
        let value = UnsafeRawBufferPointer(
            rebasing: equals < pair.count ? pair[(equals + 1)...] : pair[equals...])
        // `?verbose`, as probes for other servers send it, is the same as `?verbose=true`.
        if parameter == .verbose, value.isEmpty {
            return set(parameter, Self.yes)
        }
        // Checked here, so that no operation can forget the check.
        if parameter.isFlag, !value.elementsEqual("true".utf8),
            !value.elementsEqual("false".utf8)
        {
            throw Self.malformed(parameter, "It takes true or false.")
        }
        if parameter == .consistency, !value.elementsEqual("strong".utf8),
            !value.elementsEqual("local".utf8)
        {
            throw Self.malformed(parameter, "It takes strong or local.")
        }
        if parameter == .watch { givenWatches = watches + [value] }
        set(parameter, value)
    }

    private static var yes: UnsafeRawBufferPointer {
        let text: StaticString = "true"
        return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// The raw bytes, nil when the parameter was not given.
    subscript(parameter: QueryParameter) -> UnsafeRawBufferPointer? {
        given.contains(parameter) ? values[parameter.rawValue] : nil
    }

    /// Absent is false.
    @inline(__always)
    func flag(_ parameter: QueryParameter) -> Bool {
        given.contains(parameter) && values[parameter.rawValue].elementsEqual("true".utf8)
    }

    /// Whether the answer may show what this server knows, without asking the log for the newest state; nil where the
    /// request leaves that to the server.
    var takesLocalState: Bool? { self[.consistency]?.elementsEqual("local".utf8) }

    /// Whether the parameter is given. `value` is the only value that it takes.
    func has(_ value: StaticString, _ parameter: QueryParameter) throws(Problem) -> Bool {
        guard let given = self[parameter] else { return false }
        let bytes = UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
        if given.elementsEqual(bytes) { return true }
        throw Self.malformed(parameter, "It takes \(value), or is left out.")
    }

    /// An integer in `range`; nil when absent.
    func integer(
        _ parameter: QueryParameter, in range: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let text = try string(parameter) else { return nil }
        // Int(_:) takes a plus sign.
        guard text.first != "+", let value = Int(text), range.contains(value) else {
            throw Self.malformed(
                parameter,
                "It takes an integer from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// The percent-decoded value; nil when absent.
    func string(_ parameter: QueryParameter) throws(Problem) -> String? {
        guard let raw = self[parameter] else { return nil }
        guard let text = PercentEncoding.decode(raw) else {
            throw Self.malformed(parameter, "It is not valid percent-encoded UTF-8.")
        }
        return text
    }

    static func malformed(_ parameter: QueryParameter, _ words: String) -> Problem {
        Problem(
            .malformedParameter, "The value of '\(parameter.name)' is malformed. \(words)"
        ).with("parameter", parameter.name)
    }
}
