// Content configurations, which make the content of a cell.

/// Makes the view that shows a cell's content (`UIContentConfiguration`).
@MainActor
public protocol ContentConfiguration {
    func makeContentView() -> View
}
