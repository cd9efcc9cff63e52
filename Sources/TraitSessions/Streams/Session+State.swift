// The state that a stream begins with when it is asked for.

import JSONCodec
import TraitEngine

extension Session {
    /// The `state` records of a feed and the `sync` that ends them.
    func writeState(_ writer: RecordWriter, into json: inout JSONWriter) {
        let registrations =
            writer.feed.isSession
            ? hierarchy.registrations(after: nil, limit: .max) : writer.feed.filter.registrations
        let definitions = hierarchy.definitions
        for registration in registrations {
            let info = hierarchy.registrationInfo(registration)
            writer.writePlain(.state, head, isResumable: false, into: &json) { json in
                if let id = info.identifier {
                    json.key("registration")
                    json.value(id)
                }
                json.key("node")
                hierarchy.withIdentifier(of: info.node) { json.value(bytes: $0) }
                json.key("traits")
                json.beginObject()
                let settable = info.traits.subtracting(TraitDefinitions.privateTraits)
                hierarchy.values(of: settable, at: info.node) { trait, value in
                    let encoding = encodings.encoding(of: trait, in: definitions)
                    json.member(encoding.member)
                    encoding.write(value, into: &json)
                }
                json.endObject()
                writeDynamics(info, into: &json)
            }
        }
        writer.writeSync(at: head, count: registrations.count, into: &json)
    }

    /// `colors` and `images` of a registration's `state` record, when it names some.
    private func writeDynamics(_ info: RegistrationInfo, into json: inout JSONWriter) {
        let named: [(StaticString, DynamicKind, [String])] = [
            ("colors", .color, info.colors), ("images", .image, info.images),
        ]
        for (member, kind, names) in named where !names.isEmpty {
            json.key(member)
            json.beginObject()
            for name in names {
                guard let value = dynamicValue(kind, name, at: info.node) else { continue }
                json.key(name)
                json.raw(value)
            }
            json.endObject()
        }
    }
}

extension Session {
    /// What a colour or image is at a node, as JSON; nil when it is not defined.
    func dynamicValue(_ kind: DynamicKind, _ name: String, at node: NodeIndex) -> [UInt8]? {
        guard let value = hierarchy.definitions.dynamic(kind, named: name),
            let choice = try? hierarchy.resolveDynamic(kind, name, at: node)
        else { return nil }
        return Array(value.variants[choice.index].value.utf8)
    }
}
