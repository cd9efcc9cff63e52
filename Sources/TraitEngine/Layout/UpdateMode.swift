// When what was written shows.

/// When the values of a hierarchy follow its inputs.
public enum UpdateMode: String, Sendable, CaseIterable {
    /// Every commit ends with an update: what is written shows at once.
    case immediate
    /// As in UIKit: writes mark, and what is shown changes only in an update pass.
    case layout
}
