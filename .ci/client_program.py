"""Uses the generated Python client as a program would. .ci/client checks its types and runs it.

Each section is one use of the API. The answers are checked as typed objects, not as JSON.
"""

import sys
from typing import TypeVar

from client import Client
from client.api.inputs import get_override, patch_overrides, put_override
from client.api.nodes import create_node, get_node, list_nodes, patch_node, put_node
from client.api.operation import get_index, get_open_api_as_json, get_problem, get_version
from client.api.registrations import create_registration, list_registrations
from client.api.resolution import get_node_trait, get_node_traits, resolve
from client.api.sessions import create_session, delete_session, get_history, get_session, put_session
from client.api.streams import stream_session_events
from client.api.traits import list_system_traits, put_trait
from client.api.transactions import run_transaction
from client.models.change_record import ChangeRecord
from client.models.commit import Commit
from client.models.created_node import CreatedNode
from client.models.created_registration import CreatedRegistration
from client.models.delete_node import DeleteNode
from client.models.event_page import EventPage
from client.models.explained_traits import ExplainedTraits
from client.models.history import History
from client.models.index import Index
from client.models.new_node import NewNode
from client.models.new_registration_of_set import NewRegistrationOfSet
from client.models.new_registration_of_traits import NewRegistrationOfTraits
from client.models.new_session import NewSession
from client.models.new_trait_definition import NewTraitDefinition
from client.models.new_value import NewValue
from client.models.node import Node
from client.models.node_kind import NodeKind
from client.models.node_page import NodePage
from client.models.node_patch import NodePatch
from client.models.node_state import NodeState
from client.models.node_value import NodeValue
from client.models.operation_counts import OperationCounts
from client.models.problem import Problem
from client.models.problem_code import ProblemCode
from client.models.problem_text import ProblemText
from client.models.raw_cases import RawCases
from client.models.registration_page import RegistrationPage
from client.models.resolve_named import ResolveNamed
from client.models.resolve_subtree import ResolveSubtree
from client.models.resolved_nodes import ResolvedNodes
from client.models.resolved_trait import ResolvedTrait
from client.models.session import Session
from client.models.set_value import SetValue
from client.models.set_value_op import SetValueOp
from client.models.trait_catalogue import TraitCatalogue
from client.models.trait_collection import TraitCollection
from client.models.trait_type import TraitType
from client.models.transaction import Transaction
from client.models.values_by_trait import ValuesByTrait
from client.models.values_patch import ValuesPatch
from client.models.version import Version

T = TypeVar("T")
checks = 0


def an(kind: type[T], answer: object) -> T:
    """The answer, which has to be of that model."""
    global checks
    checks += 1
    if not isinstance(answer, kind):
        raise AssertionError(f"{answer!r} is no {kind.__name__}")
    return answer


def holds(condition: bool, what: str) -> None:
    global checks
    checks += 1
    if not condition:
        raise AssertionError(what)


def set_up(client: Client) -> None:
    an(Version, get_version.sync(client=client))
    index = an(Index, get_index.sync(client=client))
    holds("sessions" in index.links, "the index names the sessions")
    document = get_open_api_as_json.sync(client=client)
    holds(document is not None, "the document is there")
    catalogue = an(TraitCatalogue, list_system_traits.sync(client=client))
    holds(any(trait.key == "userInterfaceStyle" for trait in catalogue.traits), "a system trait")
    made = an(Session, create_session.sync(client=client, body=NewSession(name="mail")))
    holds(made.revision == 1, "a new session is at revision 1")
    an(Session, put_session.sync("mail", client=client, body=NewSession()))
    theme = NewTraitDefinition(type_=TraitType.ENUM, default="plain")
    cases = RawCases()
    cases["plain"] = 0
    cases["bold"] = 1
    theme.cases = cases
    an(Commit, put_trait.sync("mail", "theme", client=client, body=theme))


def nodes(client: Client) -> None:
    supplied = ValuesByTrait()
    supplied["displayScale"] = 2
    scene = NewNode(kind=NodeKind.WINDOWSCENE, supplied=supplied)
    an(Commit, put_node.sync("mail", "scene", client=client, body=scene))
    window = NewNode(kind=NodeKind.WINDOW, parent="scene", id="window")
    created = an(CreatedNode, create_node.sync("mail", client=client, body=window))
    holds(created.depth == 1 and created.trait_parent == "scene", "where the window stands")
    for number in range(5):
        label = NewNode(kind=NodeKind.VIEW, parent="window", label=f"Label {number}")
        an(Commit, put_node.sync("mail", f"label-{number}", client=client, body=label))
    node = an(Node, get_node.sync("mail", "label-0", client=client))
    holds(node.state is NodeState.CURRENT and node.label == "Label 0", "a node as it was made")
    an(Commit, patch_node.sync("mail", "label-0", client=client, body=NodePatch(label=None)))
    seen: list[str] = []
    page = an(NodePage, list_nodes.sync("mail", client=client, page_size=2, kind=NodeKind.VIEW))
    while True:
        seen += [node.id for node in page.nodes]
        if not isinstance(page.next_page_token, str):
            break
        page = an(NodePage, list_nodes.sync(
            "mail", client=client, page_size=2, kind=NodeKind.VIEW, page_token=page.next_page_token))
    holds(seen == [f"label-{number}" for number in range(5)], f"all labels in order: {seen}")
    found = an(NodePage, list_nodes.sync("mail", client=client, q="LABEL 3"))
    holds([node.id for node in found.nodes] == ["label-3"], "the label with that text")


