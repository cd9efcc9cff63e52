"""Faults that are planted in the page's files on their way to the browser. Each names the flow that has to find it."""

from looks import look
from names import hostile
from quick import doors, keyboard, live, pointer, what_if

# What, the file, the text that is replaced, the text in its place, and the flow.
FAULTS = [
    ("a key moves two rows", "ui/tree.js", "ArrowDown: () => this.#moveTo(at + 1)",
     "ArrowDown: () => this.#moveTo(at + 2)", keyboard),
    ("focus is not placed", "ui/app.js", "focus.focus({preventScroll: true})", "focus", keyboard),
    ("Undo writes the same value", "ui/commits.js", "inverse: setting(node, trait, before)",
     "inverse: setting(node, trait, value)", pointer),
    ("changes of others are not read", "ui/session.js", "this.traits.refresh()\n    this.plan.refresh()", "", live),
    ("a plan is written", "ui/commits.js", "'/transactions?dryRun=true&changes=true'", "'/transactions?changes=true'",
     what_if),
    ("controls stay enabled", "ui/traits.js",
     "this.#live.why(this.#writing.isPlanning)", "null", doors),
    ("the token is kept in the history", "ui/app.js", "signIn(field.value.trim())",
     "{ signIn(field.value.trim()); history.replaceState(field.value.trim(), '') }", doors),
    ("names become markup", "ui/dom.js", "export const bdi = text => h('bdi', {}, text)",
     "export const bdi = text => { const one = h('bdi'); one.innerHTML = text; return one }", hostile),
    ("names turn what is around them", "ui/dom.js", "h('bdi', {}, text)", "h('span', {}, text)", hostile),
    ("a trait is lost that has the name of a prototype", "ui/traits.js", "new Map(Object.entries(traits))",
     "new Map(Object.entries(Object.assign({}, traits)))", hostile),
    ("text is too pale", "ui/app.css", "--dim: light-dark(#59626d", "--dim: light-dark(#b9c2cd", look),
    ("a field has no name", "ui/traits.js", "'aria-label': 'Compare with node', placeholder: 'Compare with node',", "",
     look),
]
