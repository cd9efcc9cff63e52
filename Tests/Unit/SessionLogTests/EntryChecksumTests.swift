// The checksum is part of the stored format, so its values are written down here. They come from a
// second implementation, which agrees with the published values of XXH64.

import SessionLog
import Testing

@Suite("Checksums of entries")
struct EntryChecksumTests {
    /// Payloads of each length around what the algorithm takes at once: 32, 8, 4 and 1 bytes.
    static let vectors: [(payloadBytes: Int, checksum: UInt64)] = [
        (0, 0x2634_6de0_e248_9be9), (1, 0xae62_cd6c_0372_6c3f), (3, 0x3351_a9cb_5540_e8ac),
        (4, 0x9747_2159_c1e8_40cf), (5, 0x7d0a_802a_40b1_3930), (7, 0x466a_256d_bc46_9391),
        (8, 0x936a_1289_2f5c_7877), (9, 0x277d_810c_76ac_99c6), (12, 0xdd89_a2e9_990a_2d4b),
        (15, 0x74ff_5fe3_3561_43bc), (16, 0x06c7_3734_3329_c7fa), (31, 0x9476_55a5_7160_345b),
        (32, 0xe8e9_90ac_5580_94d0), (33, 0x5929_8f23_63cb_320f), (63, 0x3dec_ff4c_1894_5395),
        (64, 0x9fdc_030c_34a8_1652), (100, 0x6b9a_6102_480e_0ede),
        (200, 0xd48b_10e0_d9e2_79dd), (1_000, 0x2aca_19d3_890c_9596),
    ]

    @Test("Each length of payload has the checksum that was written down", arguments: vectors)
    func lengths(payloadBytes: Int, checksum: UInt64) {
        let entry = LogEntry(
            revision: 7, time: 1_700_000_000_000,
            payload: (0..<payloadBytes).map { UInt8(truncatingIfNeeded: $0 * 31 + 1) },
            after: 0x0123_4567_89ab_cdef)
        #expect(entry.checksum == checksum)
        #expect(entry.follows(0x0123_4567_89ab_cdef))
    }

    @Test("The first entry follows 0, and the largest fields have their checksum")
    func ends() {
        #expect(
            LogEntry(revision: 1, time: 0, payload: [], after: 0).checksum
                == 0xf186_e28f_ede3_a371)
        #expect(
            LogEntry(revision: .max, time: .min, kind: .tombstone, payload: [], after: .max)
                .checksum == 0xf3c0_2b16_2e13_8f01)
    }

    @Test("Each field counts, and so does the entry before")
    func fields() {
        func checksum(
            revision: Int64 = 2, time: Int64 = 3, kind: LogEntry.Kind = .commit,
            payload: [UInt8] = [1, 2, 3], after previous: UInt64 = 4
        ) -> UInt64 {
            LogEntry(revision: revision, time: time, kind: kind, payload: payload, after: previous)
                .checksum
        }
        let all = [
            checksum(), checksum(revision: 3), checksum(time: 2), checksum(kind: .tombstone),
            checksum(payload: [1, 2]), checksum(payload: [1, 2, 3, 0]),
            checksum(payload: [1, 3, 2]), checksum(after: 5), checksum(after: 0),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test("An entry follows the checksum it was made with, and no other one")
    func follows() {
        let first = LogEntry(revision: 1, time: 0, payload: [1], after: 0)
        let second = LogEntry(revision: 2, time: 0, payload: [2], after: first.checksum)
        #expect(first.follows(0) && second.follows(first.checksum))
        #expect(!first.follows(1) && !second.follows(0) && !second.follows(second.checksum))
        for bit in 0..<64 { #expect(!second.follows(first.checksum ^ (1 << UInt64(bit)))) }
    }
}
