// The request that opens a stream.

/// The target and the body of a stream's request, below the session.
package struct StreamTarget: Sendable, Hashable {
    /// The longest target in bytes that is sent with GET; longer ones go into the body of a POST.
    package static let targetBytesMax = 4000

    /// `/events?…`
    package private(set) var path: String
    /// The body of a POST, or nil for GET.
    package private(set) var body: TraitValue?

    /// What a long poll may take, or nil for a stream.
    package var waitMilliseconds: Int? { didSet { write() } }

    private var watches: [String: WatchedTraits]
    private let registrations: [String]
    private let basePath: String
    private let options: [String]
    /// What only a stream can be asked for.
    private let streamOptions: [String]

    /// The stream of a watch.
    /// - Parameter basePath: what stands before `/events` in the target.
    package init(
        watches: [String: WatchedTraits], registrations: [String], basePath: String
    ) {
        (self.watches, self.registrations, self.basePath) = (watches, registrations, basePath)
        (options, streamOptions) = (["initial=true", "resync=auto"], ["overflow=coalesce"])
        path = ""
        write()
    }

    /// The stream of the session, with its commits.
    package init(recordsWithOperations operations: Bool) {
        (watches, registrations, basePath, path) = ([:], [], "", "")
        (options, streamOptions) = (operations ? ["operations=true"] : [], [])
        write()
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
        write()
    }

    /// What cannot be asked for, or nil. An empty list of registrations would be none at all.
    package var fault: String? {
        let names = watches.flatMap { [$0] + $1.names } + registrations
        return names.first { !$0.isSegment }.map { "Nothing is named \"\($0)\"." }
    }

    private mutating func write() {
        let options = options + (waitMilliseconds.map { ["wait=\($0)ms"] } ?? streamOptions)
        let nodes = watches.sorted { $0.key < $1.key }
        var query = nodes.map { node, traits in
            "watch=\(node.queryEncoded):\(traits.names.map(\.queryEncoded).joined(separator: ","))"
        }
        if !registrations.isEmpty {
            let names = registrations.map(\.queryEncoded).joined(separator: ",")
            query.append("registrations=\(names)")
        }
        func path(_ query: [String]) -> String {
            query.isEmpty ? "/events" : "/events?" + query.joined(separator: "&")
        }
        (self.path, body) = (path(query + options), nil)
        guard basePath.utf8.count + self.path.utf8.count > Self.targetBytesMax else { return }
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
        (self.path, body) = (path(options), .object(members))
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
