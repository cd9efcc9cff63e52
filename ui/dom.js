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

export const plain = value => typeof value === 'string' ? value : JSON.stringify(value) ?? ''

export function brief(value, most = 60) {
  const text = plain(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
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
