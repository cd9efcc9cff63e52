// Elements without markup: text goes in by `append` alone, so that no name or value can become an element.

/** An element. Attributes that are true stand without a value; false and null ones are left out; `on` adds listeners. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [type, listener] of Object.entries(attributes.on ?? {})) element.addEventListener(type, listener)
  set(element, attributes)
  element.append(...children.flat().filter(child => child !== null && child !== undefined))
  return element
}

/** Sets attributes, and only those that differ. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') continue
    if (value === false || value === null || value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value === true ? '' : value)) element.setAttribute(name, value === true ? '' : value)
  }
}

export const byId = id => document.getElementById(id)

/** Text of a user, isolated from the direction of what stands around it. */
export const bdi = text => h('bdi', {}, text)

/** Replaces the text of an element, unless it is there already: a status is read aloud when its text changes. */
export function say(element, text) { if (element.textContent !== text) element.textContent = text }

/** A value as text. */
export const plain = value => typeof value === 'string' ? value : JSON.stringify(value) ?? ''

/** A value in a line of text. */
export function brief(value, most = 60) {
  const text = plain(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

const kept = new WeakMap()

/** Makes the elements of a list, after `after` or at the start of `parent`. An item with a key that was there keeps its element, and
 * so focus, selection and what is open; elements move only when the order differs. O(items). */
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
