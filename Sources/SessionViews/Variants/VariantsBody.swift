// The body of a request for variants: which nodes, what of them, and which combinations of values.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// `{"nodes","reads"?,"colors"?,"images"?,"axes","strength"?,"except"?,"distinct"?}`, read by the definitions of a
/// session. Its names are views of the request.
struct VariantsBody {
    /// A node, and what it shows.
    struct Node {
        let name: JSONValue
        let traits: TraitSet
        let keys: [EnvironmentKey]
    }

    let nodes: [Node]
    /// Colours, then images.
    let dynamics: [DynamicValue]
    let axes: [VariantAxis]
    let strength: Int
    let isDistinct: Bool
    let model: VariantModel

    init(_ json: JSONValue, in session: SessionState) throws(SessionError) {
        let object = try ObjectReader(
            json, "a request for variants",
            members: [
                "nodes", "reads", "colors", "images", "axes", "strength", "except", "distinct",
            ])
        strength = Int(truncatingIfNeeded: try object.integer("strength") ?? 0)
        guard [0, 2, 3].contains(strength) else {
            throw SessionError(
                .unsupportedMode,
                "`strength` is 0 for all combinations, 2 for all pairs of values or 3 for all triples; it is \(strength).",
                pointer: "/strength")
        }
        isDistinct = try object.bool("distinct") ?? false
        dynamics = try session.dynamics(namedIn: object)
        axes = try Self.axes(object, in: session)
        let exceptions = try Self.exceptions(object, axes)
        do throws(VariantError) {
            model = try VariantModel(sizes: axes.map(\.labels.count), exceptions: exceptions)
        } catch {
            throw error.refusal(session.limits)
        }
        nodes = try Self.nodes(object, dynamics, in: session)
        try checkValues(1, session.limits)
    }

    /// Values of one row, which a node without any counts as one.
    private var rowSize: Int {
        let variants = dynamics.reduce(0) { $0 + $1.variants.count }
        return nodes.reduce(0) { $0 + max(1, $1.traits.count + $1.keys.count + variants) }
    }

    /// What the rows take, in values that are looked at and layers that are applied.
    func work(rows: Int) -> Int { rows * (rowSize + axes.count) }

    /// - Throws: `tooManyVariants`.
    func checkValues(_ rows: Int, _ limits: ServiceLimits) throws(SessionError) {
        // Both are at most the number of nodes times that of traits, or of rows: no overflow.
        let values = rows * rowSize
        guard values > limits.variantValuesMax else { return }
        throw SessionError.limit(
            .tooManyVariants,
            "\(rows) rows have \(values) values, and an answer has at most variantValuesMax=\(limits.variantValuesMax). Name fewer nodes, fewer traits in `reads`, or a `strength` of 2, which has rows for all pairs of values.",
            name: "variantValuesMax", value: limits.variantValuesMax
        ).with("values", Int64(values))
    }

    /// Bytes that making the rows takes at most.
    func bytes(rowsMax: Int) -> Int {
        var (pairs, triples, sum) = (0, 0, 0)
        for size in model.sizes where strength > 0 {
            triples = min(triples + pairs * size, TupleTable.countMax)
            pairs = min(pairs + sum * size, TupleTable.countMax)
            sum += size
        }
        return min(model.productSize, rowsMax) * (model.sizes.count * 8 + 64)
            + (strength == 3 ? triples : pairs) * Self.bytesOfTuple
    }

    /// A state, two counts and a mark.
    private static let bytesOfTuple = 16

    // MARK: - Parts

    private static func axes(
        _ object: ObjectReader, in session: SessionState
    ) throws(SessionError) -> [VariantAxis] {
        let json = try object.required("axes")
        guard json.kind == .array else { throw object.wrongType("axes", "an array of axes", json) }
        var axes: [VariantAxis] = []
        var faults = Faults()
        for (position, element) in json.elements.enumerated() {
            guard position < VariantModel.axesMax else {
                throw VariantError.tooManyAxes(count: json.count, max: VariantModel.axesMax)
                    .refusal(session.limits)
            }
            try faults.collect { () throws(SessionError) in
                let axis = try within("/axes/\(position)", try VariantAxis(element, in: session))
                if axes.contains(where: { $0.name == axis.name }) {
                    throw SessionError.invalidVariants(
                        "There is an axis '\(axis.name)' already.", "/axes/\(position)/name")
                }
                axes.append(axis)
            }
        }
        try faults.check()
        let count = axes.reduce(0) { $0 + $1.operationCount }
        guard count <= session.limits.operationsMax else {
            throw .limit(
                .transactionTooLarge,
                "A request assumes at most operationsMax=\(session.limits.operationsMax) operations; its axes have \(count).",
                name: "operationsMax", value: session.limits.operationsMax)
        }
        return axes
    }

    private static func exceptions(
        _ object: ObjectReader, _ axes: [VariantAxis]
    ) throws(SessionError) -> [[AxisValue]] {
        guard let json = object["except"] else { return [] }
        guard json.kind == .array else {
            throw object.wrongType("except", "an array of objects of axis and value", json)
        }
        var exceptions: [[AxisValue]] = []
        for element in json.elements {
            let pointer = "/except/\(exceptions.count)"
            guard element.kind == .object, element.count > 0 else {
                throw .malformed(
                    "An exception is an object of axis and value", element, at: pointer)
            }
            var exception: [AxisValue] = []
            for (key, json) in element.members {
                exception.append(
                    try within(pointer, try Self.value(json, of: key.string, axes)))
            }
            exceptions.append(exception)
        }
        return exceptions
    }

