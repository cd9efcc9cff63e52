// Finding fields again after a head was parsed.

import Testing

@testable import HTTPWire

@Suite("Fields of a request")
struct RequestFieldTests {
    @Test("are found by every name that is known, in any case")
    func everyName() {
        for name in HeaderName.allCases {
            let text = String(decoding: nameBytes(name), as: UTF8.self)
            for spelling in [text, text.lowercased(), text.uppercased()] {
                let host = name == .host ? "" : "Host: h\r\n"
                let version = name == .transferEncoding ? "chunked" : "100"
                let value = name == .expect ? "100-continue" : version
                let request = "GET / HTTP/1.1\r\n\(host)\(spelling): \(value)\r\n\r\n"
                let found = RequestHead.withParsed(request) { head, bytes in
                    head.first(name).map { String(decoding: $0.slice(of: bytes), as: UTF8.self) }
                }
                #expect(found == .some(value), "\(spelling)")
            }
        }
    }

    @Test("are not mistaken for those with one character more, less or other")
    func neighbours() {
        for name in HeaderName.allCases where name != .host {
            var spellings = [nameBytes(name) + [0x78], Array(nameBytes(name).dropLast())]
            for index in nameBytes(name).indices {
                var other = nameBytes(name)
                other[index] = other[index] == 0x7A ? 0x79 : 0x7A
                spellings.append(other)
            }
            for spelling in spellings where spelling != nameBytes(name) {
                let text = String(decoding: spelling, as: UTF8.self)
                let request = "GET / HTTP/1.1\r\nHost: h\r\n\(text): 1\r\n\r\n"
                let found = RequestHead.withParsed(request) { head, _ in head.first(name) != nil }
                #expect(found == false, "\(text)")
            }
        }
    }

    @Test("have names that hash without collisions, within the room there is")
    func tableIsGood() {
        #expect(WireTables.shared.names.collisions == 0)
        #expect(HeaderName.allCases.count <= 32)
        #expect(HeaderName.allCases.allSatisfy { $0.index == Int($0.rawValue) })
        #expect(HeaderName.allCases.allSatisfy { nameBytes($0).count <= 32 })
    }

    @Test("are all there when they are repeated, in their order")
    func repeated() {
        let request =
            "GET / HTTP/1.1\r\nAccept: a\r\nHost: h\r\nX: y\r\naccept:  b \r\nACCEPT:\r\n\r\n"
        let found = RequestHead.withParsed(request) { head, bytes in
            var values: [String] = []
            head.forEach(.accept, in: bytes) { values.append(String(decoding: $0, as: UTF8.self)) }
            head.forEach(.prefer, in: bytes) { _ in values.append("none") }
            head.forEach(.host, in: bytes) { values.append(String(decoding: $0, as: UTF8.self)) }
            return values
        }
        #expect(found == ["a", "b", "", "h"])
    }

    @Test("are not read outside the buffer they are asked of")
    func ranges() {
        let bytes: [UInt8] = [1, 2, 3]
        bytes.withUnsafeBytes { view in
            #expect(Array(ByteRange(1, 3).slice(of: view)) == [2, 3])
            #expect(ByteRange(1, 4).slice(of: view).isEmpty)
            #expect(ByteRange(start: -1, count: 2).slice(of: view).isEmpty)
            #expect(ByteRange(start: 1, count: -1).slice(of: view).isEmpty)
            #expect(ByteRange(start: .max, count: .max).slice(of: view).isEmpty)
        }
    }

    private func nameBytes(_ name: HeaderName) -> [UInt8] {
        Array(UnsafeBufferPointer(start: name.name.utf8Start, count: name.name.utf8CodeUnitCount))
    }
}
