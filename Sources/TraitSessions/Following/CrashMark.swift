// Which entries of a shared log are being applied, in memory that survives a crash: a mapped file. An entry whose
// application ends the process would end every process of the log, and each one again after its restart. The mark
// names it at the next start, and after the second crash the entry is refused.
//
// The memory is 64 slots of eight words, so that threads share no cache line:
//
//     slot 0         16 bytes of title, whether a process uses the memory, 40 bytes of the program's version
//     slots 1...8    what threads apply at this moment
//     slots 9...63   what was being applied at earlier crashes, with their number
//
// A slot has its kind, the length of the uid and the crashes in one word (0 for a free slot), the revision in the
// second one, and the uid in the next five. Words have the byte order of the machine.

import SessionLog
import Synchronization

/// Written with plain stores and without system calls. May be used by any thread.
package final class CrashMark: Sendable {
    /// A page, which a mapping takes in any case.
    package static let byteCount = slotCount * slotWords * 8
    /// Crashes at one place from which on it is refused. A single one may be a kill or a loss of power.
    package static let crashesMax = 2

    private static let slotCount = 64
    private static let slotWords = 8
    static let lanes = 1...8
    static let records = 9...63
    private static let textBytesMax = 40

    /// A place at which a process can crash: the applying of an entry, or the restoring of a snapshot.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        package enum Part: UInt64, Sendable {
            case entry = 1
            case snapshot
        }

        package let part: Part
        package let uid: String
        /// The revision of the entry or of the snapshot.
        package let revision: Int64

        package var description: String { "\(part) \(revision) of session \(uid)" }
    }

    package struct Record: Sendable, CustomStringConvertible {
        package let place: Place
        /// Crashes while this was being applied; 0 for what is being applied now.
        package var crashes: Int

        package var isRefused: Bool { crashes >= CrashMark.crashesMax }
        package var description: String { "\(place), crashes: \(crashes)" }
    }

    /// The content of the memory when it was opened.
    package struct Found: Sendable {
        /// The version of the program that used the memory last; nil for new memory.
        package var version: String?
        /// Places with crashes, in no order; empty if another version of the program had them.
        package var records: [Record] = []
        /// How many further ones there is no room for.
        package var dropped = 0
    }

    /// Why memory is no mark.
    package struct Foreign: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State {
        /// The places with crashes.
        var records: [Place: (slot: Int, crashes: Int)] = [:]
        /// The sessions with a place that has not been applied since its only crash.
        var suspects: Set<String> = []
    }

    nonisolated(unsafe) private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let state = Mutex(State())
    /// Whether there are places with crashes.
    private let hasRecords: Atomic<Bool>
    private let hasSuspectsNow: Atomic<Bool>
    /// A bit for each lane that is in use.
    private let busy = Atomic<UInt64>(0)
    package let found: Found

    // MARK: - Opening

    /// Counts what the last process was applying when it ended without `end`, and forgets what another version of the
    /// program could not apply.
    ///
    /// - Parameters:
    ///   - memory: `byteCount` bytes at a multiple of eight, all zero or those of an earlier mark, which stay as
    ///     long as the mark. A slot without a valid content counts as free.
    ///   - version: that of this program, at most 40 bytes.
    /// - Throws: that the memory belongs to something else. The memory is then unchanged.
    package init(
        _ memory: UnsafeMutableRawBufferPointer, version: String
    ) throws(Foreign) {
        guard memory.count == Self.byteCount, let base = memory.baseAddress else {
            throw Foreign(
                description: "it has \(memory.count) bytes, and a crash mark has \(Self.byteCount)")
        }
        words = base.bindMemory(
            to: Atomic<UInt64>.self, capacity: Self.slotCount * Self.slotWords)
        let before = UnsafeRawBufferPointer(memory)
        var found = Found()
        if before.contains(where: { $0 != 0 }) {
            guard Self.text(at: before[0..<16]) == Self.title else {
                throw Foreign(description: "its content is another program's")
            }
            found.version = Self.text(at: before[24..<64]) ?? ""
        }
        if found.version == version {
            found.records = Self.crashed(before)
        }
        found.dropped = max(0, found.records.count - Self.records.count)
        found.records = Array(found.records.prefix(Self.records.count))
        self.found = found
        hasRecords = Atomic(!found.records.isEmpty)
        let suspects = Set(found.records.lazy.filter { !$0.isRefused }.map(\.place.uid))
        hasSuspectsNow = Atomic(!suspects.isEmpty)
        // A crash from here on to the end of this function loses the count of the last one.
        store(0, at: 2)
        for index in 3..<Self.slotCount * Self.slotWords { store(0, at: index) }
        write(Self.title, at: 0)
        write(version, at: 3)
        var state = State()
        for (slot, record) in zip(Self.records, found.records) {
            write(record, in: slot)
            state.records[record.place] = (slot, record.crashes)
        }
        state.suspects = suspects
        let opened = state
        self.state.withLock { $0 = opened }
        store(1, at: 2)
    }

    /// The process ends in order: what it is applying now does not count as a crash.
    package func end() { store(0, at: 2) }

    /// The places that the last process had counted, and those it was applying, the most crashes first.
    private static func crashed(_ memory: UnsafeRawBufferPointer) -> [Record] {
        var crashes: [Place: Int] = [:]
        for record in records.compactMap({ record(in: $0, of: memory) }) {
            crashes[record.place, default: 0] += record.crashes
        }
        for place in underApplication(memory) { crashes[place, default: 0] += 1 }
        return crashes.map { Record(place: $0, crashes: min($1, 1_000_000)) }
            .sorted { $0.crashes > $1.crashes }
    }

    /// The places that a process is applying, or was applying when it ended without `end`.
    static func underApplication(_ memory: UnsafeRawBufferPointer) -> Set<Place> {
        guard memory.loadUnaligned(fromByteOffset: 16, as: UInt64.self) != 0 else { return [] }
        return Set(lanes.compactMap { record(in: $0, of: memory)?.place })
    }

    // MARK: - Applying

    /// Names a place while `body` applies it.
    ///
    /// - Parameter name: that of the session, for the error.
    /// - Throws: `refused` for a place that has ended the process too often; else what `body` throws.
    static func naming<R>(
        _ part: Place.Part, _ revision: Int64, of uid: String, _ name: String,
        in mark: CrashMark?, _ body: () throws(ReplayError) -> R
    ) throws(ReplayError) -> R {
        guard let mark else { return try body() }
        try mark.check(part, revision, of: uid, name)
        let lane = mark.takeLane()
        if let lane {
            mark.write(
                Record(place: Place(part: part, uid: uid, revision: revision), crashes: 0),
                in: lane)
        }
        defer { if let lane { mark.free(lane) } }
        let result = try body()
        mark.hasPassed(revision, of: uid)
        return result
    }

    /// Whether a session has a place that was being applied at a crash, and has not been since. Then one thread alone
    /// loads sessions, so that a second crash names one place.
    var hasSuspects: Bool { hasSuspectsNow.load(ordering: .relaxed) }

    /// The sessions in the order in which they are loaded.
    func suspectsFirst(_ sessions: [LogSession]) -> [LogSession] {
        guard hasSuspects else { return sessions }
        let suspects = state.withLock(\.suspects)
        return sessions.filter { suspects.contains($0.uid) }
            + sessions.filter { !suspects.contains($0.uid) }
    }

    /// A session was brought up as far as it goes.
    func wasTried(_ uid: String) { if hasSuspects { changeSuspects { $0.remove(uid) } } }

    /// Forgets sessions that the log does not have any more.
    func keepOnly(_ uids: @autoclosure () -> Set<String>) {
        guard hasRecords.load(ordering: .relaxed) else { return }
        let uids = uids()
        forget { !uids.contains($0.uid) }
        changeSuspects { $0.formIntersection(uids) }
    }

    private func changeSuspects(_ body: (inout Set<String>) -> Void) {
        state.withLock { state in
            body(&state.suspects)
            hasSuspectsNow.store(!state.suspects.isEmpty, ordering: .relaxed)
        }
    }

    private func check(
        _ part: Place.Part, _ revision: Int64, of uid: String, _ name: String
    ) throws(ReplayError) {
        guard hasRecords.load(ordering: .relaxed) else { return }
        let place = Place(part: part, uid: uid, revision: revision)
        let crashes = state.withLock { $0.records[place]?.crashes ?? 0 }
        if crashes < Self.crashesMax { return }
        throw ReplayError(
            session: name, revision: revision,
            reason:
                "this server has ended \(crashes) times while it applied \(part) \(revision), and does not apply it again",
            cause: .refused)
    }

    /// A session is at a revision, so nothing up to there ends the process.
    private func hasPassed(_ revision: Int64, of uid: String) {
        guard hasRecords.load(ordering: .relaxed) else { return }
        forget { $0.uid == uid && $0.revision <= revision }
    }

    private func forget(where isIt: (Place) -> Bool) {
        state.withLock { state in
            for (place, record) in state.records where isIt(place) {
                store(0, at: record.slot * Self.slotWords)
                state.records[place] = nil
            }
            hasRecords.store(!state.records.isEmpty, ordering: .relaxed)
        }
    }

    // MARK: - Slots

    /// A slot for what a thread applies; nil when all are in use, and then a crash does not count.
    private func takeLane() -> Int? {
        var taken = busy.load(ordering: .relaxed)
        while true {
            let free = (~taken).trailingZeroBitCount
            guard free < Self.lanes.count else { return nil }
            let (exchanged, found) = busy.compareExchange(
                expected: taken, desired: taken | 1 << UInt64(free), ordering: .acquiring)
            if exchanged { return Self.lanes.lowerBound + free }
            taken = found
        }
    }

    private func free(_ slot: Int) {
        store(0, at: slot * Self.slotWords)
        let bit: UInt64 = 1 << UInt64(slot - Self.lanes.lowerBound)
        busy.bitwiseAnd(~bit, ordering: .releasing)
    }

    /// The kind comes last, so that a slot that is half written is a free one.
    private func write(_ record: Record, in slot: Int) {
        let first = slot * Self.slotWords
        let length = record.place.uid.utf8.count
        guard length <= Self.textBytesMax else { return }
        write(record.place.uid, at: first + 2)
        store(UInt64(bitPattern: record.place.revision), at: first + 1)
        store(
            record.place.part.rawValue | UInt64(length) << 8
                | UInt64(clamping: record.crashes) << 32, at: first)
    }

    /// Writes at most 40 bytes of a text, and zeros behind it in its last word.
    private func write(_ text: String, at first: Int) {
        var text = text
        text.withUTF8 { bytes in
            for start in stride(from: 0, to: min(bytes.count, Self.textBytesMax), by: 8) {
                var word: UInt64 = 0
                for byte in bytes[start..<min(start + 8, bytes.count)].reversed() {
                    word = word << 8 | UInt64(byte)
                }
                store(word.littleEndian, at: first + start / 8)
            }
        }
    }

    private func store(_ word: UInt64, at index: Int) {
        words[index].store(word, ordering: .releasing)
    }

    private static let title = "traitd crashmark"

    /// The text before the first zero; nil unless it is printable ASCII.
    private static func text(at bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        let text = bytes.prefix { $0 != 0 }
        guard text.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// The content of a slot; nil for a free one, and for one whose content is not valid.
    private static func record(in slot: Int, of memory: UnsafeRawBufferPointer) -> Record? {
        let first = slot * slotWords * 8
        let word = memory.loadUnaligned(fromByteOffset: first, as: UInt64.self)
        let revision = memory.loadUnaligned(fromByteOffset: first + 8, as: Int64.self)
        let length = Int(word >> 8 & 0xFF_FFFF)
        guard let part = Place.Part(rawValue: word & 0xFF), (1...textBytesMax).contains(length),
            revision > 0, let uid = text(at: memory[first + 16..<first + 16 + length]),
            uid.utf8.count == length
        else { return nil }
        return Record(
            place: Place(part: part, uid: uid, revision: revision),
            crashes: Int(word >> 32))
    }
}
