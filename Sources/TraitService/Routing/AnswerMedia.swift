// The media types that an endpoint answers with, for the check of `Accept`.

/// The media types of an operation's answers.
package enum AnswerMedia: Sendable {
    /// JSON, or nothing.
    case json
    /// JSON or another type; the operation checks `Accept` itself.
    case negotiated
    /// Records, unless `wait` asks for a page of them, which is JSON.
    case records
    /// Types other than JSON; the operation checks `Accept` itself.
    case others
}

extension Endpoint {
    package var media: AnswerMedia {
        switch self {
        case .getDocs, .getClient, .getInspector, .getInspectorFile, .getMetrics, .getOpenAPI,
            .getBackup, .streamFlagEvents:
            .others
        case .getIndex, .listNodes, .resolve, .listVariants, .getNodeTraits, .getNodeTokens:
            .negotiated
        case .streamRegistrationEvents, .streamNodeEvents, .streamSessionEvents, .streamManyEvents:
            .records
        default: .json
        }
    }
}
