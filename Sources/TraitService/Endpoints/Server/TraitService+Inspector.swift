// `/ui` and the files below it. A browser lets the page load from and connect to this server alone, and run nothing
// but its modules.

import HTTPServer
import HTTPWire

extension TraitService {
    /// `/ui`: the page, with the mode as the attribute `data-ui` of its root element.
    func showInspector(_ request: Request) throws(Problem) {
        guard let page = inspector.page else { throw Self.inspectorIsOff }
        try show(page, request)
    }

    /// `/ui/{file}`: a module, a style sheet or a picture.
    func showInspectorFile(_ request: Request) throws(Problem) {
        if inspector.mode == .off { throw Self.inspectorIsOff }
        guard let file = inspector.file(request.context.firstParameter) else {
            throw Problem(.unknownRoute, "The inspector at /ui has no such file.")
        }
        try show(file, request)
    }

    private func show(_ file: Inspector.File, _ request: Request) throws(Problem) {
        _ = try request.chosenMediaType([file.mediaType])
        let context = request.context
        context.contentType = file.contentType
        context.field("Content-Security-Policy", Self.inspectorPolicy)
        context.field("Referrer-Policy", "no-referrer")
        context.field("Cross-Origin-Opener-Policy", "same-origin")
        context.field("Cross-Origin-Resource-Policy", "same-origin")
        context.field("Cache-Control", "no-cache")
        file.bytes.withUnsafeBytes { context.body.verbatim($0) }
        request.finishReading(tagOf: version, Int(file.fingerprint))
    }

    private static let inspectorPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'"

    private static var inspectorIsOff: Problem {
        Problem(.unknownRoute, "The inspector is off: this server was started with --ui off.")
    }
}
