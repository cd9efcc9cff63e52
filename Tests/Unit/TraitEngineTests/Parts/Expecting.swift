// Parts cannot be copied, and `#expect` copies the values of calls that it takes apart.

import Testing

/// `#expect` of a condition that has been evaluated.
func expect(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: sourceLocation)
}
