// From the operation's name to its code: one exhaustive switch.

extension TraitService {
    func run(_ endpoint: Endpoint, _ request: Request) throws(Problem) {
        switch endpoint {
        case .getLive: live(request)
        case .getReady: try ready(request)
        case .getVersion: showVersion(request)
        case .getMemory: showMemory(request)
        case .getOpenAPI: showOpenAPI(request)
        case .getProblem: try showProblem(request)
        case .whoAmI: try whoAmI(request)
        case .listSystemTraits: listSystemTraits(request)
        case .makeCollection: try makeCollection(request)
        case .compareCollections: try compareCollections(request)

        case .listSessions: try listSessions(request)
        case .createSession: try createSession(request)
        case .putSession: try putSession(request)
        case .getSession: try getSession(request)
        case .deleteSession: try deleteSession(request)
        case .runTransaction: try runTransaction(request)
        case .layout: try layout(request)
        case .updateTraitsIfNeeded: try updateTraitsIfNeeded(request)
        case .getHistory: try getHistory(request)
        case .getStatistics: try getStatistics(request)
        case .getBackup: try backUp(request)

        case .listTraits: try listTraits(request)
        case .putTrait: try putTrait(request)
        case .getTrait: try getTrait(request)
        case .deleteTrait: try deleteTrait(request)

        case .listNodes: try listNodes(request)
        case .createNode: try createNode(request)
        case .putNode: try putNode(request)
        case .getNode: try getNode(request)
        case .patchNode: try patchNode(request)
        case .deleteNode: try deleteNode(request)

        case .listOverrides: try listValues(.overrides, request)
        case .patchOverrides: try patchValues(.overrides, request)
        case .putOverride: try putValue(.overrides, request)
        case .getOverride: try getValue(.overrides, request)
        case .deleteOverride: try deleteValue(.overrides, request)
        case .listSupplied: try listValues(.supplied, request)
        case .patchSupplied: try patchValues(.supplied, request)
        case .putSupplied: try putValue(.supplied, request)
        case .getSupplied: try getValue(.supplied, request)
        case .deleteSupplied: try deleteValue(.supplied, request)

        case .getNodeTraits: try getNodeTraits(request)
        case .getNodeTrait: try getNodeTrait(request)
        case .compareNodes: try compareNodes(request)
        case .resolve: try resolve(request)

        case .listScopes: try listScopes(request)
        case .putScope: try putScope(request)
        case .getScope: try getScope(request)
        case .deleteScope: try deleteScope(request)

        case .listEnvironmentKeys: try listEnvironmentKeys(request)
        case .putEnvironmentKey: try putEnvironmentKey(request)
        case .getEnvironmentKey: try getEnvironmentKey(request)
        case .deleteEnvironmentKey: try deleteEnvironmentKey(request)
        case .getEnvironment: try getEnvironment(request)
        case .putEnvironmentValue: try putEnvironmentValue(request)
        case .getEnvironmentValue: try getEnvironmentValue(request)
        case .deleteEnvironmentValue: try deleteEnvironmentValue(request)

        case .listColors: try listDynamics(.color, request)
        case .putColor: try putDynamic(.color, request)
        case .getColor: try getDynamic(.color, request)
        case .deleteColor: try deleteDynamic(.color, request)
        case .getNodeColor: try resolveDynamic(.color, request)
        case .listImages: try listDynamics(.image, request)
        case .putImage: try putDynamic(.image, request)
        case .getImage: try getDynamic(.image, request)
        case .deleteImage: try deleteDynamic(.image, request)
        case .getNodeImage: try resolveDynamic(.image, request)

        case .listRegistrations: try listRegistrations(request)
        case .createRegistration: try createRegistration(request)
        case .putRegistration: try putRegistration(request)
        case .getRegistration: try getRegistration(request)
        case .deleteRegistration: try deleteRegistration(request)

        case .streamRegistrationEvents: try streamRegistrationEvents(request)
        case .streamNodeEvents: try streamNodeEvents(request)
        case .streamSessionEvents: try streamSessionEvents(request)
        }
    }
}
