// Dynamic colours and images.

import TraitEngine
import TraitJSON

extension Transaction {
    package mutating func defineDynamic(_ value: DynamicValue) throws(SessionError) {
        let hierarchy = hierarchy
        try checkSearching()
        let present =
            session.annotations.managers.isEmpty
            ? nil : hierarchy.definitions.dynamic(value.kind, named: value.name)
        try refusing { () throws(OperationError) in try hierarchy.defineDynamic(value) }
        manage(
            managedPlace(value.kind, value.name),
            isSame: present?.isSame(as: value) ?? false)
        record(DefinitionKind(value.kind).operations.define)
        text.json.member(value.kind.member, value.name)
        text.json.key("definition")
        DynamicWriter.writeDefinition(value, with: &session.encodings, into: &text.json)
        text.json.endObject()
    }

    package func managedPlace(_ kind: DynamicKind, _ name: String) -> ManagedPlace {
        ManagedPlace(DefinitionKind(kind).managed, name)
    }
}
