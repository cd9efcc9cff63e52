// The inputs that older systems had, and the limits of the text size.

internal import TraitEngine

extension EnvironmentNode {
    /// `unspecified` when there is none.
    var legacyStyle: UserInterfaceStyle {
        get {
            guard case .int(let raw) = hierarchy.engine.legacyStyle(of: index) else {
                return .unspecified
            }
            return Int(exactly: raw).flatMap(UserInterfaceStyle.init(rawValue:)) ?? .unspecified
        }
        set {
            write { (engine) throws(OperationError) in
                try engine.setLegacyStyle(index, .int(Int64(newValue.rawValue)))
            }
        }
    }

    /// Sets the collection of an older input for this environment. Only values that it specifies
    /// count.
    func setLegacyCollection(_ traitCollection: TraitCollection?) {
        write { (engine) throws(OperationError) in
            try engine.setLegacyCollection(index, traitCollection?.comparable)
        }
    }

    var contentSizeLimits: (minimum: ContentSizeCategory?, maximum: ContentSizeCategory?) {
        let limits = hierarchy.engine.contentSizeLimits(of: index)
        return (
            limits.minimum.map(ContentSizeCategory.init(rawValue:)),
            limits.maximum.map(ContentSizeCategory.init(rawValue:))
        )
    }

    func setContentSizeLimits(_ minimum: ContentSizeCategory?, _ maximum: ContentSizeCategory?) {
        write { (engine) throws(OperationError) in
            try engine.setContentSizeLimits(
                index, minimum: minimum?.rawValue, maximum: maximum?.rawValue)
        }
    }
}
