// The three panes: splitters between them, and the tabs of the third one.

import {byId, set} from './dom.js'

const tabs = [...document.querySelectorAll('[role=tab]')]

/** Shows a panel of the third pane, by its id. The panel gets the event `shown`. */
export function showTab(id) {
  for (const tab of tabs) {
    const panel = tab.getAttribute('aria-controls'), isShown = panel === id
    set(tab, {'aria-selected': String(isShown), tabindex: isShown ? null : -1})
    if (byId(panel).hidden !== isShown) continue
    byId(panel).hidden = !isShown
    if (isShown) byId(panel).dispatchEvent(new Event('shown'))
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

// --- The splitters. A pane that is folded has no width, and the same double press or Enter unfolds it.

const WIDTHS = [31, 38, 31], LEAST = 12, STEP = 2
const widths = [...WIDTHS], separators = [...document.querySelectorAll('[role=separator]')], panes = byId('panes')

function draw() {
  for (const [at, width] of widths.entries()) panes.style.setProperty(`--pane-${at}`, `${width}fr`)
  for (const [at, separator] of separators.entries()) set(separator, {'aria-valuenow': Math.round(at ? widths[2] : widths[0])})
}

/** Moves the boundary after a pane by a part of the whole. */
function move(at, part) {
  const by = Math.min(Math.max(part, LEAST - widths[at]), widths[at + 1] - LEAST)
  widths[at] += by
  widths[at + 1] -= by
  draw()
}

function fold(at) {
  const outer = at ? 2 : 0, by = widths[outer] ? -widths[outer] : Math.min(WIDTHS[outer], widths[1] - LEAST)
  widths[outer] += by
  widths[1] -= by
  draw()
}

for (const [at, separator] of separators.entries()) {
  const steps = {ArrowLeft: -STEP, ArrowRight: STEP, Home: -100, End: 100}
  separator.addEventListener('keydown', event => {
    if (event.key === 'Enter') fold(at)
    else if (Object.hasOwn(steps, event.key)) move(at, steps[event.key])
    else return
    event.preventDefault()
  })
  separator.addEventListener('dblclick', () => fold(at))
  separator.addEventListener('pointerdown', event => {
    separator.setPointerCapture(event.pointerId)
    let {clientX} = event
    separator.onpointermove = ({clientX: now}) => {
      move(at, (now - clientX) / panes.clientWidth * 100)
      clientX = now
    }
  })
  separator.addEventListener('lostpointercapture', () => { separator.onpointermove = null })
}
draw()
