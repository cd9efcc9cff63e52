// Every limit of the wire format in one place: each has a name, its unit last.

/// What one request may cost before its meaning is even looked at.
///
/// A request over a limit is refused with an error that states the limit's name and value.
package struct WireLimits: Hashable, Sendable {
    /// Method, target and version, without the line end. Over it: 414.
    package var requestLineBytesMax = 8_192
    /// All field lines with their line ends, and the empty line after them. Over it: 431.
    package var headerBytesMax = 16_384
    /// Field lines of one request. Over it: 431.
    package var headerCountMax = 100
    /// A body as its sender framed it: `Content-Length`, or the sum of the chunks. Over it: 413.
    package var bodyBytesMax = 16_777_216
    /// What the body may become once its content coding is undone. Over it: 413.
    package var decodedBodyBytesMax = 16_777_216
    /// One chunk-size line, extensions included, without the line end.
    package var chunkLineBytesMax = 256
    /// The chunk extensions of one body taken together; nobody needs them, so they stay few.
    package var chunkExtensionBytesMax = 4_096
    /// The trailer section with its line ends, and the empty line after it. Over it: 431.
    package var trailerBytesMax = 8_192

    package init() {}
}
