// The version, the commit and its date, which the build knows.

import CBuild
import JSONCodec

enum Version {
    static let current = "0.1.0"

    /// The commit that `deploy/docker/build.sh` built: 40 hexadecimal digits, and `-dirty` behind them when files had changed since. Empty when it is not known.
    private static let commit = String(cString: traitd_commit())
    /// The time of the commit, `2026-11-28T18:00:00Z`. Empty when it is not known.
    private static let date = String(cString: traitd_date())

    /// `traitd 0.1.0 (dae6874f9a1c, 2026-11-28)`
    static var text: String {
        let dirty = commit.hasSuffix("-dirty") ? "-dirty" : ""
        let known = [commit.prefix(12) + dirty, date.prefix(10)].filter { !$0.isEmpty }
        return "traitd \(current)" + (known.isEmpty ? "" : " (\(known.joined(separator: ", ")))")
    }

    /// What is not known is left out.
    static var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("version", current)
        json.member("commit", ifPresent: commit.isEmpty ? nil : commit)
        json.member("date", ifPresent: date.isEmpty ? nil : date)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
