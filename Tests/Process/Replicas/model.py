"""A naive session: nodes with parents and overrides, one operation after another.

The checker replays the commits with it and compares what each read and each refusal saw at its revision. It shares
nothing with the engine.
"""


class Impossible(Exception):
    """An operation that the session must refuse. The argument says why: `missing`, `exists`, or both."""


class Model:
    def __init__(self, traits):
        self.traits = traits  # name: default
        self.parents = {}
        self.overrides = {}  # node: {trait: value}
        self.registrations = set()

    def copy(self):
        other = Model(self.traits)
        other.parents = dict(self.parents)
        other.overrides = {node: dict(values) for node, values in self.overrides.items()}
        other.registrations = set(self.registrations)
        return other

    def state(self):
        overrides = {node: values for node, values in self.overrides.items() if values}
        return self.parents, overrides, self.registrations

    def need(self, node):
        if node not in self.parents:
            raise Impossible("missing")

    def apply(self, operations):
        for operation in operations:
            getattr(self, operation["op"])(operation)

    def changed_by(self, operations):
        """Whether the operations change anything. The model stays as it is."""
        other = self.copy()
        other.apply(operations)
        return other.state() != self.state()

    # The operations, by the names that history gives them.

    def defineTrait(self, operation):
        pass

    def register(self, operation):
        self.need(operation["node"])
        self.registrations.add(operation["registration"])

    def setOverride(self, operation):
        self.need(operation["node"])
        self.overrides[operation["node"]][operation["trait"]] = operation["value"]

    def removeOverride(self, operation):
        self.need(operation["node"])
        self.overrides[operation["node"]].pop(operation["trait"], None)

    def createNode(self, operation):
        reasons = ["exists"] if operation["node"] in self.parents else []
        if operation["parent"] is not None and operation["parent"] not in self.parents:
            reasons.append("missing")
        if reasons:
            raise Impossible(" and ".join(reasons))
        self.parents[operation["node"]] = operation["parent"]
        self.overrides[operation["node"]] = {}

    def deleteNode(self, operation):
        self.need(operation["node"])
        gone = {operation["node"]}
        while True:
            more = {node for node, parent in self.parents.items() if parent in gone} - gone
            if not more:
                break
            gone |= more
        for node in gone:
            del self.parents[node], self.overrides[node]

    # What reads show.

    def resolved(self, node, trait):
        """The value, and the node that it comes from; None for the default."""
        while node is not None:
            if trait in self.overrides[node]:
                return self.overrides[node][trait], node
            node = self.parents[node]
        return self.traits[trait], None

    def shown(self, node):
        """Parent and overrides, as the session shows them."""
        return self.parents[node], self.overrides[node]
