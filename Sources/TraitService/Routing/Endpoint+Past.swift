// The operations that read a session as it was, with `revision` or `at`.

extension Endpoint {
    /// Whether the operation reads the state of a session, and nothing beside it that a revision does not have.
    var readsPast: Bool {
        switch self {
        case .listRows, .listNodes, .getNode, .getNodeTraits, .getNodeTrait, .compareNodes,
            .resolve,
            .getNodeTokens, .getNodeTokenInput,
            .listOverrides, .getOverride, .listSupplied, .getSupplied,
            .listScopes, .getScope, .listEnvironmentKeys, .getEnvironmentKey, .getEnvironment,
            .getEnvironmentValue,
            .listColors, .getColor, .getNodeColor, .listImages, .getImage, .getNodeImage,
            .listRegistrations, .getRegistration, .listTraits, .getTrait,
            .compareSessions, .exportSession:
            true
        default: false
        }
    }
}

extension QueryParameterSet {
    /// The parameters that name a revision of the past.
    static let past = QueryParameterSet([.revision, .at])
}
