// The operations that tests of sessions write most often, as texts.

package enum Operations {
    package static func create(_ node: String) -> String {
        #"{"op":"createNode","node":"\#(node)","kind":"environment"}"#
    }

    package static func set(_ value: Int) -> String {
        #"{"op":"setOverride","node":"n1","trait":"level","value":\#(value)}"#
    }

    package static func register(_ id: String, label: String) -> String {
        #"{"op":"register","registration":"\#(id)","node":"n1","traits":["level"],"label":"\#(label)"}"#
    }

    package static func unregister(_ id: String) -> String {
        #"{"op":"unregister","registration":"\#(id)"}"#
    }

    /// A session with a node and a trait.
    package static let start =
        #"{"traits":{"level":{"type":"int","default":0}},"nodes":[{"id":"n1","kind":"environment"}]}"#
}
