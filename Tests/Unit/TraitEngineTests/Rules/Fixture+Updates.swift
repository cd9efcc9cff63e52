// Updates for the rules: every one runs step by step, with handlers in between, as UIKit's do.

import Testing
import TraitEngine

extension Fixture {
    typealias Handler = (TraitUpdateStep) throws -> Void

    /// The worked tree in a layout hierarchy, brought up to date.
    static func layout(_ propagation: Propagation = .unified) throws -> Fixture {
        let tree = try Fixture(propagation, updates: .layout)
        try tree.makeWorkedTree()
        try tree.update()
        return tree
    }

    /// One update of everything attached, or of one node: "registration:previous>current" of the
    /// theme for each call, in order. An update that climbs first updates what its node inherits
    /// from.
    @discardableResult
    func update(
        _ name: String? = nil, climbs: Bool = false, _ handlers: [String: Handler] = [:]
    ) throws -> [String] {
        var calls: [String] = []
        let update = hierarchy.startUpdate(of: name.map { self[$0] }, climbs: climbs)
        defer { update.cancel() }
        while let step = try update.next() {
            guard case .registration(let registration) = step.reason else { continue }
            let id = hierarchy.registrationInfo(registration).identifier ?? ""
            let values = [step.previous[theme], step.current[theme]].map(Self.print)
            calls.append("\(id):\(values.joined(separator: ">"))")
            try handlers[id]?(step)
        }
        try hierarchy.checkInvariants()
        return calls
    }

    /// Sets the theme in a commit of its own, or removes it. In a layout hierarchy only windows and
    /// controllers show that before the next update. Returns what the commit notifies, as `update`
    /// does.
    @discardableResult
    func write(_ name: String, _ value: Int64?) throws -> [String] {
        told(try commit { if let value { try set(name, value) } else { remove(name) } })
    }
}

extension TraitDefinition {
    /// A value of the trait that is not its default.
    var otherValue: TraitValue {
        switch type {
        case .bool: .bool(true)
        case .int: .int(7)
        case .double: .double(3)
        case .string: .string("ja")
        case .enumeration(let cases):
            .int(cases.map(\.raw).last { .int($0) != defaultValue } ?? 0)
        case .stringEnumeration(let cases):
            .string(cases.map(\.raw).last { .string($0) != defaultValue } ?? "")
        case .structure, .json, .opaque: .null
        }
    }
}
