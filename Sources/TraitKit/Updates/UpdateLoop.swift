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
/// update does it.
///
/// `updateLayout()` and `updateTraits()` throw this error. Methods that do not throw report it to
/// `handler`.
public struct UpdateLoop: Error, Sendable {
    /// The number of passes.
    public let passes: Int
    /// The work that was left: environments, with the traits that changed or the methods that
    /// waited.
    public let culprits: [String]

    /// Called with a loop by methods that do not throw. Writes to standard error unless replaced.
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
            let object = hierarchy.object(change.node).map { "\(type(of: $0))" } ?? "environment"
            let traits = TraitTable.types(change.traits).map { $0.name }
            return "\(object) (\(traits.joined(separator: ", ")))"
        }
    }

    @MainActor
    init(passes: Int, waiting object: Responder) {
        self.passes = passes
        culprits = ["\(type(of: object)) (layout)"]
    }
}
