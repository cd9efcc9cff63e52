// Keys outside of fields, the list of all keys, and clicks that no redraw loses.

import {byId, h} from './dom.js'

const LIST = [
  ['↑ ↓ or k j', 'one row up or down'], ['→', 'open, or the first child'], ['←', 'close, or the parent'], ['Home End', 'first and last row'],
  ['PageUp PageDown', 'a page of rows'], ['*', 'open the siblings'], ['Shift *', 'expand all'], ['letters', 'the next node that begins with them'],
  ['Enter', 'from the tree to the traits, from the filter to the next hit'], ['/', 'filter nodes'], ['n N', 'next and previous hit'],
  ['w', 'what if'], ['u', 'undo'], ['p', 'pause the changes'], ['.', 'back to now'], ['Escape', 'clear the filter, show the selected node'], ['?', 'this list'],
]

const isField = element => element.matches?.('input:not([type=radio]):not([type=checkbox]), select, textarea, [contenteditable]')

export function listen(view) {
  const dialog = byId('help'), letters = h('input', {type: 'checkbox', checked: true})
  dialog.append(h('h2', {}, 'Shortcuts'), h('dl', {}, LIST.flatMap(([keys, meaning]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, meaning)])),
    h('p', {}, h('label', {}, letters, ' Letter keys outside of the tree, and . / ?')), h('form', {method: 'dialog'}, h('button', {}, 'Close')))
  byId('shortcuts').addEventListener('click', () => dialog.showModal())

  const actions = {
    '/': () => byId('filter').focus(),
    n: session => session.tree.hit(1), N: session => session.tree.hit(-1), w: () => byId('what-if').click(), u: () => byId('undo').click(), '.': () => byId('now').click(),
    p: session => session.changes.pause(), '?': () => dialog.showModal(), Escape: session => session.escape(),
  }
  document.addEventListener('keydown', event => {
    const session = view()
    if (!session || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') || isField(event.target)) return
    if (!letters.checked && event.key.length === 1) return
    if (!Object.hasOwn(actions, event.key)) return
    event.preventDefault()
    actions[event.key](session)
  })
}

// When a redraw moves or removes a control between pointer down and up, the browser sends no click, and this module does.
const CONTROLS = 'a[href], button, summary, label, input'
const MOVE_MAX = 8

let pressed = null

addEventListener('pointerdown', event => {
  const isPlain = event.isPrimary && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  const control = isPlain && event.pointerType !== 'touch' && event.target.closest?.(CONTROLS)
  pressed = control ? {control, x: event.clientX, y: event.clientY} : null
}, true)

addEventListener('pointercancel', () => { pressed = null }, true)

addEventListener('pointerup', event => {
  if (!pressed) return
  const {control, x, y} = pressed
  pressed = null
  if (Math.hypot(event.clientX - x, event.clientY - y) > MOVE_MAX) return
  let isClicked = false
  const see = click => { isClicked ||= control.contains(click.target) }
  addEventListener('click', see, true)
  // The browser's own click comes in the same task.
  setTimeout(() => {
    removeEventListener('click', see, true)
    if (!isClicked && !control.disabled) control.click()
  })
}, true)
