// The error of an update that does not end: a handler or a layout keeps changing the traits that it
// reacts to.

internal import TraitEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// After 16 passes of one update work was still waiting. The work goes on waiting, so that the next
/// update does it. Or handlers of a scene, window or view controller wrote to that object 16 times, each
/// inside the one before; the last write is shown, and its handlers are not called.
///
/// `updateLayout()` and `updateTraits()` throw this error. Methods that do not throw, and writes,
/// report it to `handler`.
public struct UpdateLoop: Error, Sendable {
    /// The number of passes, or of writes inside one another.
    public let passes: Int
    /// The work that was left: environments, with the traits that changed or the methods that
    /// waited.
    public let culprits: [String]

    /// Called with a loop by methods that do not throw, and by writes. Writes to standard error unless replaced.
    @MainActor public static var handler: @MainActor (UpdateLoop) -> Void = { loop in
        var text = "\(loop)\n"
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    @MainActor
    static func report(_ update: () throws(UpdateLoop) -> Void) {
        do throws(UpdateLoop) {
            try update()
        } catch {
            handler(error)
        }
    }
}

extension UpdateLoop: CustomStringConvertible {
    public var description: String {
        "trait-update-loop: after \(passes) passes still waiting: "
            + culprits.joined(separator: "; ")
    }
}

extension UpdateLoop {
    @MainActor
    init(_ loop: TraitUpdateLoop, _ hierarchy: TraitHierarchy) {
        passes = loop.passes
        culprits = loop.changes.map { change in
            let object = hierarchy[objectOf: change.node].map { "\(type(of: $0))" } ?? "environment"
            let traits = TraitTable.types(change.traits).map { $0.name }
            return "\(object) (\(traits.joined(separator: ", ")))"
        }
    }

    /// A loop of writes to one object, each made by a handler of the one before.
    @MainActor
    init(writes: Int, to object: Responder, _ changed: TraitSet) {
        passes = writes
        let traits = TraitTable.types(changed).map { $0.name }
        culprits = ["\(type(of: object)) (\(traits.joined(separator: ", ")))"]
    }

    @MainActor
    init(passes: Int, waiting object: Responder) {
        self.passes = passes
        culprits = ["\(type(of: object)) (layout)"]
    }
}
