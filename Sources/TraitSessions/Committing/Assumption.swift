// Operations that a read assumes: they are applied, read, and rolled back.

import JSONCodec
import TraitEngine
import TraitJSON

/// The member of a body that has the operations.
package enum Assumption {
    package static let member: StaticString = "assume"
    private static let name = Array("assume".utf8)

    /// Whether a body may have the member. O(bytes) of a search for the word.
    package static func isIn(_ body: UnsafeRawBufferPointer) -> Bool {
        CommitFilter.contains(body, name)
    }

    /// The operations that a body assumes.
    ///
    /// - Throws: `malformedBody`, `transactionTooLarge`.
    package static func operations(
        _ object: ObjectReader, _ limits: ServiceLimits
    ) throws(SessionError) -> JSONValue? {
        guard let list = object[member] else { return nil }
        guard list.kind == .array else {
            throw object.wrongType(member, "an array of operations", list)
        }
        guard list.count <= limits.operationsMax else {
            throw .limit(
                .transactionTooLarge,
                "A request assumes at most operationsMax=\(limits.operationsMax) operations.",
                name: "operationsMax", value: limits.operationsMax)
        }
        return list
    }
}

extension OperationKind {
    /// Whether a read may assume the operation. Definitions are not assumed, since the request names traits by those
    /// of the session; the request itself says whether a pass follows.
    fileprivate var canBeAssumed: Bool {
        switch self {
        case .createNode, .updateNode, .deleteNode, .setOverride, .removeOverride, .setSupplied,
            .removeSupplied, .register, .unregister, .setScope, .removeScope, .setEnvironment,
            .removeEnvironment, .moveNode, .renameNode, .putNode, .clearOverrides, .copyNode,
            .setDevice:
            true
        case .defineTrait, .deleteTrait, .putTrait, .updateTrait, .renameTrait, .layout,
            .updateTraitsIfNeeded, .defineEnvironmentKey, .deleteEnvironmentKey, .defineColor,
            .deleteColor, .defineImage, .deleteImage:
            false
        }
    }
}

extension Transaction {
    /// Applies operations that a read assumes.
    ///
    /// - Parameter pointer: where the array stands in the body.
    /// - Throws: what a transaction is refused for, with pointers behind `pointer`.
    package mutating func assume(_ list: JSONValue, at pointer: String) throws(SessionError) {
        try apply(list, at: pointer) { json throws(SessionError) in try Self.assumable(json) }
    }

    private static func assumable(_ json: JSONValue) throws(SessionError) -> Operation {
        let operation = try Operation(json)
        if let name = json.member("op")?.string, let kind = OperationKind(name.bytes),
            !kind.canBeAssumed
        {
            throw SessionError(
                .malformedBody,
                "\(kind.rawValue) cannot be assumed: operations on values and nodes can. Definitions come first, in a transaction, and `pending` says whether a pass follows.",
                pointer: "/op")
        }
        return operation
    }

    /// Applies what a read assumes.
    ///
    /// - Returns: what writes the answer.
    mutating func assume(
        _ body: JSONValue, _ read: AssumedRead
    ) throws(SessionError) -> AssumedRead.Writing {
        var work = AssumedWork(budget, textBytes: text.json.count)
        let write = try read.begin(body, session, &work)
        budget = work.budget
        if let list = body.member(Assumption.member) {
            try assume(list, at: "/\(Assumption.member)")
        }
        if read.updates, hierarchy.updates == .layout { try apply(.layout) }
        return write
    }
}

extension SessionState {
    /// Answers a read of the state that a body assumes.
    ///
    /// - Throws: why an operation is refused, what `read` throws; `takesLong` and `interrupted` by the budget.
    func decide(
        _ assumption: JSONValue, _ read: AssumedRead, _ options: CommitOptions,
        _ text: TextBuffer, _ body: inout JSONWriter, _ budget: WorkBudget,
        wakes: inout WakeList
    ) throws(SessionError) -> DecidedCommit {
        if let shortage = shortage(forRequestOf: options.requestBytes) {
            throw SessionError(shortage)
        }
        var opened = open(text, time: max(environment.now(), queue.headTime), budget: budget)
        opened.transaction.budget.admit(
            requestBytes: options.requestBytes, text: text.json.count)
        let write: AssumedRead.Writing
        do throws(SessionError) {
            write = try opened.transaction.assume(assumption, read)
        } catch {
            abandon(opened.transaction)
            throw error
        }
        var failure: SessionError?
        let decided = try complete(opened, isDryRun: true, notifies: false, wakes: &wakes) {
            opened, outcome in
            assumedAfter = outcome.isUnchanged ? head : head - 1
            defer { assumedAfter = .max }
            var work = AssumedWork(
                opened.transaction.budget, textBytes: opened.transaction.text.json.count)
            do throws(SessionError) {
                try write(self, &body, &work)
            } catch {
                failure = error
            }
            return nil
        }
        if let failure { throw failure }
        return decided
    }

    /// The revision that answers show. While operations are assumed, that of the state before them.
    package var shownRevision: Int64 { min(head, assumedAfter) }

    /// Whether operations are assumed.
    package var isAssumed: Bool { assumedAfter < .max }
}
