// A trait of tests that make scenes, windows and views: each such test has a hierarchy of its own. Tests
// of one process run side by side, and the first scene of a hierarchy decides the main screen's traits.

public import Testing
internal import TraitKit

public struct OwnHierarchy: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let hierarchy = await TraitHierarchy()
        try await HierarchyOfTask.$value.withValue(hierarchy) { try await function() }
    }
}

extension Trait where Self == OwnHierarchy {
    /// The test, or each test of the suite, has a hierarchy of its own.
    public static var ownHierarchy: Self { OwnHierarchy() }
}
