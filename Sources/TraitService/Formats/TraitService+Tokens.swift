// The values of a node as design tokens, for the tools that turn tokens into code and styles.

import HTTPServer
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TokensText: TextInParts {}

extension TraitService {
    /// `GET …/nodes/{node}/tokens`: a file of design tokens.
    func getNodeTokens(_ request: Request) throws(Problem) {
        let forms: [AnswerForm] = [.tokens, .tokensAsJSON]
        let form = forms[try request.chosenMediaType(forms.map(\.contentType))]
        if try hasManyColors(request) {
            return try readingFromSnapshot(request, .names([]), form) { session, node, _ in
                TokensText(at: node, in: session, isInput: false)
            }
        }
        try readingInParts(request, form) { session throws(SessionError) in
            TokensText(
                at: try session.node(request.context.secondParameter), in: session, isInput: false)
        }
    }

    /// `GET …/nodes/{node}/tokens/input`: the input of a resolver, an object of strings.
    func getNodeTokenInput(_ request: Request) throws(Problem) {
        try readingInParts(request, .tokenInput) { session throws(SessionError) in
            TokensText(
                at: try session.node(request.context.secondParameter), in: session, isInput: true)
        }
    }
}

extension AnswerForm {
    fileprivate static let tokens = AnswerForm(
        contentType: "application/design-tokens+json", tag: "tokens", isNegotiated: true)
    fileprivate static let tokensAsJSON = AnswerForm(
        contentType: "application/json", tag: "tokens-json", isNegotiated: true)
    fileprivate static let tokenInput = AnswerForm(
        contentType: "application/json", tag: "input", isNegotiated: false)
}
