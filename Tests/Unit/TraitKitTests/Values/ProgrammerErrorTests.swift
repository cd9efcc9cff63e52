// What UIKit raises an exception for: the plain spelling stops the program with a message, and
// there is another that throws.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite(.ownHierarchy) struct ProgrammerErrorTests {
    private let view = View()

    @Test("reading an override that is not set throws, or answers nil, or stops the program")
    func missingOverride() async {
        #expect(throws: TraitError.noOverride(trait: "UserInterfaceStyle")) {
            try view.traitOverrides.override(of: TraitUserInterfaceStyle.self)
        }
        #expect(view.traitOverrides.value(of: TraitUserInterfaceStyle.self) == nil)
        #expect(TraitError.noOverride(trait: "Theme").code == "no-override")
        await #expect(processExitsWith: .failure) { @MainActor in
            _ = View().traitOverrides.userInterfaceStyle
        }
    }

    @Test("a value that differs from itself is refused")
    func notANumber() async {
        struct Ratio: TraitDefinition {
            static let defaultValue = 0.5
        }
        var overrides = view.traitOverrides
        #expect(throws: TraitError.self) { try overrides.set(Ratio.self, .nan) }
        #expect(throws: TraitError.self) {
            try overrides.set(TraitDisplayScale.self, .infinity)
        }
        #expect(throws: TraitError.self) {
            try overrides.set(
                TraitPreferredContentSizeCategory.self, ContentSizeCategory(rawValue: "huge"))
        }
        #expect(!overrides.contains(Ratio.self))
        await #expect(processExitsWith: .failure) {
            _ = TraitCollection { $0.displayScale = .nan }
        }
    }

    @Test("an empty list of traits, or private ones alone, cannot be registered for")
    func lists() async throws {
        #expect(throws: TraitError.emptyTraitList) { try view.tryRegister([]) { _, _ in } }
        let privateTraits = TraitCollection.systemTraitsAffectingColorAppearance.filter {
            ["TraitVibrancy", "TraitSelectionIsKey"].contains("\($0)")
        }
        #expect(privateTraits.count == 2)
        #expect(throws: TraitError.self) { try view.tryRegister(privateTraits) { _, _ in } }
        await #expect(processExitsWith: .failure) { @MainActor in
            View().registerForTraitChanges([]) { (_: View, _) in }
        }
    }

    @Test("nil is no registration to end")
    func nilRegistration() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            View().unregisterForTraitChanges(nil)
        }
    }

    @Test("a view in itself, and a handler for another class, stop the program")
    func misuse() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let (outer, inner) = (View(), View())
            outer.addSubview(inner)
            inner.addSubview(outer)
        }
        await #expect(processExitsWith: .failure) { @MainActor in
            View().registerForTraitChanges([ThemeTrait.self]) { (_: ViewController, _) in }
        }
    }

    @Test("two different traits cannot declare one identifier; the second one's use names both")
    func identifiers() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            struct First: TraitDefinition {
                static let defaultValue = 1
                static let identifier = "com.example.shared"
            }
            struct Second: TraitDefinition {
                static let defaultValue = 2
                static let identifier = "com.example.shared"
            }
            _ = TraitCollection { $0[First.self] = 3 }
            _ = TraitCollection()[Second.self]
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Second and First both declare the identifier"))
        #expect(message.contains("com.example.shared"))
    }
}
