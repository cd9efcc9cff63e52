// The request that opens a stream.

/// The target and the body of a stream's request, below the session.
package struct StreamTarget: Sendable, Hashable {
    /// The longest target in bytes that is sent with GET; longer ones go into the body of a POST.
    package static let targetBytesMax = 4000

    /// `/events?…`
    package private(set) var path: String
    /// The body of a POST, or nil for GET.
    package private(set) var body: TraitValue?

    private var watches: [String: WatchedTraits]
    private let registrations: [String]
    private let basePath: String

    /// The stream of a watch.
    /// - Parameter basePath: what stands before `/events` in the target.
    package init(
        watches: [String: WatchedTraits], registrations: [String], basePath: String
    ) {
        (self.watches, self.registrations, self.basePath) = (watches, registrations, basePath)
        (path, body) = Self.request(watches, registrations, basePath)
    }

    /// The stream of the session, with its commits.
    package init(recordsWithOperations operations: Bool) {
        path = operations ? "/events?operations=true" : "/events"
        (body, watches, registrations, basePath) = (nil, [:], [], "")
    }

    /// Asks for a node or a trait by another name from now on.
    package mutating func rename(_ renaming: Renaming) {
        if watches.isEmpty { return }
        if let node = renaming.node, let traits = watches.removeValue(forKey: node) {
            watches[renaming.to] = traits
        }
        if let trait = renaming.trait {
            watches = watches.mapValues { $0.renaming(trait, to: renaming.to) }
        }
        (path, body) = Self.request(watches, registrations, basePath)
    }

    /// What cannot be asked for, or nil. An empty list of registrations would be none at all.
    package var fault: String? {
        let names = watches.flatMap { [$0] + $1.names } + registrations
        return names.first { !$0.isSegment }.map { "Nothing is named \"\($0)\"." }
    }

    private static func request(
        _ watches: [String: WatchedTraits], _ registrations: [String], _ basePath: String
    ) -> (path: String, body: TraitValue?) {
        let options = "initial=true&resync=auto&overflow=coalesce"
        let nodes = watches.sorted { $0.key < $1.key }
        var query = nodes.map { node, traits in
            "watch=\(node.queryEncoded):\(traits.names.map(\.queryEncoded).joined(separator: ","))"
        }
        if !registrations.isEmpty {
            let names = registrations.map(\.queryEncoded).joined(separator: ",")
            query.append("registrations=\(names)")
        }
        let short = "/events?" + (query + [options]).joined(separator: "&")
        guard basePath.utf8.count + short.utf8.count > targetBytesMax else { return (short, nil) }
        var members: TraitObject = [:]
        if !nodes.isEmpty {
            members["watches"] = .array(
                nodes.map { node, traits in
                    ["node": .string(node), "traits": .array(traits.names.map(TraitValue.string))]
                })
        }
        if !registrations.isEmpty {
            members["registrations"] = .array(registrations.map(TraitValue.string))
        }
        return ("/events?" + options, .object(members))
    }
}

extension String {
    /// The text as a part of a query or of a path: all but unreserved characters as `%41`.
    package var queryEncoded: String { encoded(allowing: "") }

    /// A path with its query: all that cannot stand there is encoded, and what is encoded stays.
    package var pathEncoded: String { encoded(allowing: "/?%:,;@!$&'()*+=") }

    private func encoded(allowing others: String) -> String {
        var encoded = ""
        for byte in utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~":
                encoded.unicodeScalars.append(scalar)
            case _ where others.utf8.contains(byte): encoded.unicodeScalars.append(scalar)
            default:
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
