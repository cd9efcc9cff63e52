// The database's size, its quota and the alarm, and what members say of themselves.

import JSONCodec

package struct EtcdModelSpace {
    /// The most bytes of the database's file.
    package var quota: Int64 = 2_147_483_648
    /// Of a thousand changes that take the last room, how many are carried out and refused all the same. In etcd those
    /// are that have passed the first check when another one takes the room.
    package var carriedOutPerMille: UInt64 = 0
    package internal(set) var hasAlarm = false
    /// Bytes of the file, which only a defragmentation makes smaller.
    package private(set) var fileBytes = Self.emptyBytes
    /// Bytes in use, as the last change found them: etcd counts what a compaction has set free only then.
    package private(set) var usedBytes = Self.emptyBytes
    /// Whether the change under way takes room that is not there.
    fileprivate var isOverdrawn = false

    private static let emptyBytes: Int64 = 24_576

    package init() {}

    mutating func note(_ bytes: Int64) {
        usedBytes = Self.emptyBytes + bytes
        fileBytes = max(fileBytes, usedBytes)
    }

    mutating func defragment(_ bytes: Int64) {
        note(bytes)
        fileBytes = usedBytes
    }

    /// Lets the file have a size, as the keys of others in the same etcd would.
    package mutating func fill(to bytes: Int64) { fileBytes = max(fileBytes, bytes) }
}

struct EtcdAlarmRequest {
    enum Action: Int { case get, activate, deactivate }

    let action: Action
    let member: UInt64
    let isNoSpace: Bool

    init(_ json: JSONValue) throws(EtcdRefusal) {
        action =
            Action(
                rawValue: try json.etcdCase(
                    "action", "etcdserverpb.AlarmRequest_AlarmAction",
                    ["GET", "ACTIVATE", "DEACTIVATE"])) ?? .get
        member = json.member("memberID")?.string.flatMap { UInt64($0.string) } ?? 0
        isNoSpace =
            try json.etcdCase(
                "alarm", "etcdserverpb.AlarmType", ["NONE", "NOSPACE", "CORRUPT"]) == 1
    }
}

extension EtcdModel {
    // MARK: - Room

    /// Refuses a change for which there is no room, and raises the alarm.
    func checkRoom(for cost: Int64) throws(EtcdRefusal) {
        space.isOverdrawn = false
        guard cost > 0, space.fileBytes + cost >= space.quota else { return }
        if !space.hasAlarm, random.happens(perMille: space.carriedOutPerMille) {
            space.isOverdrawn = true
            return
        }
        space.hasAlarm = true
        throw .noSpace
    }

    /// Refuses a change that was carried out.
    func checkRoomAfter() throws(EtcdRefusal) {
        guard space.isOverdrawn else { return }
        space.isOverdrawn = false
        space.hasAlarm = true
        throw .noSpace
    }

    func defragment() -> [UInt8] {
        space.defragment(store.bytes)
        return Array("{}".utf8)
    }

    /// Gets or ends the alarm, which is of the first member.
    func alarm(
        _ request: EtcdAlarmRequest, _ caller: EtcdCaller
    ) throws(EtcdRefusal) -> [UInt8] {
        do throws(EtcdRefusal) {
            try permit(caller, evenWithoutToken: true) { _ in true }
        } catch {
            // etcd passes its own error on instead of gRPC's.
            throw EtcdRefusal(2, "auth: invalid auth token")
        }
        var isNamed = space.hasAlarm
        switch request.action {
        case .get: break
        case .activate: isNamed = false
        case .deactivate:
            isNamed = isNamed && request.isNoSpace && request.member == memberIDs[0]
            if isNamed { space.hasAlarm = false }
        }
        return JSONWriter.text { json in
            json.beginObject()
            if isNamed {
                json.beginArray("alarms")
                json.beginObject()
                json.member("memberID", String(memberIDs[0]))
                json.member("alarm", "NOSPACE")
                json.endObject()
                json.endArray()
            }
            json.endObject()
        }
    }

    // MARK: - Members

    func status(_ caller: EtcdCaller) -> [UInt8] {
        caller.answer { json in
            json.member("version", Self.version)
            json.etcd("dbSize", space.fileBytes)
            if let leader { json.member("leader", String(memberIDs[leader])) }
            json.etcd("raftIndex", raftIndex)
            json.etcd("raftTerm", term)
            json.etcd("raftAppliedIndex", raftIndex)
            if leader == nil || space.hasAlarm {
                json.beginArray("errors")
                if leader == nil { json.value("etcdserver: no leader") }
                if space.hasAlarm { json.value("memberID:\(memberIDs[0]) alarm:NOSPACE ") }
                json.endArray()
            }
            json.etcd("dbSizeInUse", space.usedBytes)
        }
    }

    /// The members by their numbers. Where they are is the network's affair.
    func members(_ caller: EtcdCaller) -> [UInt8] {
        JSONWriter.text { json in
            json.beginObject()
            json.etcdHeader(self, caller.member, 0)
            json.beginArray("members")
            for (place, id) in memberIDs.enumerated() {
                json.beginObject()
                json.member("ID", String(id))
                json.member("name", "m\(place)")
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    /// The pages beside the gateway.
    func page(_ path: String) -> EtcdModelAnswer? {
        switch path {
        case "/version":
            Self.plain(200, #"{"etcdserver":"\#(Self.version)","etcdcluster":"3.4.0"}"#)
        case "/health":
            leader == nil || space.hasAlarm
                ? Self.plain(503, #"{"health":"false"}"#) : Self.plain(200, #"{"health":"true"}"#)
        case "/metrics":
            Self.plain(
                200,
                """
                # HELP etcd_server_quota_backend_bytes Current backend storage quota size in bytes.
                # TYPE etcd_server_quota_backend_bytes gauge
                etcd_server_quota_backend_bytes \(Self.metric(space.quota))

                """)
        default: nil
        }
    }

    /// As Go writes a floating-point number: with an exponent from a million and one digits on.
    private static func metric(_ number: Int64) -> String {
        let digits = String(number)
        guard digits.utf8.count > 21 || number >= 1_000_000 else { return digits }
        let exponent = digits.utf8.count - 1
        var fraction = Substring(digits.dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        let point = fraction.isEmpty ? "" : "."
        return "\(digits.prefix(1))\(point)\(fraction)e+\(exponent < 10 ? "0" : "")\(exponent)"
    }
}
