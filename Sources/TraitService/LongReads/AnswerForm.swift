// The forms of an answer that has several media types, and the fields that depend on the form.

import HTTPServer
import HTTPWire
import TraitSessions

/// One form of an answer.
struct AnswerForm {
    let contentType: StaticString
    /// What the entity tag has behind the revision; empty for the first form.
    let tag: StaticString
    /// Whether the answer depends on `Accept`.
    let isNegotiated: Bool
    /// Complete header lines of the form.
    var lines: StaticString = ""

    /// JSON that is the only form.
    static let json = AnswerForm(contentType: "application/json", tag: "", isNegotiated: false)
    /// JSON where a client may ask for something else.
    static let negotiatedJSON = AnswerForm(
        contentType: "application/json", tag: "", isNegotiated: true)
    static let styleSheet = AnswerForm(
        contentType: "text/css; charset=utf-8", tag: "css", isNegotiated: true,
        lines:
            "Cache-Control: no-cache\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    )
    /// A style sheet for a page of an allowed origin.
    static let sharedStyleSheet = AnswerForm(
        contentType: "text/css; charset=utf-8", tag: "css", isNegotiated: true,
        lines: "Cache-Control: no-cache\r\n")
}

extension Request {
    private static let vary: StaticString = "Vary: Accept, Accept-Encoding\r\n"

    /// Adds the fields of an answer that is made under the session's lock, or makes it 304.
    @inline(__always)
    func finishReading(_ form: AnswerForm, uid: String, revision: Int64) {
        if !form.isNegotiated {
            return finishReading(uid: uid, revision: revision, kind: form.tag)
        }
        if form.tag.utf8CodeUnitCount > 0 { context.contentType = form.contentType }
        finishReading(uid: uid, revision: revision, kind: form.tag)
        if form.lines.utf8CodeUnitCount > 0 { context.fields.append(form.lines) }
        context.fields.append(Self.vary)
    }

    /// Adds the fields of an answer that is streamed from a snapshot, or makes it 304.
    ///
    /// - Parameter bodyBytes: 0 for a body that is never compressed.
    func finishStreaming(_ form: AnswerForm, of snapshot: SessionSnapshot, bodyBytes: Int) {
        finishReading(
            uid: snapshot.header.uid, revision: snapshot.revision, kind: form.tag,
            bodyBytes: bodyBytes)
        guard form.isNegotiated else { return }
        context.fields.append(form.lines)
        context.fields.append(Self.vary)
    }
}
