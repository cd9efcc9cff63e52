// The properties of routes and operations that the doors check at every request. They are copied here so that
// reading them costs no reference counting.

import HTTPWire

/// The properties that depend on the path alone.
struct RouteGate {
    let isHealth: Bool
    /// Whether its routes need no token.
    let isOpen: Bool
    /// Whether its first parameter is a session's name.
    let namesSession: Bool
    /// Whether its operations are those of OpenFeature's protocol.
    let isOfFlags: Bool
    /// Where its operations begin among those of all routes.
    let firstOperation: Int
    let operationCount: Int

    init(_ route: Route, firstOperation: Int) {
        isOfFlags = route.operations.allSatisfy(\.endpoint.isOfFlags)
        isHealth = route.isHealth
        isOpen = route.operations.allSatisfy { $0.access == .open }
        namesSession = route.pattern.hasPrefix("/v1/sessions/{session}")
        self.firstOperation = firstOperation
        operationCount = route.operations.count
    }
}

/// The properties that depend on path and method.
struct OperationGate {
    let method: HTTPMethod
    let endpoint: Endpoint
    private(set) var parameters: QueryParameterSet
    let access: Access
    let rank: Int
    /// Whether the operation reads the body of a request.
    let takesBody: Bool
    /// Whether the operation may make the session that the path names.
    let makesSession: Bool
    let media: AnswerMedia

    init(_ operation: Route.Operation, of route: Route) {
        method = operation.method
        endpoint = operation.endpoint
        parameters = QueryParameterSet(operation.parameters)
        for parameter in route.common { parameters.insert(parameter) }
        access = operation.access
        rank = operation.access.rank
        takesBody = [.post, .put, .patch].contains(operation.method)
        makesSession = operation.endpoint == .putSession
        media = operation.endpoint.media
    }
}
