// Updates that never come to rest: a handler or a layout that keeps changing what it reacts to.

internal import TraitEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// After 16 passes of one update something was still waiting for another. What waits goes on
/// waiting, so that the next update takes it up.
///
/// Thrown by `updateLayout()`; everything that does not throw reports it to `handler`.
public struct UpdateLoop: Error, Sendable {
    /// How often everything was gone through.
    public let passes: Int
    /// What was still to do: environments, with the traits that changed or the work that waited.
    public let culprits: [String]

    /// Hears of loops where nothing can be thrown. Writes to standard error unless replaced.
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
