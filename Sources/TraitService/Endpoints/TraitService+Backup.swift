// `GET /v1/backup`: all sessions, each at one acknowledged revision, as lines of JSON.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitSessions

extension TraitService {
    func backUp(_ request: Request) throws(Problem) {
        _ = try request.chosenMediaType(["application/x-ndjson"])
        request.context.field("Cache-Control", "no-store")
        try request.stream("application/x-ndjson", BackupProducer(BackupWriter(store)))
    }
}

/// Writes the backup on the workers, part after part.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
private final class BackupProducer: BodyProducer, @unchecked Sendable {
    private let writer: BackupWriter
    private(set) var isBroken = false

    init(_ writer: BackupWriter) { self.writer = writer }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        var bytes = 0
        while bytes < budget {
            do throws(SessionError) {
                let isMore = try writer.write { part in
                    bytes += part.count
                    out.append(part)
                }
                if !isMore { return true }
            } catch {
                // The answer has begun, and cannot say why it ends.
                isBroken = true
                return true
            }
        }
        return false
    }
}
