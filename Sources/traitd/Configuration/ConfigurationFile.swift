// A file of settings: one JSON object, whose members are options in the form of limits' names.

import ArgumentParser
import Glibc
import JSONCodec

enum ConfigurationFile {
    /// sysexits.h: something in the configuration.
    static let exitCode: Int32 = 78
    private static let bytesMax = 1_048_576

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The values of each setting in the file, by option.
    ///
    /// - Throws: `Failure`, with the path and what is wrong.
    static func read(_ path: String) throws(Failure) -> [String: [String]] {
        let bytes = try content(path)
        let known = Dictionary(uniqueKeysWithValues: SettingTable.all.map { ($0.key, $0) })
        let tape = JSONTape()
        let result = bytes.withUnsafeBytes { bytes -> Result<[String: [String]], Failure> in
            do throws(JSONError) {
                return try tape.withDocument(bytes) { settings($0, path, known) }
            } catch {
                return .failure(Failure(description: "\(path): \(error.reason)."))
            }
        }
        return try result.get()
    }

    private static func settings(
        _ json: JSONValue, _ path: String, _ known: [String: SettingShape]
    ) -> Result<[String: [String]], Failure> {
        func failed(_ text: String) -> Result<[String: [String]], Failure> {
            .failure(Failure(description: "\(path): \(text)"))
        }
        guard case .object = json.kind else { return failed("it is no JSON object.") }
        var settings: [String: [String]] = [:]
        for (key, value) in json.members {
            let key = key.string
            guard let shape = known[key] else {
                return failed(
                    "'\(key)' is no setting."
                        + Configuration.didYouMean(key, among: known.keys.sorted()))
            }
            guard let texts = texts(value, isList: shape.isList) else {
                return failed(
                    "'\(key)' takes " + (shape.isFlag ? "true or false." : "a string or a number")
                        + (shape.isFlag ? "" : shape.isList ? ", or a list of them." : "."))
            }
            settings[shape.name] = texts
        }
        return .success(settings)
    }

    /// The values as texts of options; nil for a value that no option takes.
    private static func texts(_ value: JSONValue, isList: Bool) -> [String]? {
        switch value.kind {
        case .array:
            guard isList else { return nil }
            var texts: [String] = []
            for element in value.elements {
                guard let text = scalar(element) else { return nil }
                texts.append(text)
            }
            return texts
        default: return scalar(value).map { [$0] }
        }
    }

    private static func scalar(_ value: JSONValue) -> String? {
        switch value.kind {
        case .string: value.string?.string
        case .number: String(decoding: value.rawBytes, as: UTF8.self)
        case .bool: value.bool.map { $0 ? "true" : "false" }
        default: nil
        }
    }

    private static func content(_ path: String) throws(Failure) -> [UInt8] {
        func failure(_ reason: String) -> Failure {
            Failure(description: "cannot read the configuration \(path): \(reason)")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure("it is no regular file")
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= bytesMax {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(String(cString: strerror(errno))) }
            bytes += part[..<count]
        }
        throw failure("it has more than \(bytesMax) bytes")
    }
}
