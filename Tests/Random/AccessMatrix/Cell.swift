// One request of the matrix: a route, a method, whose token, what a browser would say about itself, and how it
// is sent.

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
        /// Nearly the hidden one's name: a suggestion would reveal it.
        case near = "hidden-zebr"
        case absent = "absent-zebra"
        /// Nearly the visible one's name. Between the two lie the names of many hidden sessions, on a stage of
        /// its own.
        case misspelt = "tean-a"
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

    /// How the request is sent.
    enum Wire: CaseIterable {
        case plain
        /// With a body that is no gzip, though its field says so.
        case badCoding
        /// With a short body that becomes a thousand times as long.
        case expanding
        /// With an expectation that the server does not know.
        case expectation
    }

    enum Listener: CaseIterable {
        case tcp, unix
    }

    var pattern: String
    var operations: [Route.Operation]
    var method: Method
    var bearer: Bearer
    var session: Session
    var host: Host
    var origin: Origin
    var site: Site
    var wire: Wire
    var listener: Listener

    var namesSession: Bool { pattern.hasPrefix("/v1/sessions/{session}") }
    var creates: Bool { pattern == "/v1/sessions" && method == .post }

    /// The route's operation, if it takes the method.
    var operation: Route.Operation? {
        let wanted = method == .head ? "GET" : method.name
        return operations.first { $0.method.name.description == wanted }
    }

    var about: String {
        "\(method.name)\(method == .preflight ? " (preflight)" : "") \(pattern) of \(session.rawValue) "
            + "by \(bearer), host \(host), origin \(origin), site '\(site.rawValue)', "
            + "\(wire) by \(listener)"
    }

    /// Whether the matrix has the cell. Values that no check reads together are not combined.
    private var isAsked: Bool {
        let isByPage = origin != .none || site != .none
        // No page reaches a socket file.
        if listener == .unix, wire == .plain || host != .own || isByPage { return false }
        if wire != .plain {
            return site == .none && [.none, .foreign].contains(origin)
                && [.visible, .hidden, .absent].contains(session)
        }
        switch session {
        case .misspelt: return host == .own && !isByPage
        case .near: return !isByPage
        case .visible, .hidden, .absent: break
        }
        if operation != nil || method.name == "OPTIONS" { return true }
        return [.none, .crossSite].contains(site) && [.none, .allowed, .foreign].contains(origin)
    }
}

extension Cell {
    /// How many combinations there are. The matrix asks some of them.
    private static var combinations: Int {
        targets.count * Method.allCases.count * Bearer.allCases.count * Host.allCases.count
            * Origin.allCases.count * Site.allCases.count * Wire.allCases.count
            * Listener.allCases.count
    }

    /// Paths that no route has.
    private static let unknown = [
        "/v1/nowhere", "/v1/sessions/{session}/nowhere", "/v1/sessions/{session}/nodes/n/nowhere",
    ]

    /// Every route, those with a session once for each kind of session.
    private static let targets: [(String, [Route.Operation], Session)] =
        (Route.all.map { ($0.pattern, $0.operations) } + unknown.map { ($0, []) }).flatMap {
            pattern, operations in
            let names = pattern.hasPrefix("/v1/sessions")
            return (names ? Session.allCases : [.visible]).map { (pattern, operations, $0) }
        }

    static var all: some Sequence<Cell> {
        (0..<combinations).lazy.map { Cell($0) }.filter(\.isAsked)
    }

    /// Mostly one whose method the route takes: all others are refused alike.
    static func random(using random: inout some RandomNumberGenerator) -> Cell {
        while true {
            let cell = Cell(Int.random(in: 0..<combinations, using: &random))
            guard cell.isAsked else { continue }
            let isTaken = cell.operation != nil || cell.method.name == "OPTIONS"
            if isTaken || Int.random(in: 0..<8, using: &random) == 0 { return cell }
        }
    }

    private init(_ number: Int) {
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
        wire = take(Wire.allCases)
        listener = take(Listener.allCases)
        (pattern, operations, session) = take(Self.targets)
    }
}
