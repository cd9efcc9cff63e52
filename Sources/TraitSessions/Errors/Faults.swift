// Several faults of one body, told at once: whoever mends one should not have to ask again for the next.

import JSONCodec

/// The faults that were found in a body, in their order.
struct Faults {
    /// So many are told; the rest is found when these are mended.
    static let max = 20
    /// How many of the elements behind the first faulty one of a list are looked at.
    static let elementsLookedAtMax = 200

    private var found: [SessionError] = []

    var isEmpty: Bool { found.isEmpty }
    var isFull: Bool { found.count >= Self.max }

    /// Notes a fault. What the body is not to blame for ends the look at it.
    ///
    /// - Throws: `error`, when it is no fault of the body or there are enough of them.
    mutating func add(_ error: SessionError) throws(SessionError) {
        guard error.isFaultOfBody else { throw error }
        var error = error
        let others = error.others
        error.others = []
        found.append(error)
        found += others.prefix(Self.max - Swift.min(Self.max, found.count))
        if isFull { try check() }
    }

    /// Runs `body`, and notes what it throws.
    mutating func collect(_ body: () throws(SessionError) -> Void) throws(SessionError) {
        do throws(SessionError) { try body() } catch { try add(error) }
    }

    /// - Throws: the first fault with all others, if there is one.
    func check() throws(SessionError) {
        guard var first = found.first else { return }
        first.others = Array(found.dropFirst())
        throw first
    }
}

extension SessionError {
    /// Whether the text of a body is wrong, so that looking at the rest of it makes sense.
    fileprivate var isFaultOfBody: Bool {
        if takesLong { return false }
        switch code {
        case .malformedBody, .unknownMember, .missingMember, .malformedIdentifier, .unknownNode,
            .unknownTrait, .unknownParent, .unknownController, .unknownEnvironmentKey,
            .unknownColor, .unknownImage, .typeMismatch, .kindMismatch, .emptyTraitList,
            .privateTrait, .invalidDefinition, .valueTooLarge:
            return true
        default: return false
        }
    }

    /// The same with the faults in the form of the elements of a list behind the one that it is about.
    ///
    /// - Parameters:
    ///   - rest: the elements behind it, the first of which stands at `start`.
    ///   - list: the pointer of the list.
    ///   - check: looks at one element by itself.
    func withFaults(
        of rest: some Sequence<JSONValue>, from start: Int, in list: String,
        _ check: (JSONValue) throws(SessionError) -> Void
    ) -> SessionError {
        guard isFaultOfBody else { return self }
        var faults = Faults()
        do throws(SessionError) {
            try faults.add(self)
            var index = start
            for element in rest.prefix(Faults.elementsLookedAtMax) {
                do throws(SessionError) {
                    try check(element)
                } catch {
                    try faults.add(error.prefixed("\(list)/\(index)"))
                }
                index += 1
            }
            try faults.check()
        } catch {
            return error
        }
        return self
    }
}
