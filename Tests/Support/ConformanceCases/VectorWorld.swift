// What a script of steps is played on: the rules, the engine, the library over it, or the service.

import Foundation

extension VectorWorld {
    package func expectUnchanged(_ body: () throws -> Void) throws { try body() }
    package func finish() throws {}

    private var noValues: ScriptError { ScriptError(description: "\(Self.self) has no values") }

    package func make(from base: Collection?, _ writes: [(String, JSON)]) throws -> Collection {
        throw noValues
    }
    package func merge(_ collections: [Collection]) throws -> Collection { throw noValues }
    package func areEqual(_ left: Collection, _ right: Collection) throws -> Bool { throw noValues }
    package func contains(_ collection: Collection, _ other: Collection?) throws -> Bool {
        throw noValues
    }
    package func changed(_ collection: Collection, from other: Collection?) throws -> [String] {
        throw noValues
    }
    package func differsInColor(
        _ collection: Collection, from other: Collection?
    ) throws -> Bool { throw noValues }
    package func printed(_ collection: Collection) throws -> [String] { throw noValues }

    /// `<Name: A = 1, B = 2>` as a list.
    package static func parts(ofDescription description: String) -> [String] {
        let inner = description.drop { $0 != ":" }.dropFirst(2).dropLast()
        return inner.isEmpty ? [] : inner.components(separatedBy: ", ")
    }
}

/// An expected failure: the code of a step that must fail.
package struct VectorError: Error, Equatable {
    private let code: String

    package init(_ code: String) {
        // The cases write codes with underscores, the service with hyphens.
        self.code = code.replacing("-", with: "_")
    }

    /// From a world that knows that something is refused, but no codes.
    package static let unnamed = VectorError("")
}

/// Something wrong with the script itself.
package struct ScriptError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// A tree of environments and the values that scripts name. Nodes are named as in the trees.
@MainActor
package protocol VectorWorld: AnyObject {
    associatedtype Collection

    /// Runs a step that is refused; nothing may have changed then.
    func expectUnchanged(_ body: () throws -> Void) throws
    /// After the last step.
    func finish() throws

    // Values. A world without them has none of these.
    func make(from base: Collection?, _ writes: [(String, JSON)]) throws -> Collection
    func merge(_ collections: [Collection]) throws -> Collection
    func read(_ collection: Collection, _ trait: String) throws -> JSON
    func areEqual(_ left: Collection, _ right: Collection) throws -> Bool
    func contains(_ collection: Collection, _ other: Collection?) throws -> Bool
    func changed(_ collection: Collection, from other: Collection?) throws -> [String]
    func differsInColor(_ collection: Collection, from other: Collection?) throws -> Bool
    /// What the collection prints of each trait, in its order.
    func printed(_ collection: Collection) throws -> [String]

    // Overrides.
    func set(_ node: String, _ trait: String, _ value: JSON) throws
    func remove(_ node: String, _ trait: String) throws
    func has(_ node: String, _ trait: String) throws -> Bool
    func override(_ node: String, _ trait: String) throws -> JSON
    func supply(_ node: String, _ trait: String, _ value: JSON) throws
    func removeSupplied(_ node: String, _ trait: String) throws

    // Updates and places.
    func flush() throws
    func flush(_ node: String) throws
    func attach(_ view: String, to superview: String) throws
    func detach(_ view: String) throws
    func shown(_ node: String) throws -> Collection

    // Registrations. Among the traits may be the names of sets.
    func register(
        _ name: String, _ node: String, _ traits: [String],
        _ handler: @escaping @MainActor (_ previous: Collection, _ current: Collection) -> Void
    ) throws
    func unregister(_ name: String) throws
}
