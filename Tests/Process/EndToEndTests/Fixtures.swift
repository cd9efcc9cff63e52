// Where the end-to-end tests get their server and their sessions from.

import TestSupport

/// The binary that tests share as long as they keep to sessions of their own.
func sharedServer() throws -> TraitdProcess {
    try TraitdProcess.shared.get()
}

/// A new session with the sample hierarchy on the shared server.
func sampleSession(_ label: String, cells: Int = 1) throws -> SessionClient {
    try .sample(label, cells: cells, on: sharedServer().url)
}

/// The revisions after one and up to another; none when there are none.
func revisions(after start: Int64?, through end: Int64?) -> [Int64] {
    guard let start, let end, start < end else { return [] }
    return Array((start + 1)...end)
}

extension StreamRecord {
    /// Whether the record closes this revision.
    func closes(_ revision: Int64?) -> Bool {
        self.revision == revision && json["last"] == true
    }
}

extension EventStream {
    /// The records up to the one that closes `revision`.
    func collect(throughRevision revision: Int64?) throws -> [StreamRecord] {
        try collect { $0.closes(revision) }
    }
}
