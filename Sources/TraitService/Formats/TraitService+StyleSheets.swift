// The values of nodes as style sheets, which a page takes with `<link>` alone.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension StyleSheetText: TextInParts {}

extension TraitService {
    /// `GET …/nodes/{node}/traits` as `text/css`.
    func getStyleSheet(_ request: Request) throws(Problem) {
        let options = try request.styleOptions()
        let names = try request.listedTraits()
        let form = try styleSheetForm(request)
        var isLong = options.hasSubtree
        if !isLong, options.hasColors { isLong = try hasManyColors(request) }
        if isLong {
            return try readingFromSnapshot(request, names, form) {
                session, node, traits throws(SessionError) in
                try StyleSheetText(traits, at: node, options, in: session)
            }
        }
        try readingInParts(request, form) { session throws(SessionError) in
            let node = try session.node(request.context.secondParameter)
            return try StyleSheetText(
                try session.traits(names), at: node, options, in: session)
        }
    }

    /// The form of a style sheet for the page that asks for it. A page may load a style sheet from everywhere and read
    /// its custom properties, so a page of another origin would get the values that CORS keeps from it as JSON. One
    /// of an allowed origin gets the sheet with `<link crossorigin>`, which sends `Origin`.
    ///
    /// - Throws: `crossOrigin`.
    private func styleSheetForm(_ request: Request) throws(Problem) -> AnswerForm {
        let exchange = request.exchange
        if !exchange.isRepeated(.origin), let origin = exchange.header(.origin),
            access.allows(origin)
        {
            return .sharedStyleSheet
        }
        let site = exchange.header(.secFetchSite)
        let isForeign =
            exchange.isRepeated(.secFetchSite)
            || site.map {
                $0.elementsEqual("cross-site".utf8) || $0.elementsEqual("same-site".utf8)
            } ?? false
        if isForeign {
            throw Problem(
                .crossOrigin,
                "A page of another origin asks for a style sheet, from which it could read the values. Start traitd with --allow-origin and the page's origin, and load the sheet with <link crossorigin>."
            )
        }
        return .styleSheet
    }
}
