"""Faults that are planted in the page's files on their way to the browser. Each names the flow that has to find it."""

from looks import look
from names import hostile
from past import history_by_keys, history_refused, look_at_past, past_by_pointer, past_for_reading, past_refused
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
    ("a history is not read again", "ui/traits.js", "else if (past === null && this.#state !== state) this.#latest.refresh()", "",
     history_by_keys),
    ("values of the present in the past", "ui/session.js", "at(path) { return this.past === null ?", "at(path) { return true ?",
     history_by_keys),
    ("controls stay enabled in the past", "ui/traits.js", "this.#live.why(this.#writing.isPlanning)",
     "(this.#live.past === null ? this.#live.why(this.#writing.isPlanning) : null)", history_by_keys),
    ("no key leads back to now", "ui/keys.js", "'.': () => byId('now').click(),", "", history_by_keys),
    ("rows of the present in the past", "ui/session.js", "this.live.at('/rows')", "'/rows'", past_by_pointer),
    ("links leave the past", "ui/session.js", "revision = this.live.past) =>", "revision = null) =>", past_by_pointer),
    ("the address loses the past", "ui/session.js", "{session: name, revision: past}", "{session: name, past = null}",
     past_by_pointer),
    ("a node that was not there may have been deleted", "ui/traits.js", "past === null ? `${node}: it may", "true ? `${node}: it may",
     past_by_pointer),
    ("a revision that is gone ends the view", "ui/session.js", "if (this.past === null) throw error", "throw error", past_refused),
    ("values of another node stay", "ui/session.js", "if (isOther || isSelected", "if (isSelected", past_refused),
    ("Retry does nothing", "ui/traits.js", "h('button', {on: {click: () => this.#latest.refresh()}}, 'Retry')), () => say",
     "h('button', {}, 'Retry')), () => say", history_refused),
    ("a caller is left out", "ui/commits.js", "caller: caller?.name ?? caller?.id", "caller: undefined", past_for_reading),
    ("reasons turn what is around them", "ui/commits.js", "...rest} = {}) => bdi(", "...rest} = {}) => h('span', {}, ",
     past_for_reading),
    ("values of another revision stay, pale", "ui/traits.js", "this.#region.className = 'gone'", "this.#region.className = 'old'",
     look_at_past),
]
