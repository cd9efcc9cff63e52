// All faults of one body in one answer, so that a client need not send the body once for each
// fault.

import JSONCodec

/// The faults that were found in a body, in their order.
@usableFromInline
package struct Faults {
    /// At most so many faults are reported.
    static let max = 20
    /// How many elements of a list are checked behind the first faulty element.
    static let elementsLookedAtMax = 200

    @usableFromInline var found: [SessionError] = []

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { found.isEmpty }
    var isFull: Bool { found.count >= Self.max }

    /// Notes a fault.
    ///
    /// - Throws: `error` at once when it is no fault of the body; all faults when their number is
    ///   `max`.
    @usableFromInline
    package mutating func add(_ error: SessionError) throws(SessionError) {
        guard error.isFaultOfBody else { throw error }
        var error = error
        let others = error.others
        error.others = []
        found.append(error)
        found += others.prefix(Self.max - Swift.min(Self.max, found.count))
        if isFull { try check() }
    }

    /// Runs `body`, and notes the fault that it throws.
    @inlinable
    package mutating func collect(_ body: () throws(SessionError) -> Void) throws(SessionError) {
        do throws(SessionError) { try body() } catch { try add(error) }
    }

    /// - Throws: the first fault with all others, if there is one.
    package func check() throws(SessionError) {
        guard var first = found.first else { return }
        first.others = Array(found.dropFirst())
        throw first
    }
}

extension SessionError {
    /// Whether the body itself is wrong, so that the rest of the body is checked, too.
    fileprivate var isFaultOfBody: Bool {
        if signal != nil { return false }
        switch code {
        case .malformedBody, .unknownMember, .missingMember, .malformedIdentifier, .unknownNode,
            .unknownTrait, .unknownParent, .unknownController, .unknownEnvironmentKey,
            .unknownColor, .unknownImage, .unknownDevice, .typeMismatch, .kindMismatch,
            .emptyTraitList,
            .privateTrait, .invalidDefinition, .invalidVariants, .valueTooLarge:
            return true
        default: return false
        }
    }

    /// The error of a list's element, together with the faults of the elements behind it.
    ///
    /// - Parameters:
    ///   - rest: the elements behind the faulty one. The first of them has the index `start`.
    ///   - list: the pointer of the list.
    ///   - check: throws the faults of one element that are found without the session.
    package func withFaults(
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
