// Entity tags of representations, and the conditions of requests that name them.

import HTTPServer
import HTTPWire
import TraitSessions

extension Request {
    /// Adds `Traitd-Revision` and `ETag`. Makes the answer 304 when `If-None-Match` has the tag.
    @inline(__always)
    func finishReading(_ session: Session) {
        finishReading(uid: session.uid, revision: session.head)
    }

    /// The same for an answer that was read from a session at that revision.
    ///
    /// - Parameters:
    ///   - form: the suffix of the tag where one target has several media types.
    ///   - bodyBytes: the size of a body that is not in the context.
    func finishReading(
        uid: String, revision: Int64, form: StaticString = "", bodyBytes: Int? = nil
    ) {
        context.field("Traitd-Revision", revision)
        let fields = context.fields
        let start = fields.count &+ 6
        fields.append(entityTagOf: uid, Int(revision))
        if let variant {
            fields.append(byte: UInt8(ascii: "-"))
            fields.append(hex: UInt(variant))
        }
        if form.utf8CodeUnitCount > 0 {
            fields.append(byte: UInt8(ascii: "-"))
            fields.append(form)
        }
        // Two codings of one representation need two strong tags (RFC 9110, section 8.8.3).
        if exchange.willCompress(bodyBytes: sentBytes(bodyBytes)) {
            fields.append(EntityTagCoding.gzipSuffix)
        }
        fields.append("\"\r\n")
        let end = fields.count &- 2
        guard exchange.header(.ifNoneMatch) != nil else { return }
        if knows(UnsafeRawBufferPointer(rebasing: fields.bytes[start..<end])) {
            context.body.reset()
            context.status = 304
            context.contentType = nil
        }
    }

    /// The size of the body as the server gets it.
    @inline(__always)
    private func sentBytes(_ bodyBytes: Int?) -> Int {
        if context.origin.isPretty {
            return bodyBytes == nil ? PrettyAnswer.sentBytes(of: context.body.bytes) : 0
        }
        return bodyBytes ?? context.body.count
    }

    /// `ETag: "uid.revision"`: the session's state after a write, for the next `If-Match`. The tag names
    /// the state and not the answer's bytes, so it has no suffix for a coding.
    func stateTag(uid: String, revision: Int64) {
        let fields = context.fields
        fields.append(entityTagOf: uid, Int(revision))
        fields.append("\"\r\n")
    }

    /// Whether `If-None-Match` lists this tag, or `*`. The comparison is weak (RFC 9110, section
    /// 13.1.2). The suffix of the coding counts: a client that does not accept gzip cannot use the bytes
    /// of the gzip coding.
    private func knows(_ tag: UnsafeRawBufferPointer) -> Bool {
        var isKnown = false
        forEachTag(.ifNoneMatch) { item in
            let opaque = item.starts(with: "W/".utf8) ? item.dropFirst(2) : item
            if item.elementsEqual("*".utf8) || opaque.elementsEqual(tag) { isKnown = true }
        }
        return isKnown
    }

    /// A hash of the query, on which the representation depends beside the revision.
    private var variant: UInt32? {
        guard let query = exchange.query, !query.isEmpty else { return nil }
        return Fingerprint.of(query)
    }

    /// `If-Match` of a write: `uid.revision` of each tag, without the suffixes of representations; nil
    /// without the field.
    var ifMatch: [String]? {
        guard exchange.header(.ifMatch) != nil else { return nil }
        var states: [String] = []
        forEachTag(.ifMatch) { tag in
            if tag.elementsEqual("*".utf8) { return states.append("*") }
            // The comparison is strong (RFC 9110, section 13.1.1), so a weak tag never matches. `W/`
            // matches no state either, and lets the refusal name the reason.
            if tag.starts(with: "W/".utf8) { return states.append("W/") }
            guard tag.first == UInt8(ascii: "\""), tag.last == UInt8(ascii: "\"") else { return }
            let state = tag.dropFirst().dropLast().prefix { $0 != UInt8(ascii: "-") }
            states.append(String(decoding: state, as: UTF8.self))
        }
        return states
    }

    /// Calls `body` with each of the field's entity tags, quotes included.
    private func forEachTag(
        _ name: HeaderName, _ body: (Slice<UnsafeRawBufferPointer>) -> Void
    ) {
        exchange.forEachHeader(name) { value in
            for item in value.split(separator: UInt8(ascii: ",")) {
                var item = item
                while item.first == 0x20 || item.first == 0x09 { item = item.dropFirst() }
                while item.last == 0x20 || item.last == 0x09 { item = item.dropLast() }
                body(item)
            }
        }
    }
}
