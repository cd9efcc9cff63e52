// Elements. Text goes in by `append` alone, so that no name or value can become markup.

/** Makes an element; `on` has its listeners. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [type, listener] of Object.entries(attributes.on ?? {})) element.addEventListener(type, listener)
  set(element, attributes)
  element.append(...children.flat().filter(child => child !== null && child !== undefined))
  return element
}

/** Sets attributes that differ. True has no value; false and null remove. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') continue
    if (value === false || value === null || value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value === true ? '' : value)) element.setAttribute(name, value === true ? '' : value)
  }
}

export const byId = id => document.getElementById(id)

/** Isolates the direction of a user's text. */
export const bdi = text => h('bdi', {}, text)

/** Replaces a text that differs: a status is read aloud when it changes. */
export function say(element, text) { if (element.textContent !== text) element.textContent = text }

export const when = time => time.slice(0, 19).replace('T', ' ')

/** A number with its noun: `1 node`, `66,700 nodes`. */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const MINUTE = 60_000, DAY = 86_400_000

/** A time in words, as somebody says it who reads the page now. */
export function ago(time, now = new Date()) {
  const then = new Date(time), passed = now - then, clock = then.toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})
  if (passed < MINUTE) return 'just now'
  if (passed < 60 * MINUTE) return `${Math.floor(passed / MINUTE)} min ago`
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / DAY)
  if (days < 2) return `${days ? 'yesterday' : 'today'} ${clock}`
  return then.toLocaleDateString('en-GB', {day: 'numeric', month: 'short', ...then.getFullYear() === now.getFullYear() ? {} : {year: 'numeric'}})
}

/** A time in words, with the exact one as its tooltip. */
export const timeElement = time => h('time', {class: 'hint', datetime: time, title: when(time)}, ago(time))

export const plain = value => typeof value === 'string' ? value : JSON.stringify(value) ?? ''

export function brief(value, most = 60) {
  const text = plain(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Makes a list one stop of Tab: arrows move between the `heads` of its items, and Tab within the item that has focus. The function that it
 * returns makes it so for items that came since. O(controls). */
export function roving(list, items, head) {
  let current = null
  const reach = (item, can) => { for (const one of item.querySelectorAll('a, button, input, select')) one.tabIndex = can ? 0 : -1 }
  const enter = item => {
    if (item === current) return
    if (current) reach(current, false)
    current = item
    reach(item, true)
  }
  list.addEventListener('focusin', ({target}) => {
    const item = target.closest(items)
    if (item && list.contains(item)) enter(item)
  })
  list.addEventListener('keydown', event => {
    if (!event.target.matches(head) || event.ctrlKey || event.metaKey || event.altKey) return
    const all = [...list.querySelectorAll(head)].filter(one => one.checkVisibility()), at = all.indexOf(event.target)
    const next = {ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all.at(-1)}[event.key]
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  return () => {
    const all = list.querySelectorAll(items)
    if (!current?.isConnected || !list.contains(current)) current = all[0] ?? null
    for (const item of all) reach(item, item === current)
  }
}

const kept = new WeakMap()

/** Makes the elements of a list, after `after` or first in `parent`. An item whose key was there keeps its element, and so focus and what
 * is open. O(items). */
export function keyed(parent, items, keyOf, make, update, after = null) {
  const old = kept.get(parent) ?? new Map(), now = new Map(), keys = new Set(items.map(keyOf))
  for (const [key, element] of old) if (!keys.has(key)) element.remove()
  let last = after
  for (const item of items) {
    const key = keyOf(item)
    if (now.has(key)) continue
    const element = old.get(key) ?? make(item)
    update?.(element, item)
    const place = last ? last.nextSibling : parent.firstChild
    if (place !== element) parent.insertBefore(element, place)
    now.set(key, element)
    last = element
  }
  kept.set(parent, now)
  return now
}
