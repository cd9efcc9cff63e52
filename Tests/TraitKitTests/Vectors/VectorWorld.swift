// What a script of steps is played on: the engine, or the library over it.

import Foundation

extension VectorWorld {
    /// `<Name: A = 1, B = 2>` as a list.
    static func parts(ofDescription description: String) -> [String] {
        let inner = description.drop { $0 != ":" }.dropFirst(2).dropLast()
        return inner.isEmpty ? [] : inner.components(separatedBy: ", ")
    }
}

/// An expected failure: the code of a step that must fail.
struct VectorError: Error, Equatable {
    let code: String

    init(_ code: String) {
        // The cases write codes with underscores, the service with hyphens.
        self.code = code.replacing("-", with: "_")
    }
}

/// Something wrong with the script itself.
struct ScriptError: Error, CustomStringConvertible {
    let description: String
}

/// A tree of environments and the values that scripts name. Nodes are named as in the trees.
@MainActor
protocol VectorWorld: AnyObject {
    associatedtype Collection

    init(tree: String?, isLegacy: Bool) throws

    // Values.
    func make(from base: Collection?, _ writes: [(String, JSON)]) throws -> Collection
    func merge(_ collections: [Collection]) -> Collection
    func read(_ collection: Collection, _ trait: String) throws -> JSON
    func areEqual(_ left: Collection, _ right: Collection) -> Bool
    func contains(_ collection: Collection, _ other: Collection?) -> Bool
    func changed(_ collection: Collection, from other: Collection?) -> [String]
    func differsInColor(_ collection: Collection, from other: Collection?) -> Bool
    /// What the collection prints of each trait, in its order.
    func printed(_ collection: Collection) -> [String]

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
