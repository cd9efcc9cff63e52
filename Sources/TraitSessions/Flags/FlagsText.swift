// All flags of a target, written in parts: thousands of long values make megabytes.

import JSONCodec
import TraitEngine

/// `{"flags":[…],"metadata":{…},"eventStreams":[…]}`, and how much of it is written. Nothing in the text changes with
/// a commit that changes no flag, so a hash of the text is an entity tag.
package struct FlagsText: Sendable {
    private let target: FlagTarget
    /// The prefix of the event stream's path: the path at which a proxy shows the server.
    private let publicPath: String
    /// What opens the event stream instead of a token.
    private let ticket: String?
    /// In the order of the definitions; nil before the first part.
    private var traits: [TraitIndex]?
    private var count = 0

    package init(for target: FlagTarget, publicPath: String, ticket: String?) {
        self.target = target
        self.publicPath = publicPath
        self.ticket = ticket
    }

    /// Writes on until the writer has `budget` bytes.
    ///
    /// - Returns: whether that is all.
    package mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        let definitions = session.hierarchy.definitions
        let list = traits ?? definitions.inCatalogueOrder(definitions.settable)
        if traits == nil {
            traits = list
            writer.beginObject()
            writer.beginArray("flags")
        } else if count > 0 {
            writer.separate()
        }
        let state = session.hierarchy.state(of: target.node)
        while count < list.count {
            if writer.count >= budget { return false }
            let trait = list[count]
            count += 1
            session.writeFlag(trait, for: target, state, into: &writer)
        }
        writer.endArray()
        let node = session.hierarchy.identifier(of: target.node)
        writer.beginObject("metadata")
        writer.member("session", session.name)
        writer.member("node", node)
        writer.endObject()
        writer.beginArray("eventStreams")
        writer.beginObject()
        writer.member("type", "sse" as StaticString)
        writer.beginObject("endpoint")
        // Names of sessions and nodes need no percent-encoding.
        writer.member(
            "requestUri",
            "\(publicPath)/v1/sessions/\(session.name)/ofrep/v1/events?node=\(node)"
                + (ticket.map { "&ticket=\($0)" } ?? ""))
        writer.endObject()
        writer.member("inactivityDelaySec", Self.inactivityDelaySeconds)
        writer.endObject()
        writer.endArray()
        writer.endText()
        return true
    }

    /// After so long in the background a client closes its event stream.
    private static let inactivityDelaySeconds = 120
}

extension SessionState {
    /// A trait as a flag under its own key.
    fileprivate func writeFlag(
        _ trait: TraitIndex, for target: FlagTarget, _ state: NodeState,
        into writer: inout JSONWriter
    ) {
        let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
        // The encoding has the key in quotes. A key needs no escape.
        encoding.key.withUnsafeBytes { quoted in
            let key = UnsafeRawBufferPointer(rebasing: quoted[1..<quoted.count - 1])
            writeFlag(trait, key, for: target, state, into: &writer)
        }
    }
}
