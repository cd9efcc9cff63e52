// The reader of JSON text. A tape is kept and used again for one text after the other, so that a
// small request body is read without a single allocation.
//
// A long text is read in pieces: the list that lacks elements is closed behind the last whole one, and
// the caller goes on with the text from there, behind `{"name":[`.

/// Reads one JSON text at a time into memory it keeps. Strict RFC 8259, and where the RFC leaves a
/// choice, the safe one: UTF-8 is validated, a byte order mark, a name that occurs twice in one
/// object (compared after unescaping) and an escape that is half a surrogate pair are refused,
/// depth and size are bounded, numbers keep every digit.
///
/// Reading is linear in the text. One tape serves one thread at a time; it is not `Sendable`.
package final class JSONTape {
    package let limits: JSONLimits
    @usableFromInline let storage: UnsafeMutablePointer<TapeStorage>
    private let hashSeed: NameHash
    /// A random number for each tape would be a system call for each.
    private static let processSeed = UInt64.random(in: .min ... .max)

    /// - Parameter hashSeed: Keys the hash of member names; nil for the process's seed, which no client knows.
    package init(limits: JSONLimits = JSONLimits(), hashSeed: UInt64? = nil) {
        self.limits = limits
        self.hashSeed = NameHash(hashSeed ?? Self.processSeed)
        storage = .allocate(capacity: 1)
        storage.initialize(to: TapeStorage())
    }

    deinit {
        storage.pointee.deallocate()
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Reads `bytes` and returns the root value.
    ///
    /// The root, and every value and string reached from it, is valid as long as `bytes` is and
    /// until this tape reads again, is recycled or ends, whichever comes first. Debug builds trap
    /// on a value of an earlier text. Prefer ``withDocument(_:refusal:_:)``, which has a scope.
    ///
    /// - Throws: The first error in the text, by position.
    package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
        take(bytes)
        do {
            try read()
        } catch {
            throw JSONError(error, storage, limits)
        }
        return JSONValue(storage: storage, index: 0)
    }

    /// The bytes are the text that is read next.
    @inline(__always)
    private func take(_ bytes: UnsafeRawBufferPointer) {
        precondition(!storage.pointee.isLent, "a tape was to read while its document is in use")
        storage.pointee.generation &+= 1
        storage.pointee.text = UnsafePointer(storage.pointee.unescaped.base)
        storage.pointee.textCount = 0
        if let base = bytes.baseAddress {
            storage.pointee.text = UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
            storage.pointee.textCount = bytes.count
        }
    }

    private func read() throws(Fault) {
        var parser = try makeParser()
        do {
            try parser.run()
        } catch {
            throw parser.earliest(error)
        }
    }

    @inline(__always)
    private func makeParser() throws(Fault) -> JSONParser {
        guard storage.pointee.textCount <= limits.documentBytesMax else {
            throw Fault(.documentBytesLimit, at: limits.documentBytesMax)
        }
        return JSONParser(storage, limits, hashSeed)
    }

    /// Reads a text of which the end may be missing; nil when it does not begin with an object.
    func parse(beginning bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONBeginning? {
        take(bytes)
        do throws(Fault) {
            var parser = try makeParser()
            let root = JSONValue(storage: storage, index: 0)
            do throws(Fault) {
                try parser.run()
                return JSONBeginning(root: root, isComplete: true, end: nil)
            } catch {
                let first = parser.earliest(error)
                guard first.code == .unexpectedEnd || first.code == .emptyText else { throw first }
                guard parser.open >= 0 else { return nil }
                return JSONBeginning(root: root, isComplete: false, end: parser.seal())
            }
        } catch {
            throw JSONError(error, storage, limits)
        }
    }

    /// Reads `bytes` and lends the root value to `body`; nothing of it may leave the call. Large
    /// buffers are given back afterwards.
    ///
    /// - Parameters:
    ///   - refusal: Makes the caller's own error of a text that is no acceptable JSON.
    ///   - body: Must not use this tape itself.
    /// - Throws: The error of `body`, or the result of `refusal`.
    @inlinable
    package func withDocument<Result: ~Copyable, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer,
        refusal: (JSONError) -> Failure,
        _ body: (JSONValue) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let root: JSONValue
        do {
            root = try parse(bytes)
        } catch {
            recycle()
            throw refusal(error)
        }
        lend()
        defer { takeBack() }
        return try body(root)
    }

    /// As `withDocument(_:refusal:_:)`, for bytes in an array.
    @inlinable
    package func withDocument<Result, Failure: Error>(
        of bytes: [UInt8], refusal: (JSONError) -> Failure,
        _ body: (JSONValue) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            try withDocument(UnsafeRawBufferPointer(bytes), refusal: refusal, body)
        }
    }

    /// As `withDocument(_:refusal:_:)`, for a `body` that cannot fail. Throws the error of the text.
    @inlinable
    package func withDocument<Result: ~Copyable>(
        _ bytes: UnsafeRawBufferPointer, _ body: (JSONValue) -> Result
    ) throws(JSONError) -> Result {
        let root: JSONValue
        do {
            root = try parse(bytes)
        } catch {
            recycle()
            throw error
        }
        lend()
        defer { takeBack() }
        return body(root)
    }

    /// An upper estimate of the bytes of memory that reading a text takes. O(bytes): counts the bytes that may
    /// precede a value.
    package static func bytesMax(for text: UnsafeRawBufferPointer) -> Int {
        var values = 1
        var escapes = 0
        for byte in text {
            // Commas, colons and opening brackets: each stands before at most one value.
            values &+= byte == 0x2C || byte == 0x3A || byte == 0x5B || byte == 0x7B ? 1 : 0
            escapes &+= byte == 0x5C ? 1 : 0
        }
        // The buffer of values grows by half; strings with escapes are written again without them.
        return min(values, text.count &+ 1) &* 24 &+ (escapes > 0 ? text.count : 0)
    }

    /// Forgets the current text and gives back buffers beyond `retainedBytesMax`.
    package func recycle() {
        precondition(!storage.pointee.isLent, "a tape was recycled while its document is in use")
        storage.pointee.generation &+= 1
        storage.pointee.trim(to: limits.retainedBytesMax)
    }

    @usableFromInline
    func lend() { storage.pointee.isLent = true }

    @usableFromInline
    func takeBack() {
        storage.pointee.isLent = false
        recycle()
    }
}

