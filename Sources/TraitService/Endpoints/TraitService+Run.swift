// From the operation's name to its code: one exhaustive switch.

extension TraitService {
    func run(_ endpoint: Endpoint, _ request: Request) throws(Problem) {
        switch endpoint {
        case .getLive: live(request)
        case .getReady: try ready(request)
        case .getVersion: showVersion(request)
        case .getOpenAPI: showOpenAPI(request)
        case .getProblem: try showProblem(request)
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