def values(client: Client) -> None:
    commit = an(Commit, put_override.sync("mail", "scene", "theme", client=client, body=NewValue(value="bold")))
    trait = an(ResolvedTrait, get_node_trait.sync("mail", "label-0", "theme", client=client))
    holds(trait.value == "bold" and trait.source.node == "scene", "inherited from the scene")
    # The answer of a write gives the condition of the next one.
    state = f'"{commit.uid}.{commit.revision}"'
    patch = ValuesPatch()
    patch["displayScale"] = 3
    an(Commit, patch_overrides.sync("mail", "window", client=client, body=patch, if_match=state))
    stale = an(Problem, patch_overrides.sync("mail", "window", client=client, body=patch, if_match=state))
    holds(stale.code is ProblemCode.REVISION_MISMATCH, "moved on")
    holds(stale.current_revision == commit.revision + 1, "and where to")
    an(NodeValue, get_override.sync("mail", "window", "displayScale", client=client))
    everything = an(TraitCollection, get_node_traits.sync("mail", "label-1", client=client, explain=True))
    traits = an(ExplainedTraits, everything.traits)
    holds(traits["displayScale"].chain[0].node == "window", "the nearest override comes first")
    plain = an(TraitCollection, get_node_traits.sync("mail", "label-1", client=client, traits=["theme"]))
    holds(an(ValuesByTrait, plain.traits)["theme"] == "bold", "one trait")
    named = ResolveNamed(nodes=["window", "label-4"], traits=["displayScale"])
    some = an(ResolvedNodes, resolve.sync("mail", client=client, body=named))
    holds([an(ValuesByTrait, node.traits)["displayScale"] for node in some.nodes] == [3, 3], "two nodes")
    below = ResolveSubtree(under="window", set_="affectingColorAppearance")
    holds(len(an(ResolvedNodes, resolve.sync("mail", client=client, body=below)).nodes) == 6, "a subtree")


def changes(client: Client) -> None:
    by_traits = NewRegistrationOfTraits(node="label-2", traits=["theme"], id="r1")
    created = an(CreatedRegistration, create_registration.sync("mail", client=client, body=by_traits))
    by_set = NewRegistrationOfSet(node="label-2", set_="all", id="r2")
    an(CreatedRegistration, create_registration.sync("mail", client=client, body=by_set))
    page = an(RegistrationPage, list_registrations.sync("mail", client=client))
    holds([one.id for one in page.registrations] == ["r1", "r2"], "both registrations")
    override = SetValue(op=SetValueOp.SETOVERRIDE, node="window", trait="theme", value="plain")
    body = Transaction(operations=[override, DeleteNode(op="deleteNode", node="label-4")])
    commit = an(Commit, run_transaction.sync("mail", client=client, body=body, changes=True))
    holds(commit.notified == 2, "both hear of it")
    events = an(EventPage, stream_session_events.sync(
        "mail", client=client, wait="0", from_=str(created.revision), registrations=["r1"]))
    records = [an(ChangeRecord, record) for record in events.records]
    holds([record.changes[0].current for record in records] == ["plain"], "the change of the theme")
    history = an(History, get_history.sync("mail", client=client, node="label-4"))
    holds(len(history.commits) == 2, "made and deleted")
    holds(an(OperationCounts, history.commits[0].operations).count == 2, "with another operation")


def problems(client: Client) -> None:
    wrong = ValuesPatch()
    wrong["theme"] = "loud"
    wrong["thme"] = 1
    problem = an(Problem, patch_overrides.sync("mail", "window", client=client, body=wrong))
    parts = problem.errors if isinstance(problem.errors, list) else []
    holds([part.pointer for part in parts] == ["/theme", "/thme"], "both faults")
    holds(parts[1].did_you_mean == "theme", "and a suggestion")
    an(ProblemText, get_problem.sync(problem.code, client=client))
    unknown = an(Problem, get_node.sync("mail", "none", client=client))
    holds(unknown.code is ProblemCode.UNKNOWN_NODE and unknown.status == 404, "no such node")
    delete_session.sync_detailed("mail", client=client)
    gone = an(Problem, get_session.sync("mail", client=client))
    holds(gone.code is ProblemCode.UNKNOWN_SESSION, "the session has ended")


def main(url: str) -> None:
    # The index is text unless JSON is asked for.
    client = Client(base_url=url, headers={"Accept": "application/json"})
    for section in (set_up, nodes, values, changes, problems):
        section(client)
    print(f"program: {checks} checks hold")


if __name__ == "__main__":
    main(sys.argv[1])
