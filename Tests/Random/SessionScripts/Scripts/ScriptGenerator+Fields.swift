// Further fields of structs, with values that fit before and after.

import TraitEngine

extension ScriptGenerator {
    /// A value of a struct, a registration of the trait, and a field that the trait does not have; some of them.
    mutating func furtherField(_ view: HierarchyView) -> [String] {
        guard let (key, fields) = random.pick(view.structs) else { return [operation(view)] }
        var operations: [String] = []
        if random.chance(60) {
            note("setOverride")
            operations.append(
                #"{"op":"setOverride","node":"\#(existing(view))","trait":"\#(key)","value":\#(object(fields))}"#
            )
        }
        if random.chance(10) {
            note("register")
            operations.append(
                #"{"op":"register","registration":"\#(pick(Self.registrations))","node":"\#(existing(view))","traits":["\#(key)"]}"#
            )
        }
        let field = StructField("f\(random.below(6))", pick(StructField.Scalar.allCases))
        if random.chance(70), !fields.contains(where: { $0.name == field.name }) {
            note("further field")
            let all = random.chance(70) ? fields + [field] : [field]
            operations.append(
                #"{"op":"updateTrait","trait":"\#(key)","patch":{"fields":{"\#(field.name)":"\#(field.type.rawValue)"},"default":\#(object(all))}}"#
            )
        }
        return operations
    }

    private mutating func object(_ fields: [StructField]) -> String {
        let members = fields.map { field in
            let value =
                switch field.type {
                case .bool: pick(["true", "false"])
                case .int: pick(["0", "1", "-3"])
                case .double: pick(["0", "1.25"])
                case .string: pick([#""""#, #""ä""#])
                case .json: pick(["null", "[1,{}]", #"{"b":1}"#])
                }
            return #""\#(field.name)":\#(value)"#
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
