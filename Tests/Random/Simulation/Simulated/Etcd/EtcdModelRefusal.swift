// What etcd refuses, by gRPC's codes. The gateway turns a code into a status of HTTP.

import JSONCodec

struct EtcdRefusal: Error {
    let code: Int
    let message: String

    init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    static let emptyKey = EtcdRefusal(3, "etcdserver: key is not provided")
    static let keyNotFound = EtcdRefusal(3, "etcdserver: key not found")
    static let valueProvided = EtcdRefusal(3, "etcdserver: value is provided")
    static let leaseProvided = EtcdRefusal(3, "etcdserver: lease is provided")
    static let tooManyOperations = EtcdRefusal(
        3, "etcdserver: too many operations in txn request")
    static let duplicateKey = EtcdRefusal(3, "etcdserver: duplicate key given in txn request")
    static let requestTooLarge = EtcdRefusal(3, "etcdserver: request is too large")
    static let compacted = EtcdRefusal(
        11, "etcdserver: mvcc: required revision has been compacted")
    static let futureRevision = EtcdRefusal(
        11, "etcdserver: mvcc: required revision is a future revision")
    static let noSpace = EtcdRefusal(8, "etcdserver: mvcc: database space exceeded")
    static let noLeader = EtcdRefusal(14, "etcdserver: no leader")
    static let leaseNotFound = EtcdRefusal(5, "etcdserver: requested lease not found")
    static let leaseExists = EtcdRefusal(9, "etcdserver: lease already exists")
    static let leaseTooLarge = EtcdRefusal(11, "etcdserver: too large lease TTL")

    var status: Int {
        switch code {
        case 3, 11: 400
        case 16: 401
        case 7: 403
        case 5: 404
        case 6, 10: 409
        case 9: 412
        case 8: 429
        case 12: 501
        case 14: 503
        case 4: 504
        default: 500
        }
    }

    /// gRPC's name of the code, as far as refusals of watches have it.
    var name: String {
        switch code {
        case 3: "InvalidArgument"
        case 7: "PermissionDenied"
        case 16: "Unauthenticated"
        default: "Unknown"
        }
    }

    var answer: EtcdModelAnswer {
        let body = JSONWriter.text { json in
            json.beginObject()
            json.member("error", message)
            json.member("message", message)
            json.member("code", code)
            json.endObject()
        }
        return EtcdModelAnswer(status: status, body: body)
    }
}

/// An answer of the gateway.
package struct EtcdModelAnswer {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
