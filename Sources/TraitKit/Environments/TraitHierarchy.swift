// The engine's hierarchy behind the objects: each environment is a node of it, and reads and writes
// of traits go to it.

internal import TraitEngine

/// A trait hierarchy in which values become visible with updates. The process has one. Tests make
/// more, for isolation or to propagate as before iOS 17.
@MainActor
package final class TraitHierarchy {
    /// The hierarchy that new environments become part of.
    package static var current: TraitHierarchy { performing ?? HierarchyOfTask.value ?? ofProcess }
    private static let ofProcess = TraitHierarchy()
    private static var performing: TraitHierarchy?

    let engine: Hierarchy
    /// The tracked methods that are running, and their reads.
    let tracking = Tracking()
    /// Transitions to another size whose completions run at the end of the next update.
    var endingTransitions: [TransitionCoordinator] = []
    /// Objects that wait for a layout or another method to run.
    let waiting = WaitingObjects()
    /// The objects by the indices of their nodes, which are dense.
    @exclusivity(unchecked) private var objects: ContiguousArray<ObjectReference> = []
    /// How many environments there are.
    package private(set) var environmentCount = 0
    private var lastSerial: UInt64 = 0
    /// The main screen.
    var screen = MainScreen()
    /// Whether a call of the engine is running, so that no other call may begin.
    @exclusivity(unchecked) private var isBusy = false
    /// Environments that were released during a call of the engine, as the last reference to them
    /// was in a value that the call dropped. They are deleted afterwards.
    @exclusivity(unchecked) private var gone: [NodeIndex] = []

    /// - Parameter isLegacy: whether controllers inherit from their parent controllers, as before
    ///   iOS 17.
    package init(isLegacy: Bool = false) {
        engine = Hierarchy(
            propagation: isLegacy ? .legacy : .unified, updates: .layout, limits: Self.limits,
            hashSeed: UInt64.random(in: 0...UInt64.max))
        change { _ in }
    }

    /// Environments made inside the closure become part of this hierarchy.
    package func perform<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = Self.performing
        Self.performing = self
        defer { Self.performing = outer }
        return try body()
    }

    private static var limits: HierarchyLimits {
        var limits = TraitTable.limits
        limits.stringValueBytesMax = .max
        return limits
    }

    // MARK: - Changing

    /// Makes changes in one transaction. When one change is refused, none is made.
    @discardableResult
    func tryChange<Result>(
        _ operations: (Hierarchy) throws(OperationError) -> Result
    ) throws(TraitError) -> Result {
        try transact(operations).result
    }

    /// Makes changes, as `change` does, and returns what they led to.
    func commit(_ operations: (Hierarchy) throws(OperationError) -> Void) -> Commit {
        do throws(TraitError) {
            return try transact(operations).commit
        } catch {
            misuse("\(error)")
        }
    }

    private func transact<Result>(
        _ operations: (Hierarchy) throws(OperationError) -> Result
    ) throws(TraitError) -> (result: Result, commit: Commit) {
        try work { () throws(TraitError) in
            engine.begin()
            do throws(OperationError) {
                try defineTraits()
                let result = try operations(engine)
                let commit = engine.commit()
                engine.acknowledge(through: commit.revision)
                return (result, commit)
            } catch {
                engine.rollback()
                throw TraitError(error)
            }
        }
    }

    /// Runs a call of the engine. An environment that is released meanwhile is deleted afterwards.
    func work<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wasBusy = isBusy
        isBusy = true
        defer {
            isBusy = wasBusy
            if !isBusy, !gone.isEmpty { takeOutGone() }
        }
        return try body()
    }

    private func takeOutGone() {
        // Busy, so that deleting one node does not enter this loop again for the next.
        isBusy = true
        while let node = gone.popLast() { takeOut(node) }
        isBusy = false
    }

    /// Makes changes that can be refused only for a programmer's error, which stops the program.
    @discardableResult
    func change<Result>(_ operations: (Hierarchy) throws(OperationError) -> Result) -> Result {
        do throws(TraitError) {
            return try tryChange(operations)
        } catch {
            misuse("\(error)")
        }
    }

    /// Defines the traits of the table that are new, in the same order, so that they get the same
    /// indices.
    private func defineTraits() throws(OperationError) {
        let definitions = TraitTable.definitions
        var next = engine.definitions.indexEnd
        while next < definitions.indexEnd {
            let index = TraitIndex(rawValue: UInt16(truncatingIfNeeded: next))
            let defined = try engine.defineTrait(definitions[index])
            require(defined == index, "a trait got another index")
            next += 1
        }
    }

    /// A number not used before, for names that have to be unique.
    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    // MARK: - Environments

    func add(_ environment: EnvironmentNode) {
        while objects.count <= environment.index.rawValue { objects.append(ObjectReference()) }
        environmentCount += 1
    }

    /// Removes an environment. Its children become detached, and its registrations end.
    func remove(_ environment: EnvironmentNode) {
        let index = environment.index
        self[objectOf: index] = nil
        environmentCount -= 1
        waiting.remove(environment)
        if isBusy { gone.append(index) } else { takeOut(index) }
    }

    private func takeOut(_ index: NodeIndex) {
        let children = engine.structuralChildren(of: index)
        let hasWindows = children.contains { engine.kind(of: $0) == .window }
        let screen = hasWindows ? screenNode : nil
        let isScene = engine.kind(of: index) == .windowScene
        change { (engine) throws(OperationError) in
            for child in children {
                // A window whose scene is gone is a window without a scene.
                let isWindow = engine.kind(of: child) == .window
                try engine.updateNode(
                    child, parent: isWindow ? screen.map(Change.set) ?? .clear : .clear)
            }
            try engine.deleteNode(index)
        }
        if isScene { screenChanged() }
    }

    /// The object of a node; nil once the object has been released, and for nodes without an object.
    subscript(objectOf node: NodeIndex) -> Responder? {
        get {
            let position = Int(node.rawValue)
            // Through the buffer: to read a weak reference out of a copy takes three times as long.
            return objects.withUnsafeBufferPointer {
                position < $0.count ? $0[position].object : nil
            }
        }
        set { objects[Int(node.rawValue)].object = newValue }
    }

    private struct ObjectReference {
        weak var object: Responder?
    }
}

/// The hierarchy of a task, in place of the process's.
package enum HierarchyOfTask {
    @TaskLocal package static var value: TraitHierarchy?
}
