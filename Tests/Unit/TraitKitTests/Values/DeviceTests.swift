// Scenes that get what the system supplies on one of Apple's devices.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Devices", .ownHierarchy) struct DeviceTests {
    @Test("a scene has the traits of the device that it is given, and no others")
    func scene() {
        let scene = WindowScene()
        scene.suppliedTraits.userInterfaceLevel = .elevated
        scene.suppliedTraits = .device("iPad Pro 11", .landscape)
        #expect(scene.traitCollection.userInterfaceIdiom == .pad)
        #expect(scene.traitCollection.horizontalSizeClass == .regular)
        #expect(scene.traitCollection.displayScale == 2)
        #expect(scene.traitCollection.displayGamut == .P3)
        #expect(scene.traitCollection.forceTouchCapability == .unavailable)
        #expect(!scene.suppliedTraits.contains(TraitUserInterfaceLevel.self))

        scene.suppliedTraits = .device(
            "iPad Pro 11", .landscape, split: .third, settings: ["dark", "accessibilityLarge"])
        #expect(scene.traitCollection.horizontalSizeClass == .compact)
        #expect(scene.traitCollection.userInterfaceStyle == .dark)
        #expect(scene.traitCollection.preferredContentSizeCategory == .accessibilityLarge)
    }

    @Test("a name that the table does not have is refused with what there is")
    func refusals() {
        #expect(
            throws: TraitError.refused(
                "there is no split \"1/2\" here; there is full, 1/3, 2/3, slideOver")
        ) { try TraitOverrides(device: "iPad mini", orientation: .portrait, split: .half) }
        #expect(throws: TraitError.self) { try TraitOverrides(device: "iPhone 0") }
    }
}
