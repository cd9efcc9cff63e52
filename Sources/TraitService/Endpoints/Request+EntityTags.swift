// Entity tags: what a representation is known by, and the conditions that name them.

import HTTPServer
import HTTPWire
import TraitSessions

extension Request {
    /// Gives the answer `Traitd-Revision` and `ETag`, and makes it 304 when the client has it.
    @inline(__always)
    func finishReading(_ session: Session) {
        finishReading(uid: session.uid, revision: session.head)
    }

    /// The same for what was read from the session at that revision.
    ///
    /// - Parameters:
    ///   - form: tells apart what one target answers in several media types.
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

    /// `ETag: "uid.revision"`: the state that a write has led to, for the next `If-Match`. It names the
    /// state alone, not the answer that carries it, so no coding shows in it.
    func stateTag(uid: String, revision: Int64) {
        let fields = context.fields
        fields.append(entityTagOf: uid, Int(revision))
        fields.append("\"\r\n")
    }

    /// Whether `If-None-Match` lists this tag, or `*`. The comparison is weak (RFC 9110, section
    /// 13.1.2), and the coding counts: a client that does not accept gzip cannot use the bytes that
    /// it knows by the tag of the gzip coding.
    private func knows(_ tag: UnsafeRawBufferPointer) -> Bool {
        var isKnown = false
        forEachTag(.ifNoneMatch) { item in
            let opaque = item.starts(with: "W/".utf8) ? item.dropFirst(2) : item
            if item.elementsEqual("*".utf8) || opaque.elementsEqual(tag) { isKnown = true }
        }
        return isKnown
    }

    /// What the representation depends on beside the revision: the query, as a hash.
    private var variant: UInt32? {
        guard let query = exchange.query, !query.isEmpty else { return nil }
        return Fingerprint.of(query)
    }

    /// `If-Match` of a write: `uid.revision` of each tag, whatever the representation it came from;
    /// nil without the field.
    var ifMatch: [String]? {
        guard exchange.header(.ifMatch) != nil else { return nil }
        var states: [String] = []
        forEachTag(.ifMatch) { tag in
            if tag.elementsEqual("*".utf8) { return states.append("*") }
            // The comparison is strong (RFC 9110, section 13.1.1): a weak tag is nobody's state. The mark
            // stays, so that the refusal can tell why.
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
