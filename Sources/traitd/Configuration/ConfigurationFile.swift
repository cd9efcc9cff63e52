// A file of settings: one JSON object, whose members are options and limits in the form of limits' names.

import ArgumentParser
import Glibc
import JSONCodec

enum ConfigurationFile {
    private static let bytesMax = 1_048_576

    struct Member {
        let values: [String]
        /// The line of the value, from 1.
        let line: Int
    }

    /// Each setting in the file, by option, and all that is wrong with the file.
    static func read(_ path: String) -> (members: [String: Member], faults: [Fault]) {
        do throws(Fault) {
            let bytes = try content(path)
            func refusal(_ error: JSONError) -> Fault { fault("\(path): \(error.reason).") }
            return try JSONTape().withDocument(of: bytes, refusal: refusal) { json throws(Fault) in
                guard case .object = json.kind else {
                    throw fault("\(path): it is no JSON object.")
                }
                return settings(json, path)
            }
        } catch {
            return ([:], [error])
        }
    }

    private static func fault(_ text: String) -> Fault {
        Fault(text, code: Exit.configuration, label: "Error: ")
    }

    private static func settings(
        _ json: JSONValue, _ path: String
    ) -> (members: [String: Member], faults: [Fault]) {
        let known = Dictionary(uniqueKeysWithValues: SettingTable.all.map { ($0.key, $0) })
        var settings: [String: Member] = [:]
        var faults: [Fault] = []
        for (key, value) in json.members {
            let (key, line) = (key.string, value.place.line)
            guard let shape = known[key] else {
                faults.append(
                    fault(
                        "\(path):\(line): '\(key)' is no setting."
                            + Configuration.didYouMean(key, among: known.keys.sorted())))
                continue
            }
            guard let texts = texts(value, isList: shape.isList) else {
                faults.append(
                    fault(
                        "\(path):\(line): '\(key)' takes "
                            + (shape.isFlag ? "true or false." : "a string or a number")
                            + (shape.isFlag ? "" : shape.isList ? ", or a list of them." : ".")))
                continue
            }
            settings[shape.name] = Member(values: texts, line: line)
        }
        return (settings, faults)
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
