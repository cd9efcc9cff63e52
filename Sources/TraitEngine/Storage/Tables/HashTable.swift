// The buckets of a hash index: the layout of a cache line, and the probing of buckets.

/// A table of buckets. Its memory is its owner's to give back.
///
/// Of a table that is being moved the buckets before `first` are gone: probing wraps from the last
/// bucket to `first`.
struct HashTable {
    static let slotsPerBucket = 5
    private static let bucketBytes = 64
    private static let tagsOffset = 40
    private static let headOffset = 60

    /// How many slots of a bucket are used, which are its first ones, and how many entries have
    /// their home in this bucket or before and lie behind it.
    private struct Head: BitwiseCopyable {
        var bits: UInt32

        @inline(__always)
        var used: Int { Int(truncatingIfNeeded: bits & 7) }
        @inline(__always)
        var passed: UInt32 { bits &>> 3 }
        static let oneUsed: UInt32 = 1
        static let onePassed: UInt32 = 8
    }

    private let base: UnsafeMutableRawPointer
    let buckets: Int

    init(buckets: Int) {
        base = Memory.allocateZeroed(
            buckets * Self.bucketBytes, alignment: Self.bucketBytes)
        self.buckets = buckets
    }

    /// The table of every index that nothing was inserted into: never written to, and never given back.
    nonisolated(unsafe) static let empty = HashTable(buckets: 1)

    var isEmpty: Bool { base == Self.empty.base }

    func deallocate() { Memory.deallocate(base, byteCount) }

    /// Buckets, a power of two, whose memory is given back together: a huge page where the block
    /// has such, else some pages.
    var discardedBuckets: Int { byteCount >= Memory.hugePagesMin ? 32_768 : 1_024 }

    /// Gives back the memory of buckets that are not used any more.
    func discard(_ range: Range<Int>) {
        let start = range.lowerBound * Self.bucketBytes
        Memory.discard(base, start..<range.upperBound * Self.bucketBytes, of: byteCount)
    }

    var slotCount: Int { buckets &* Self.slotsPerBucket }
    var byteCount: Int { buckets * Self.bucketBytes }

    // MARK: - Places

