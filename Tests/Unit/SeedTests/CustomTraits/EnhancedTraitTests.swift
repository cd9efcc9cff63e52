// From "Providing data to the view hierarchy with custom traits": a trait that declares all it can.

import KitTestSupport
import Testing
import TraitKit

// Sample 001.7
private enum MyAppTheme: Int {
    case standard, pastel, bold, monochrome
}

private struct MyAppThemeTrait: TraitDefinition {
    static let defaultValue = MyAppTheme.standard
    static let affectsColorAppearance = true
    static let name = "Theme"
    static let identifier = "com.myapp.theme"
}
// End of sample 001.7

@Suite(.ownHierarchy) struct EnhancedTraitTests {
    // In a process of its own: sample 000.2 declares the same identifier for another type, and a
    // process has one trait of each.
    @Test("the name is for printing, and the flag makes the trait count as one of colours")
    func members() async {
        await #expect(processExitsWith: .success) {
            let traits = TraitCollection(MyAppThemeTrait.self, value: .bold)
            #expect("\(traits)" == "<TraitCollection: Theme = bold>")
            #expect(traits.hasDifferentColorAppearance(comparedTo: TraitCollection()))
        }
    }
}
