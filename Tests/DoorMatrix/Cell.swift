// One request of the matrix: a route, a method, whose token, and what a browser would say about itself.

import HTTPWire
import TraitService

/// The columns of the matrix, each with all of its values.
struct Cell {
    enum Method: String, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
        /// OPTIONS as a browser asks on behalf of a page.
        case preflight = "OPTIONS "

        var name: String { self == .preflight ? "OPTIONS" : rawValue }
        var isSafe: Bool { [.get, .head, .options, .preflight].contains(self) }
    }

    /// The token of a request, and the sessions that it is for.
    enum Bearer: CaseIterable {
        case withoutToken
        /// A token that the server does not know.
        case unknown
        case reader, writer
        /// May do everything to other sessions.
        case outsider
        case admin

        var allow: Access {
            switch self {
            case .withoutToken, .unknown: .open
            case .reader: .read
            case .writer: .write
            case .outsider, .admin: .admin
            }
        }

        var isKnown: Bool { allow > .open }

        func sees(_ session: Session) -> Bool {
            switch self {
            case .withoutToken, .unknown, .outsider: false
            case .reader, .writer: session == .visible
            case .admin: true
            }
        }
    }

    /// The session that the path names, or the body of a creation.
    enum Session: String, CaseIterable {
        case visible = "team-a"
        case hidden = "hidden-zebra"
        /// Nearly the hidden one's name: a suggestion would tell it.
        case near = "hidden-zebr"
        case absent = "absent-zebra"
    }

    enum Host: CaseIterable {
        case own, localhost, foreign
    }

    enum Origin: CaseIterable {
        case none, own, allowed, foreign, null
    }

    enum Site: String, CaseIterable {
        case none = ""
        case sameOrigin = "same-origin"
        case navigation = "none"
        case sameSite = "same-site"
        case crossSite = "cross-site"
    }

    var route: Route
    var method: Method
    var bearer: Bearer
    var session: Session
    var host: Host
    var origin: Origin
    var site: Site

    var namesSession: Bool { route.pattern.hasPrefix("/v1/sessions/{session}") }
    var creates: Bool { route.pattern == "/v1/sessions" && method == .post }

    /// The route's operation, if it takes the method.
    var operation: Route.Operation? {
        let wanted = method == .head ? "GET" : method.name
        return route.operations.first { $0.method.name.description == wanted }
    }

    var about: String {
        "\(method.name)\(method == .preflight ? " (preflight)" : "") \(route.pattern) of \(session.rawValue) "
            + "by \(bearer), host \(host), origin \(origin), site '\(site.rawValue)'"
    }
}

extension Cell {
    /// How many there are.
    static var count: Int {
        targets.count * Method.allCases.count * Bearer.allCases.count * Host.allCases.count
            * Origin.allCases.count * Site.allCases.count
    }

    /// Every route, those with a session once for each kind of session.
    private static let targets: [(Route, Session)] = Route.all.flatMap { route in
        let names = route.pattern.hasPrefix("/v1/sessions")
        return (names ? Session.allCases : [.visible]).map { (route, $0) }
    }

    /// Mostly one whose method the route takes: all others are refused alike.
    static func random(using random: inout some RandomNumberGenerator) -> Cell {
        while true {
            let cell = Cell(Int.random(in: 0..<count, using: &random))
            let isTaken = cell.operation != nil || cell.method.name == "OPTIONS"
            if isTaken || Int.random(in: 0..<8, using: &random) == 0 { return cell }
        }
    }

    /// The cell of that number.
    init(_ number: Int) {
        var rest = number
        func take<Value>(_ all: [Value]) -> Value {
            defer { rest /= all.count }
            return all[rest % all.count]
        }
        site = take(Site.allCases)
        origin = take(Origin.allCases)
        host = take(Host.allCases)
        bearer = take(Bearer.allCases)
        method = take(Method.allCases)
        (route, session) = take(Self.targets)
    }
}
