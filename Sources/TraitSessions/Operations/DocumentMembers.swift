// The names that documents have for layers, marks and what registrations asked for: read and written.

import JSONCodec
import TraitEngine
import TraitJSON

/// The members in which a node's values stand.
enum DocumentSection: CaseIterable {
    case overrides, supplied, kept, environment, keptEnvironment

    var member: StaticString {
        switch self {
        case .overrides: "overrides"
        case .supplied: "supplied"
        case .kept: "kept"
        case .environment: "environment"
        case .keptEnvironment: "keptEnvironment"
        }
    }

    /// The member with the revisions that set the values, in the order of the values.
    var revisions: StaticString {
        switch self {
        case .overrides: "overrideRevisions"
        case .supplied: "suppliedRevisions"
        case .kept: "keptRevisions"
        case .environment: "environmentRevisions"
        case .keptEnvironment: "keptEnvironmentRevisions"
        }
    }

    var layer: Layer {
        switch self {
        case .overrides, .environment: .override
        case .supplied: .supplied
        case .kept, .keptEnvironment: .kept
        }
    }

    /// Whether the names are environment keys.
    var isEnvironment: Bool { self == .environment || self == .keptEnvironment }

    func has(_ fact: StoredFact, isHolder: Bool) -> Bool {
        fact.layer == layer && isHolder == isEnvironment
    }
}

/// The marks of a node in a document.
enum DocumentMark: String, CaseIterable {
    case marked, outdated, unseen

    var mark: ShownState.Marks {
        switch self {
        case .marked: .marked
        case .outdated: .outdated
        case .unseen: .unseen
        }
    }
}

extension AskedTraits {
    /// `"asked":{"sets","traits"}` of the open object.
    func write(of definitions: TraitDefinitions, into json: inout JSONWriter) {
        json.beginObject("asked")
        json.member("sets", TraitSetName.allCases.filter(sets.contains).map(\.rawValue))
        json.member("traits", keysOf: others, in: definitions)
        json.endObject()
    }
}

extension ObjectReader {
    /// Checks `format` of a document, which is required.
    ///
    /// - Throws: `unsupportedMode` for the format of a later version.
    package func checkDocumentFormat() throws(SessionError) {
        guard has("format") else { return }
        let format = try requiredInteger("format")
        if (1...SessionHeader.format).contains(format) { return }
        throw SessionError(
            .unsupportedMode,
            "The document has format \(format); this version reads up to \(SessionHeader.format).",
            pointer: "/format")
    }
}
