// The layers of values that a node has, and what a write does with the values that it covers.

import JSONCodec
import TraitEngine
import TraitJSON

/// The two layers of values that a client can set at a node.
package enum ValueLayer: Sendable {
    case overrides, supplied

    var setKind: OperationKind { self == .overrides ? .setOverride : .setSupplied }
    var removeKind: OperationKind { self == .overrides ? .removeOverride : .removeSupplied }
    package var member: StaticString { self == .overrides ? "overrides" : "supplied" }
}

/// Where an override goes when a temporary one is there, or when it is temporary itself.
package enum Stacking: Sendable {
    /// A temporary override that has no manager lies over a managed value. Every other one takes the place of what is
    /// there.
    case usual
    /// A temporary override lies over what is there.
    case over
    /// The override takes the place of what is there, managed or not.
    case instead
    /// The override goes below the temporary one that is there.
    case under
}
