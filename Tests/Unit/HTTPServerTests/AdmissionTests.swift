// How many connections are accepted, in all and from each address.

import Glibc
import Testing

@testable import HTTPServer

@Suite("Admission")
struct AdmissionTests {
    private static func address(_ text: String) -> ClientAddress {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in
            if text.contains(":") {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                inet_pton(AF_INET6, text, &address.sin6_addr)
                withUnsafeBytes(of: address) { bytes.copyMemory(from: $0) }
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                inet_pton(AF_INET, text, &address.sin_addr)
                withUnsafeBytes(of: address) { bytes.copyMemory(from: $0) }
            }
        }
        return ClientAddress(storage)
    }

    private static func admission(
        _ all: Int, _ each: Int = .max, reserved: Int = 0
    ) -> Admission {
        var limits = ServerLimits()
        limits.connectionsMax = all
        limits.reservedConnections = reserved
        limits.connectionsPerAddressMax = each
        return Admission(limits)
    }

    @Test("An IPv4 address is the same in both of its forms, and no other")
    func equality() {
        let all = ["127.0.0.1", "255.0.1.2", "::1", "2001:db8::7", "fe80::1:2:3:4", "10.0.0.1"]
        #expect(Set(all.map(Self.address)).count == all.count)
        #expect(!all.map(Self.address).contains(.none))
        #expect(Self.address("::ffff:10.0.0.1") == Self.address("10.0.0.1"))
    }

    @Test("An IPv4 address counts alone, one of IPv6 with its network")
    func counted() {
        let one = Self.address("10.0.0.1")
        #expect(one.counted != Self.address("10.0.0.2").counted)
        #expect(one.counted == Self.address("::ffff:10.0.0.1").counted)
        #expect(Self.address("2001:db8::1").counted == Self.address("2001:db8::f:9").counted)
        #expect(Self.address("2001:db8::1").counted != Self.address("2001:db8:0:1::1").counted)
    }

    @Test("When descriptors have run out there are never more connections than then, of any kind")
    func fewDescriptors() {
        let admission = Self.admission(100, reserved: 4)
        let one = Self.address("10.0.0.1")
        for _ in 0..<7 { #expect(admission.enter(one) == .welcome) }
        #expect(admission.enterForHealth() == .health)
        admission.closeAboveCurrent()
        #expect(admission.enter(one) == .closed)
        #expect(admission.enterForHealth() == .closed)
        // Of eight places six are for everything. The others are for health and for refusals.
        for _ in 0..<2 { admission.leave(one, after: .welcome) }
        #expect(admission.enter(one) == .welcome)
        #expect(admission.enter(one) == .reserved)
        #expect(admission.enter(one) == .closed)
        admission.openAll()
        #expect(admission.enter(one) == .welcome)
    }

    @Test("Beyond the limit some are told so, and the rest turned away without a word")
    func total() {
        let admission = Self.admission(2)
        let one = Self.address("10.0.0.1")
        #expect(admission.enter(one) == .welcome)
        #expect(admission.enter(one) == .welcome)
        for _ in 0..<Admission.refusalsMax { #expect(admission.enter(one) == .tooMany) }
        #expect(admission.enter(one) == .closed)
        for _ in 0..<Admission.refusalsMax { admission.leave(one, after: .tooMany) }
        #expect(admission.enter(one) == .tooMany)
        admission.leave(one, after: .tooMany)
        admission.leave(one, after: .welcome)
        #expect(admission.enter(one) == .welcome)
    }

    @Test("One address may hold its share and no more; others, and socket files, do not notice")
    func perAddress() {
        let admission = Self.admission(100, 3)
        let one = Self.address("10.0.0.1")
        let other = Self.address("10.0.0.2")
        for _ in 0..<3 { #expect(admission.enter(one) == .welcome) }
        #expect(admission.enter(one) == .tooManyFromAddress)
        var refused = 1
        while admission.enter(one) == .tooManyFromAddress { refused += 1 }
        #expect(refused < Admission.refusalsMax)
        for _ in 0..<3 { #expect(admission.enter(other) == .welcome) }
        for _ in 0..<50 { #expect(admission.enter(.none) == .welcome) }
        for _ in 0..<refused { admission.leave(one, after: .tooManyFromAddress) }
        admission.leave(one, after: .welcome)
        #expect(admission.enter(one) == .welcome)
    }

    @Test("The reserve is beyond the limit, and one address has a quarter of it")
    func reserved() {
        let admission = Self.admission(2, reserved: 8)
        let one = Self.address("10.0.0.1")
        let other = Self.address("10.0.0.2")
        for _ in 0..<2 { #expect(admission.enter(one) == .welcome) }
        for _ in 0..<2 { #expect(admission.enter(one) == .reserved) }
        #expect(admission.enter(one) == .tooMany)
        for _ in 0..<2 { #expect(admission.enter(other) == .reserved) }
        #expect(admission.enter(other) == .tooMany)
        for _ in 0..<4 { #expect(admission.enter(.none) == .reserved) }
        #expect(admission.enter(.none) == .tooMany)
        admission.leave(one, after: .reserved)
        #expect(admission.enter(one) == .reserved)
        for verdict in [Admission.Verdict.tooMany, .tooMany, .tooMany, .welcome] {
            admission.leave(one, after: verdict)
        }
        #expect(admission.enter(other) == .welcome)
    }
}
