// Which rows the tree shows. Browsers clamp the height of an element (Chromium at 16,777,200 px), so the scroll position of a long tree
// maps to a row, while keys and the wheel move by rows.

export const ROW = 28
const RANGE_MAX = 8_000_000

export class ScrollRange {
  /** Rows, and the pixels that show some of them. */
  total = 0
  view = 0
  /** The row at the upper edge, with a fraction. */
  top = 0

  get height() { return Math.min(this.total * ROW, RANGE_MAX) }
  get isCompressed() { return this.total * ROW > RANGE_MAX }
  get rowsInView() { return this.view / ROW }
  get topMax() { return Math.max(0, this.total - this.rowsInView) }

  moveTo(top) { this.top = Math.min(Math.max(0, top), this.topMax) }

  get position() { return this.isCompressed ? this.top / this.topMax * (this.height - this.view) : this.top * ROW }

  set position(pixels) { this.moveTo(this.isCompressed ? pixels / (this.height - this.view) * this.topMax : pixels / ROW) }

  reveal(row) {
    if (row < this.top) this.moveTo(row)
    else if (row + 1 > this.top + this.rowsInView) this.moveTo(row + 1 - this.rowsInView)
  }
}

const NAMES_MAX = 10000

/** Which nodes are open, and the search. */
export class Shape {
  /** Levels that are open; null for all. */
  #depth = null
  #open = new Set()
  #closed = new Set()
  find = null

  get members() {
    if (this.find) return {find: this.find, only: true}
    return {...this.#depth === null ? {} : {depth: this.#depth, open: [...this.#open]}, closed: [...this.#closed]}
  }

  open(ids, level = Infinity) {
    for (const id of ids) {
      this.#closed.delete(id)
      if (this.#depth !== null && level > this.#depth && this.#open.size < NAMES_MAX) this.#open.add(id)
    }
  }

  close(id) {
    this.#open.delete(id)
    if (this.#closed.size < NAMES_MAX) this.#closed.add(id)
  }

  openAll(depth = null) {
    this.#depth = depth
    this.#open.clear()
    this.#closed.clear()
  }
}

/** What a text of `Filter nodes` asks for, or null. */
export function findOf(text) {
  const find = {}, words = []
  for (const word of text.trim().split(/\s+/)) {
    const [, name, value] = /^(kind|trait):(.+)$/.exec(word) ?? []
    if (name) find[name === 'kind' ? 'kind' : 'overriding'] = value
    else if (word) words.push(word)
  }
  if (words.length) find.q = words.join(' ')
  return Object.keys(find).length ? find : null
}