// MARK: - In pieces

/// The beginning of a text, as far as it can be read.
package struct JSONBeginning {
    /// Of an incomplete text an object with the members that are whole, and then the one that is open: an
    /// array with its whole elements when `end` says so, else an empty container.
    package let root: JSONValue
    package let isComplete: Bool
    /// Where the next element of the open array begins, in bytes, behind white space or a comma; nil when
    /// no array is open that is a member of the root.
    package let end: Int?
}

extension JSONTape {
    /// Reads `bytes`, of which the end may be missing, and lends what is whole to `body`. An element, or a
    /// member of the root, that nothing follows is not whole: numbers may go on. O(bytes).
    ///
    /// - Parameters:
    ///   - refusal: makes the caller's own error of bytes that no text begins with.
    ///   - body: must not use this tape itself. Not called for a text that does not begin with an object.
    /// - Throws: the error of `body`, or the result of `refusal`.
    package func withBeginning<Failure: Error>(
        of bytes: [UInt8], refusal: (JSONError) -> Failure,
        _ body: (JSONBeginning) throws(Failure) -> Void
    ) throws(Failure) {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            let beginning: JSONBeginning?
            do throws(JSONError) {
                beginning = try parse(beginning: UnsafeRawBufferPointer(bytes))
            } catch {
                recycle()
                throw refusal(error)
            }
            lend()
            defer { takeBack() }
            if let beginning, beginning.root.kind == .object { try body(beginning) }
        }
    }
}
