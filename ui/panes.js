// The tabs of the third pane.

import {byId, set} from './dom.js'

const tabs = [...document.querySelectorAll('[role=tab]')]

/** Shows a panel of the third pane, by its id. */
export function showTab(id) {
  for (const tab of tabs) {
    const panel = tab.getAttribute('aria-controls'), isShown = panel === id
    set(tab, {'aria-selected': String(isShown), tabindex: isShown ? null : -1})
    byId(panel).hidden = !isShown
  }
}

const MOVES = {ArrowRight: (at, count) => (at + 1) % count, ArrowLeft: (at, count) => (at + count - 1) % count, Home: () => 0, End: (_, count) => count - 1}

for (const [at, tab] of tabs.entries()) {
  tab.addEventListener('click', () => showTab(tab.getAttribute('aria-controls')))
  tab.addEventListener('keydown', event => {
    if (!Object.hasOwn(MOVES, event.key)) return
    const next = tabs[MOVES[event.key](at, tabs.length)]
    event.preventDefault()
    showTab(next.getAttribute('aria-controls'))
    next.focus()
  })
}
