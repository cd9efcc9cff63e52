// A file of settings: one JSON object, whose members are options in the form of limits' names.

import ArgumentParser
import Glibc
import JSONCodec

enum ConfigurationFile {
    private static let bytesMax = 1_048_576

    /// The values of each setting in the file, by option.
    ///
    /// - Throws: the path and what is wrong.
    static func read(_ path: String) throws(Fault) -> [String: [String]] {
        let bytes = try content(path)
        let known = Dictionary(uniqueKeysWithValues: SettingTable.all.map { ($0.key, $0) })
        func refusal(_ error: JSONError) -> Fault { fault("\(path): \(error.reason).") }
        return try JSONTape().withDocument(of: bytes, refusal: refusal) { json throws(Fault) in
            try settings(json, path, known)
        }
    }

    private static func fault(_ text: String) -> Fault {
        Fault(text, code: Exit.configuration, label: "Error: ")
    }

    private static func settings(
        _ json: JSONValue, _ path: String, _ known: [String: SettingShape]
    ) throws(Fault) -> [String: [String]] {
        func failed(_ text: String) -> Fault { fault("\(path): \(text)") }
        guard case .object = json.kind else { throw failed("it is no JSON object.") }
        var settings: [String: [String]] = [:]
        for (key, value) in json.members {
            let key = key.string
            guard let shape = known[key] else {
                throw failed(
                    "'\(key)' is no setting."
                        + Configuration.didYouMean(key, among: known.keys.sorted()))
            }
            guard let texts = texts(value, isList: shape.isList) else {
                throw failed(
                    "'\(key)' takes " + (shape.isFlag ? "true or false." : "a string or a number")
                        + (shape.isFlag ? "" : shape.isList ? ", or a list of them." : "."))
            }
            settings[shape.name] = texts
        }
        return settings
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

    private static func content(_ path: String) throws(Fault) -> [UInt8] {
        func failure(_ reason: String) -> Fault {
            fault("cannot read the configuration \(path): \(reason)")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(Fault.reason(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure("it is no regular file")
        }
        let (bytes, error) = Descriptors.readAll(descriptor, bytesMax: bytesMax)
        if error != 0 { throw failure(Fault.reason(error)) }
        if bytes.count > bytesMax { throw failure("it has more than \(bytesMax) bytes") }
        return bytes
    }
}
