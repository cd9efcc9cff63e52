// The verb that each operation requires of its caller, and its cost class. The table of routes has both, so
// that authentication, budgets and metrics need to know no operation by name.

/// The verb that a caller needs for an operation.
package enum Access: String, Sendable, CaseIterable {
    /// Nothing: health, version, and the documents of the interface.
    case open
    case read
    case write
    /// For operations on the server, or on all sessions.
    case admin
}

extension Access: Comparable {
    var rank: Int {
        switch self {
        case .open: 0
        case .read: 1
        case .write: 2
        case .admin: 3
        }
    }

    /// Each verb includes those before it.
    package static func < (one: Access, other: Access) -> Bool { one.rank < other.rank }
}

/// The cost of an operation, by the quantity that its time grows with.
package enum CostClass: String, Sendable, CaseIterable {
    /// A few microseconds.
    case constant
    /// With the length of the answer, which a page bounds.
    case page
    /// With the length of the request, or with what a commit reaches.
    case request
    /// With the session: worked on beside the shards.
    case bulk
    /// As long as the client stays.
    case stream
}

extension Endpoint {
    /// Whether probes call the operation, which is answered even when no other one is.
    package var isHealth: Bool {
        switch self {
        case .getLive, .getReady: true
        default: false
        }
    }

    /// Whether the operation is one of OpenFeature's protocol. It ignores parameters and members that it does not
    /// know, and takes the token in `X-API-Key` too.
    var isOfFlags: Bool {
        switch self {
        case .evaluateFlag, .evaluateFlags, .streamFlagEvents: true
        default: false
        }
    }

    /// Whether a long body is parsed off the shard before the operation begins: for writes with a body, but
    /// not for the creation of sessions, which itself runs off the shard.
    var parsesBodyFirst: Bool {
        switch self {
        case .putTrait, .patchTrait, .createNode, .putNode, .patchNode, .patchOverrides,
            .putOverride,
            .patchSupplied, .putSupplied, .runTransaction, .layout, .updateTraitsIfNeeded,
            .putScope, .putEnvironmentKey, .putEnvironmentValue, .putColor, .putImage,
            .createRegistration, .putRegistration, .applySession, .streamManyEvents, .listRows:
            true
        default: false
        }
    }

    /// Whether the operation only shows sessions, so that it may show an older state if its caller allows that.
    var showsSessions: Bool {
        switch self {
        case .whoAmI, .listSystemTraits, .makeCollection, .compareCollections: false
        case .getBackup: true
        default: access == .read
        }
    }

    package var access: Access {
        switch self {
        case .getIndex, .getDocs, .getLive, .getReady, .getVersion, .getOpenAPI, .getOpenAPIAsJSON,
            .getClient, .getInspector, .getInspectorFile, .getProblem:
            .open
        case .whoAmI, .listSystemTraits, .makeCollection, .compareCollections, .listSessions,
            .getSession, .listTraits, .getTrait, .listRows, .listNodes, .getNode, .listOverrides,
            .getOverride,
            .listSupplied, .getSupplied, .getHistory, .getStatistics, .getNodeTraits,
            .getNodeTrait, .getValueHistory, .getNodeTokens, .getNodeTokenInput, .compareNodes,
            .compareSessions,
            .resolve, .listScopes, .getScope,
            .listEnvironmentKeys,
            .getEnvironmentKey, .getEnvironment, .getEnvironmentValue, .listColors, .getColor,
            .getNodeColor, .listImages, .getImage, .getNodeImage, .listRegistrations,
            .getRegistration, .streamRegistrationEvents, .streamNodeEvents, .streamSessionEvents,
            .streamManyEvents, .exportSession, .evaluateFlag, .evaluateFlags, .streamFlagEvents:
            .read
        case .createSession, .putSession, .deleteSession, .putTrait, .patchTrait, .deleteTrait,
            .createNode,
            .putNode, .patchNode, .deleteNode, .patchOverrides, .putOverride, .deleteOverride,
            .patchSupplied, .putSupplied, .deleteSupplied, .runTransaction, .layout,
            .updateTraitsIfNeeded, .putScope, .deleteScope, .putEnvironmentKey,
            .deleteEnvironmentKey, .putEnvironmentValue, .deleteEnvironmentValue, .putColor,
            .deleteColor, .putImage, .deleteImage, .createRegistration, .putRegistration,
            .deleteRegistration, .importSession, .applySession, .revertSession:
            .write
        case .getMemory, .getBackup, .getMetrics, .getServer, .listSlowRequests: .admin
        }
    }

    package var cost: CostClass {
        switch self {
        case .getIndex, .getDocs, .getLive, .getReady, .getVersion, .getMemory, .getOpenAPI,
            .getOpenAPIAsJSON, .getClient, .getInspector, .getInspectorFile, .getProblem,
            .whoAmI,
            .listSystemTraits, .getSession, .getTrait, .getNode, .getOverride, .getSupplied,
            .getStatistics,
            .getNodeTrait, .getScope, .getEnvironmentKey, .getEnvironmentValue, .getColor,
            .getNodeColor, .getImage, .getNodeImage, .getRegistration, .evaluateFlag:
            .constant
        case .getMetrics, .getServer, .listSlowRequests, .listSessions, .listTraits, .listNodes,
            .listOverrides, .listSupplied, .getHistory,
            .getNodeTraits, .getNodeTokens, .getNodeTokenInput, .compareNodes, .listScopes,
            .listEnvironmentKeys, .getEnvironment,
            .listColors, .listImages, .listRegistrations, .evaluateFlags:
            .page
        case .makeCollection, .compareCollections, .putTrait, .patchTrait, .deleteTrait,
            .createNode,
            .putNode, .patchNode, .deleteNode, .patchOverrides, .putOverride, .deleteOverride,
            .patchSupplied, .putSupplied, .deleteSupplied, .runTransaction, .layout,
            .updateTraitsIfNeeded, .putScope, .deleteScope, .putEnvironmentKey,
            .deleteEnvironmentKey, .putEnvironmentValue, .deleteEnvironmentValue, .putColor,
            .deleteColor, .putImage, .deleteImage, .createRegistration, .putRegistration,
            .deleteRegistration, .deleteSession:
            .request
        case .createSession, .putSession, .listRows, .resolve, .compareSessions, .getValueHistory,
            .getBackup, .exportSession,
            .importSession, .applySession, .revertSession:
            .bulk
        case .streamRegistrationEvents, .streamNodeEvents, .streamSessionEvents, .streamManyEvents,
            .streamFlagEvents:
            .stream
        }
    }
}
