// Answers about a node that take long to plan: the workers make them from a snapshot, and they are streamed.

import HTTPServer
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// The most colours that are resolved under the session's lock.
    private static let inlineColorsMax = 32

    /// Whether the path's session has more colours than are resolved under its lock.
    func hasManyColors(_ request: Request) throws(Problem) -> Bool {
        try session(request).withStateIfFree {
            $0.hierarchy.definitions.dynamicCount(.color) > Self.inlineColorsMax
        } ?? true
    }

    /// Answers with a text about the path's node, which a worker makes, compressed for clients that accept gzip.
    ///
    /// - Parameter text: gets the session of the snapshot, the node and the traits that `names` has.
    func readingFromSnapshot<Text: TextInParts>(
        _ request: Request, _ names: TraitNames, _ form: AnswerForm,
        _ text:
            @escaping @Sendable (SessionState, NodeIndex, TraitSet) throws(SessionError) -> Text
    ) throws(Problem) {
        let context = request.context
        let session = try session(request)
        let asked = try translated(
            try request.withState(of: session, before: true) {
                state throws(SessionError) -> (
                    snapshot: SessionSnapshot, node: NodeIndex, traits: TraitSet
                ) in
                try request.checkIsThere(state)
                context.response = state.pendingResponse(until: state.head)
                let node = try state.node(context.secondParameter)
                let traits = try state.traits(names)
                return (try state.snapshot(), node, traits)
            })
        let snapshot = asked.snapshot
        work(request, revision: snapshot.revision) { _ throws(SessionError) -> Text? in
            // After this, reading the snapshot cannot fail any more.
            try snapshot.session().withState { state throws(SessionError) in
                try text(state, asked.node, asked.traits)
            }
        } then: { text, request throws(Problem) in
            request.finishStreaming(form, of: snapshot, bodyBytes: .max)
            if request.context.status == 304 { return }
            try request.streamCompressed(
                "answer", form.contentType, BodyProducer(snapshot, text))
        }
    }
}
