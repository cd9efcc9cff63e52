// The page at `/ui`, which shows sessions in a browser. Its files are those of `ui/`, embedded in the binary.

import COpenAPI
import SessionViews
import TraitJSON
import TraitSessions

/// The values of `--ui`.
package enum InspectorMode: String, CaseIterable, Sendable {
    case on
    /// The page offers nothing that writes. What clients may do stays the same.
    case readonly
    /// `/ui` is 404.
    case off
}

/// The files of the page. Immutable; made once for each service.
struct Inspector: Sendable {
    struct File: Sendable {
        let name: String
        /// With and without the charset.
        let contentType: StaticString, mediaType: StaticString
        let bytes: [UInt8]
        /// A hash of the bytes, for the entity tag.
        let fingerprint: UInt32
    }

    let mode: InspectorMode
    let page: File?
    private let files: [File]

    /// O(bytes of the files).
    init(_ mode: InspectorMode) {
        self.mode = mode
        var files: [File] = []
        var page: File?
        for index in 0..<(mode == .off ? 0 : traitd_ui_file_count()) {
            let name = String(cString: traitd_ui_file_name(index))
            let bytes = UnsafeRawBufferPointer(
                start: traitd_ui_file_bytes(index), count: traitd_ui_file_byte_count(index))
            if name == "index.html" {
                page = File(name, Self.page(bytes, mode))
            } else {
                files.append(File(name, Array(bytes)))
            }
        }
        self.files = files
        self.page = page
    }

    /// O(files).
    func file(_ name: UnsafeRawBufferPointer) -> File? {
        files.first { $0.name.utf8.elementsEqual(name) }
    }

    /// The page with the mode in the place that it has for it: `<html data-ui="on">`.
    private static func page(
        _ bytes: UnsafeRawBufferPointer, _ mode: InspectorMode
    ) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(
            separator: "data-ui=\"on\"", maxSplits: 1, omittingEmptySubsequences: false)
        return Array(parts.joined(separator: "data-ui=\"\(mode.rawValue)\"").utf8)
    }
}

extension Inspector.File {
    fileprivate init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        // `.ci/ui` refuses other endings.
        (contentType, mediaType) =
            switch name.split(separator: ".").last {
            case "html": ("text/html; charset=utf-8", "text/html")
            case "js": ("text/javascript; charset=utf-8", "text/javascript")
            case "css": ("text/css; charset=utf-8", "text/css")
            default: ("image/svg+xml", "image/svg+xml")
            }
        self.bytes = bytes
        fingerprint = bytes.withUnsafeBytes { Fingerprint.of($0) }
    }
}
