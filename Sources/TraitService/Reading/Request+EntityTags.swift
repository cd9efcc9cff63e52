// Entity tags of representations, and the conditions of requests that name them.

import HTTPServer
import HTTPWire
import SessionViews
import TraitJSON
import TraitSessions

extension Request {
    /// Adds `Traitd-Revision` and `ETag`. Makes the answer to GET and HEAD 304 when `If-None-Match` has
    /// the tag.
    @inline(__always)
    func finishReading(_ session: SessionState) {
        finishReading(uid: session.uid, revision: session.head)
    }

    /// Adds these fields, or makes the answer 304, for an answer that was read from a session at `revision`.
    ///
    /// - Parameters:
    ///   - kind: what the tag has behind the revision where one target has several forms.
    ///   - form: the suffix of the tag where one target has several media types.
    ///   - bodyBytes: the size of a body that is not in the context.
    func finishReading(
        uid: String, revision: Int64, kind: StaticString = "", form: StaticString = "",
        bodyBytes: Int? = nil
    ) {
        context.field("Traitd-Revision", revision)
        finishReading(
            tagOf: uid, Int(revision), kind: kind, form: form, bodyBytes: bodyBytes)
    }

    /// Adds an `ETag` of a name and a number, or makes the answer 304. O(bytes of `If-None-Match`).
    func finishReading(
        tagOf name: String, _ number: Int, kind: StaticString = "", form: StaticString = "",
        bodyBytes: Int? = nil
    ) {
        let fields = context.fields
        let start = fields.count &+ 6
        fields.append(entityTagOf: name, number)
        if kind.utf8CodeUnitCount > 0 {
            fields.append(byte: UInt8(ascii: "-"))
            fields.append(kind)
        }
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
        guard exchange.header(.ifNoneMatch) != nil,
            exchange.method == .get || exchange.method == .head
        else { return }
        if knows(UnsafeRawBufferPointer(rebasing: fields.bytes[start..<end])) {
            context.body.reset()
            context.status = 304
            context.contentType = nil
        }
    }

    /// The size of the body as the server gets it.
    @inline(__always)
    func sentBytes(_ bodyBytes: Int?) -> Int {
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
    func knows(_ tag: UnsafeRawBufferPointer) -> Bool {
        var isKnown = false
        // The tag has its quotes.
        let opaque = tag.dropFirst().dropLast()
        let isAny = forEachTag(.ifNoneMatch) { listed, _ in
            if listed.elementsEqual(opaque) { isKnown = true }
        }
        return isKnown || isAny
    }

    /// A hash of the query, on which the representation depends beside the revision.
    private var variant: UInt32? {
        guard let query = exchange.query, !query.isEmpty else { return nil }
        return Fingerprint.of(query)
    }

    /// The states that `If-Match` lists, without the suffixes of representations; nil without the field. The
    /// comparison is strong (RFC 9110, section 13.1.1), so a weak tag matches no state.
    var ifMatch: ListedStates? {
        guard exchange.header(.ifMatch) != nil else { return nil }
        var states: [String] = []
        var hasWeak = false
        let isAny = forEachTag(.ifMatch) { tag, isWeak in
            if isWeak { hasWeak = true } else { states.append(Self.state(tag)) }
        }
        // Beside tags a `*` is an error of the client, which must not write by it.
        return ListedStates(
            states, isAny: isAny && states.isEmpty && !hasWeak, hasWeak: hasWeak)
    }

    /// The states that `If-None-Match` lists; nil without the field. The comparison is weak.
    var ifNoneMatch: ListedStates? {
        guard exchange.header(.ifNoneMatch) != nil else { return nil }
        var states: [String] = []
        let isAny = forEachTag(.ifNoneMatch) { tag, _ in states.append(Self.state(tag)) }
        return ListedStates(states, isAny: isAny)
    }

    /// `uid.revision` in the text between the quotes of a tag.
    private static func state(_ tag: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: tag.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    }

    /// Calls `body` for each entity tag of the field, with the text between its quotes and whether the tag is weak.
    /// Items that are no tags are skipped. Returns whether the field has a `*` outside of tags.
    private func forEachTag(
        _ name: HeaderName, _ body: (Slice<UnsafeRawBufferPointer>, _ isWeak: Bool) -> Void
    ) -> Bool {
        var isAny = false
        exchange.forEachHeader(name) { value in
            var rest = value[...]
            while true {
                rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
                if rest.isEmpty { return }
                let isWeak = rest.starts(with: "W/".utf8)
                if isWeak { rest = rest.dropFirst(2) }
                guard rest.first == UInt8(ascii: "\"") else {
                    var item = rest.prefix { $0 != UInt8(ascii: ",") }
                    rest = rest.dropFirst(item.count)
                    while item.last == 0x20 || item.last == 0x09 { item = item.dropLast() }
                    if item.elementsEqual("*".utf8) { isAny = true }
                    continue
                }
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return }
                body(rest[..<end], isWeak)
                rest = rest[(end + 1)...]
            }
        }
        return isAny
    }
}
