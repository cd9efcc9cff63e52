"""Uses the generated Python client as a program would. .ci/steps/client checks its types and runs it.

Each section is one use of the API. The answers are checked as typed objects, not as JSON.
"""

import sys
from typing import TypeVar

from client import Client, models
from client.api.inputs import patch_overrides, put_override
from client.api.nodes import create_node, get_node, list_nodes, patch_node, put_node
from client.api.operation import get_index, get_problem
from client.api.registrations import create_registration
from client.api.resolution import get_node_trait, get_node_traits, resolve
from client.api.sessions import create_session, delete_session, get_history, get_session
from client.api.streams import stream_session_events
from client.api.traits import list_system_traits, put_trait
from client.api.transactions import run_transaction

T = TypeVar("T")


def an(kind: type[T], answer: object) -> T:
    """The answer, which has to be of that model."""
    assert isinstance(answer, kind), f"{answer!r} is no {kind.__name__}"
    return answer


def resources(client: Client) -> None:
    assert "sessions" in an(models.Index, get_index.sync(client=client)).links, "the index names the sessions"
    catalogue = an(models.TraitCatalogue, list_system_traits.sync(client=client))
    assert any(trait.key == "userInterfaceStyle" for trait in catalogue.traits), "a system trait"
    made = an(models.Session, create_session.sync(client=client, body=models.NewSession(name="mail")))
    assert made.revision == 1, "a new session is at revision 1"
    cases = models.RawCases()
    cases["plain"], cases["bold"] = 0, 1
    theme = models.NewTraitDefinition(type_=models.TraitType.ENUM, default="plain", cases=cases)
    an(models.Commit, put_trait.sync("mail", "theme", client=client, body=theme))
    scene = models.NewNode(kind=models.NodeKind.WINDOWSCENE)
    an(models.Commit, put_node.sync("mail", "scene", client=client, body=scene))
    window = models.NewNode(kind=models.NodeKind.WINDOW, parent="scene", id="window")
    created = an(models.CreatedNode, create_node.sync("mail", client=client, body=window))
    assert created.depth == 1 and created.trait_parent == "scene", "where the window stands"
    for number in range(3):
        label = models.NewNode(kind=models.NodeKind.VIEW, parent="window", label=f"Label {number}")
        an(models.Commit, put_node.sync("mail", f"label-{number}", client=client, body=label))
    an(models.Commit, patch_node.sync("mail", "label-0", client=client, body=models.NodePatch(label=None)))
    node = an(models.Node, get_node.sync("mail", "label-1", client=client))
    assert node.state is models.NodeState.CURRENT and node.label == "Label 1", "a node as it was made"
    page = an(models.NodePage, list_nodes.sync("mail", client=client, page_size=2, kind=models.NodeKind.VIEW))
    rest = an(models.NodePage, list_nodes.sync("mail", client=client, kind=models.NodeKind.VIEW,
                                               page_token=an(str, page.next_page_token)))
    assert [node.id for node in page.nodes + rest.nodes] == [f"label-{number}" for number in range(3)], "in order"


def values(client: Client) -> None:
    bold = models.NewOverride(value="bold")
    commit = an(models.Commit, put_override.sync("mail", "scene", "theme", client=client, body=bold))
    trait = an(models.ResolvedTrait, get_node_trait.sync("mail", "label-0", "theme", client=client))
    assert trait.value == "bold" and trait.source.node == "scene", "inherited from the scene"
    # The answer of a write gives the condition of the next one.
    state = f'"{commit.uid}.{commit.revision}"'
    patch = models.ValuesPatch()
    patch["displayScale"] = 3
    an(models.Commit, patch_overrides.sync("mail", "window", client=client, body=patch, if_match=state))
    stale = an(models.Problem, patch_overrides.sync("mail", "window", client=client, body=patch, if_match=state))
    assert stale.code is models.ProblemCode.REVISION_MISMATCH, "moved on"
    assert stale.current_revision == commit.revision + 1, "and where to"
    everything = an(models.TraitCollection, get_node_traits.sync("mail", "label-1", client=client, explain=True))
    traits = an(models.ExplainedTraits, everything.traits)
    assert traits["displayScale"].chain[0].node == "window", "the nearest override comes first"
    plain = an(models.TraitCollection, get_node_traits.sync("mail", "label-1", client=client, traits=["theme"]))
    assert an(models.ValuesByTrait, plain.traits)["theme"] == "bold", "one trait"
    below = models.ResolveSubtree(under="window", set_="affectingColorAppearance")
    assert len(an(models.ResolvedNodes, resolve.sync("mail", client=client, body=below)).nodes) == 4, "a subtree"


def changes(client: Client) -> None:
    by_traits = models.NewRegistrationOfTraits(node="label-2", traits=["theme"], id="r1")
    created = an(models.CreatedRegistration, create_registration.sync("mail", client=client, body=by_traits))
    by_set = models.NewRegistrationOfSet(node="label-2", set_="all", id="r2")
    an(models.CreatedRegistration, create_registration.sync("mail", client=client, body=by_set))
    override = models.SetOverride(op="setOverride", node="window", trait="theme", value="plain")
    body = models.Transaction(operations=[override, models.DeleteNode(op="deleteNode", node="label-1")])
    commit = an(models.Commit, run_transaction.sync("mail", client=client, body=body, changes=True))
    assert commit.notified == 2, "both are notified"
    events = an(models.EventPage, stream_session_events.sync(
        "mail", client=client, wait="0", from_=str(created.revision), registrations=["r1"]))
    records = [an(models.ChangeRecord, record) for record in events.records]
    assert [record.changes[0].current for record in records] == ["plain"], "the change of the theme"
    history = an(models.History, get_history.sync("mail", client=client, node="label-1"))
    assert an(models.OperationCounts, history.commits[0].operations).count == 2, "with another operation"


def problems(client: Client) -> None:
    wrong = models.ValuesPatch()
    wrong["theme"] = "loud"
    wrong["thme"] = 1
    problem = an(models.Problem, patch_overrides.sync("mail", "window", client=client, body=wrong))
    parts = problem.errors if isinstance(problem.errors, list) else []
    assert [part.pointer for part in parts] == ["/theme", "/thme"], "both faults"
    assert parts[1].did_you_mean == "theme", "and a suggestion"
    an(models.ProblemText, get_problem.sync(problem.code, client=client))
    delete_session.sync_detailed("mail", client=client)
    gone = an(models.Problem, get_session.sync("mail", client=client))
    assert gone.code is models.ProblemCode.UNKNOWN_SESSION and gone.status == 404, "the session has ended"


def main(url: str) -> None:
    # The index is text unless JSON is asked for.
    client = Client(base_url=url, headers={"Accept": "application/json"})
    for section in (resources, values, changes, problems):
        section(client)


if __name__ == "__main__":
    main(sys.argv[1])