    private static func value(
        _ json: JSONValue, of name: String, _ axes: [VariantAxis]
    ) throws(SessionError) -> AxisValue {
        let pointer = "/" + name.pointerToken
        guard let axis = axes.firstIndex(where: { $0.name == name }) else {
            let names = axes.map(\.name)
            throw SessionError.invalidVariants(
                "There is no axis '\(name.prefix(140))'. There is \(names.joined(separator: ", ")).",
                pointer, didYouMean: Suggestion.nearest(to: name, among: names))
        }
        if let value = axes[axis].value(named: json) { return AxisValue(axis: axis, value: value) }
        let labels = axes[axis].labels.map { String(decoding: $0, as: UTF8.self) }
        let known = axes[axis].labels.count > 20 ? labels.prefix(20) + ["…"] : labels[...]
        throw SessionError.invalidVariants(
            "The axis '\(name)' has no value \(json.summary). It has \(known.joined(separator: ", ")).",
            pointer,
            didYouMean: json.string.flatMap { text in
                Suggestion.nearest(
                    to: text.string, among: labels.map { $0.trimmingQuotes })
            })
    }

    private static func nodes(
        _ object: ObjectReader, _ dynamics: [DynamicValue], in session: SessionState
    ) throws(SessionError) -> [Node] {
        let names = try object.required("nodes")
        guard names.kind == .array, names.count > 0 else {
            throw object.wrongType("nodes", "an array of one node at least", names)
        }
        let nodesMax = session.limits.variantValuesMax
        guard names.count <= nodesMax else {
            throw object.wrongType("nodes", "an array of \(nodesMax) nodes at most", names)
        }
        let definitions = session.hierarchy.definitions
        var isRecorded = false
        var named = definitions.settable
        if let json = object["reads"] {
            if let text = json.string {
                guard text == "recorded" else {
                    throw object.wrongType("reads", "\"recorded\", or an array of traits", json)
                }
                isRecorded = true
            } else {
                named = try TraitList.read(json, "reads", withKeys: true, in: session)
            }
        }
        let drawn = dynamics.reduce(into: TraitSet()) { $0.formUnion($1.dependsOn) }
        var nodes: [Node] = []
        nodes.reserveCapacity(names.count)
        for name in names.elements {
            let pointer = "/nodes/\(nodes.count)"
            var reads = named
            if isRecorded {
                reads = session.recordedReads(of: try session.node(name, pointer)).union(drawn)
                if reads.isEmpty {
                    throw SessionError(
                        .nothingRecorded,
                        "The node '\(name.string?.string ?? "")' has no scope and no registration that say what it reads. PUT …/scopes/{method} records that, or name the traits in `reads`.",
                        pointer: pointer)
                }
            }
            let keys =
                reads.isSubset(of: definitions.settable)
                ? []
                : definitions.environmentKeys.filter { key in
                    definitions.followed(named: key.key).map {
                        reads.contains($0) && !definitions.settable.contains($0)
                    } ?? false
                }
            nodes.append(
                Node(
                    name: name,
                    traits: reads.intersection(definitions.settable)
                        .subtracting(TraitDefinitions.privateTraits), keys: keys))
        }
        return nodes
    }
}

extension String {
    /// Without the first and the last byte, where these are quotes.
    fileprivate var trimmingQuotes: String {
        hasPrefix("\"") && hasSuffix("\"") && utf8.count > 1
            ? String(dropFirst().dropLast()) : self
    }
}

extension SessionState {
    /// The traits that the node's scopes and registrations say it reads. O(traits and names of these).
    fileprivate func recordedReads(of node: NodeIndex) -> TraitSet {
        var reads = TraitSet()
        for scope in hierarchy.scopes(of: node) { reads.formUnion(scope.reads) }
        for registration in hierarchy.registrations(of: node) {
            let info = hierarchy.registrationInfo(registration)
            reads.formUnion(info.traits)
            for (kind, names) in [(DynamicKind.color, info.colors), (.image, info.images)] {
                for name in names {
                    if let value = hierarchy.definitions.dynamic(kind, named: name) {
                        reads.formUnion(value.dependsOn)
                    }
                }
            }
        }
        return reads
    }
}

extension VariantError {
    /// The error in the words of a session.
    func refusal(_ limits: ServiceLimits) -> SessionError {
        switch self {
        case .tooManyAxes(let count, let max):
            return SessionError(
                .tooManyVariants, "There are \(count) axes; at most \(max) can vary at once.",
                pointer: "/axes")
        case .tooManyValues(let max):
            return SessionError(
                .tooManyVariants, "The axes have more than \(max) values together.",
                pointer: "/axes")
        case .tooManyRows(let count, let max):
            return .limit(
                .tooManyVariants,
                "The axes have \(count) combinations or more, and an answer has at most variantRowsMax=\(max) rows. A `strength` of 2 has rows for all pairs of values.",
                name: "variantRowsMax", value: max
            ).with("combinations", Int64(count))
        case .tooManyTuples(let max):
            return SessionError(
                .tooManyVariants,
                "The values of the axes make more than \(max) pairs or triples. Use a lower `strength` or fewer values.",
                pointer: "/strength")
        case .tooMuchWork:
            return SessionError(
                .tooManyVariants,
                "The exceptions depend on one another so much that no rows were found in time. Use fewer of them.",
                pointer: "/except")
        case .unknownStrength, .unknownValue, .incomplete:
            return SessionError(
                .internalError, "The rows do not have all that they should have: \(self).")
        }
    }
}
