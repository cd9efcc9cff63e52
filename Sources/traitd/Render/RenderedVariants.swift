// `traitd render FILE --variants FILE`: the answer of `POST …/variants`, without a server.

import JSONCodec
import SessionViews
import TraitJSON
import TraitService
import TraitSessions

enum RenderedVariants {
    /// The lines of the answer or, as arguments of a parameterised test, an array of its rows.
    ///
    /// - Parameter body: the body of the request.
    /// - Throws: the reason of a refusal.
    static func text(
        of session: Session, _ body: [UInt8], asArray: Bool
    ) throws(SessionError) -> [UInt8] {
        let answer = try withJSON(body) { json throws(SessionError) in
            do throws(SessionError) {
                return try session.commitWaiting(
                    Proposal(
                        assuming: json, .variants(updates: true, asLines: !asArray),
                        CommitOptions())
                ).body
            } catch {
                throw DocumentPlaces(json).placing(error)
            }
        }
        guard asArray else { return answer }
        return try withJSON(answer) { json throws(SessionError) in
            Array(json.member("variants")?.rawBytes ?? json.rawBytes) + [UInt8(ascii: "\n")]
        }
    }

    private static func withJSON(
        _ text: [UInt8], _ read: (JSONValue) throws(SessionError) -> [UInt8]
    ) throws(SessionError) -> [UInt8] {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try tape.withDocument(of: text, refusal: SessionError.init, read)
    }
}