    /// The bucket where a hash is looked for first.
    @inline(__always)
    func home(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: ((hash &>> 32) &* UInt64(truncatingIfNeeded: buckets)) &>> 32)
    }

    @inline(__always)
    private func next(_ bucket: Int, _ first: Int) -> Int {
        bucket &+ 1 == buckets ? first : bucket &+ 1
    }

    @inline(__always)
    private func line(_ bucket: Int) -> UnsafeMutableRawPointer {
        base + bucket &* Self.bucketBytes
    }

    @inline(__always)
    private func hashes(_ bucket: Int) -> UnsafeMutablePointer<UInt64> {
        line(bucket).assumingMemoryBound(to: UInt64.self)
    }

    /// The references plus one, so that none is 0.
    @inline(__always)
    private func tags(_ bucket: Int) -> UnsafeMutablePointer<UInt32> {
        (line(bucket) + Self.tagsOffset).assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    private func head(_ bucket: Int) -> UnsafeMutablePointer<Head> {
        (line(bucket) + Self.headOffset).assumingMemoryBound(to: Head.self)
    }

    // MARK: - Entries

    /// The first reference under the hash that `matches`. The slots of a bucket are compared
    /// without a branch for each, because the matching slot is unpredictable. In a small table
    /// every bucket may carry the mark of an overflow, so a search also ends at the bucket where
    /// it began.
    @inline(__always)
    func find(_ hash: UInt64, first: Int, _ matches: (Int32) -> Bool) -> Int32? {
        let start = max(home(hash), first)
        var bucket = start
        while true {
            let (hashes, head) = (hashes(bucket), head(bucket).pointee)
            var equal: UInt32 = 0
            for slot in 0..<Self.slotsPerBucket {
                equal |= (hashes[slot] == hash ? 1 : 0) &<< UInt32(truncatingIfNeeded: slot)
            }
            equal &= (1 &<< UInt32(truncatingIfNeeded: head.used)) &- 1
            while equal != 0 {
                let slot = equal.trailingZeroBitCount
                let reference = Int32(bitPattern: tags(bucket)[slot] &- 1)
                if matches(reference) { return reference }
                equal &= equal &- 1
            }
            if head.passed == 0 { return nil }
            bucket = next(bucket, first)
            if bucket == start { return nil }
        }
    }

    /// Adds an entry; the table must have room.
    @inline(__always)
    func place(_ hash: UInt64, _ tag: UInt32) {
        var bucket = home(hash)
        while true {
            let head = head(bucket)
            let used = head.pointee.used
            if used < Self.slotsPerBucket {
                hashes(bucket)[used] = hash
                tags(bucket)[used] = tag
                head.pointee.bits &+= Head.oneUsed
                return
            }
            head.pointee.bits &+= Head.onePassed
            bucket = next(bucket, 0)
        }
    }

    /// Takes an entry out; false when it is not there. The last of its bucket takes its place.
    @inline(__always)
    func remove(_ hash: UInt64, _ tag: UInt32, first: Int) -> Bool {
        let home = home(hash)
        let start = max(home, first)
        var bucket = start
        while true {
            let (tags, head) = (tags(bucket), head(bucket))
            let used = head.pointee.used
            // As when searching, without a branch for each slot.
            var equal: UInt32 = 0
            for slot in 0..<Self.slotsPerBucket {
                equal |= (tags[slot] == tag ? 1 : 0) &<< UInt32(truncatingIfNeeded: slot)
            }
            equal &= (1 &<< UInt32(truncatingIfNeeded: used)) &- 1
            if equal != 0 {
                let slot = equal.trailingZeroBitCount
                hashes(bucket)[slot] = hashes(bucket)[used &- 1]
                tags[slot] = tags[used &- 1]
                head.pointee.bits &-= Head.oneUsed
                forgetPassing(from: home, until: bucket, first: first)
                return true
            }
            if head.pointee.passed == 0 { return false }
            bucket = next(bucket, first)
            if bucket == start { return false }
        }
    }

    /// Moves a bucket's entries to another table; all buckets before it have moved.
    func moveEntries(of bucket: Int, to other: HashTable) {
        let (hashes, tags) = (hashes(bucket), tags(bucket))
        for slot in 0..<head(bucket).pointee.used {
            other.place(hashes[slot], tags[slot])
            forgetPassing(from: home(hashes[slot]), until: bucket, first: bucket)
        }
        head(bucket).pointee.bits = 0
    }

    /// An entry that lay in a bucket is gone: takes it off all that it had passed.
    @inline(__always)
    private func forgetPassing(from home: Int, until end: Int, first: Int) {
        var bucket = max(home, first)
        while bucket != end {
            head(bucket).pointee.bits &-= Head.onePassed
            bucket = next(bucket, first)
        }
    }

    // MARK: - Invariants

    var entryCount: Int { (0..<buckets).reduce(0) { $0 + head($1).pointee.used } }

    /// A description of the first bucket whose `passed` is wrong; nil when all are right.
    func fault(first: Int) -> String? {
        var passing = [UInt32](repeating: 0, count: buckets)
        for bucket in first..<buckets {
            for slot in 0..<head(bucket).pointee.used {
                var passed = max(home(hashes(bucket)[slot]), first)
                while passed != bucket {
                    passing[passed] += 1
                    passed = next(passed, first)
                }
            }
        }
        for bucket in first..<buckets where head(bucket).pointee.passed != passing[bucket] {
            let counted = head(bucket).pointee.passed
            return "\(passing[bucket]) passed bucket \(bucket), \(counted) counted"
        }
        return nil
    }
}
