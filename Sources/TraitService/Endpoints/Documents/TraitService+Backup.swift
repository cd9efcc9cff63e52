// `GET /v1/backup`: all sessions, each at one acknowledged revision, as lines of JSON.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    func backUp(_ request: Request) throws(Problem) {
        _ = try request.chosenMediaType(["application/x-ndjson"])
        request.context.field("Cache-Control", "no-store")
        let writer = BackupWriter(store)
        try request.stream(
            "application/x-ndjson",
            BodyProducer { out, budget in
                var bytes = 0
                while bytes < budget {
                    do throws(SessionError) {
                        let isMore = try writer.write { part in
                            bytes += part.count
                            out.append(part)
                        }
                        if !isMore { return .last }
                    } catch {
                        // The answer has begun, and cannot say why it ends.
                        return .broken
                    }
                }
                return .more
            })
    }
}
