// The tree of nodes. Only rows on screen and a few more are elements; the server gives windows of rows by number.

import {bdi, byId, h, keyed, say, set} from './dom.js'
import {ROW, ScrollRange, Shape, findOf} from './rows.js'

const OVERSCAN = 8, WINDOW = 240, MARGIN = 60, CACHE_MAX = 3000, CHIPS = 3, FLASH = 1200, TYPING = 700, PAUSE = 50
const KINDS = new Map([['windowScene', 'scene'], ['window', 'window'], ['presentationController', 'presentation'],
  ['viewController', 'controller'], ['view', 'view'], ['environment', 'environment']])

export class Tree {
  #element = byId('tree')
  #ask
  #children
  #onSelect
  #onEnter
  #range = new ScrollRange()
  #shape = new Shape()
  /** Rows by number: {asked, row}. `asked` numbers the requests, so that an older answer never replaces a newer one. */
  #rows = new Map()
  #asked = 0
  /** Answers to requests before this one show another shape or an older state of the session. */
  #valid = 0
  #shown = 0
  #running = new Map()
  #hasFailed = false
  #cursor = null
  #selected = null
  /** A key moved to a row that is not loaded yet. */
  #isPending = false
  #position = 0
  #hits = null
  #nodes = 0
  #flashes = new Map()
  #typed = ''
  #typedAt = 0
  #refreshing = null
  #frame = 0
  #over = new AbortController()
  #observer

  /** `ask(body, signal)` gives rows, `children(id)` the ids that inherit from a node; `onSelect(id, how)` follows the selection. */
  constructor({ask, children, onSelect, onEnter}) {
    this.#ask = ask
    this.#children = children
    this.#onSelect = onSelect
    this.#onEnter = onEnter
    const element = this.#element, on = (type, listener, options = {}) => element.addEventListener(type, listener, {...options, signal: this.#over.signal})
    on('scroll', () => this.#scrolled())
    on('wheel', event => this.#wheel(event), {passive: false})
    // A mouse decides when it goes down; a finger may begin to scroll.
    on('pointerdown', event => { if (event.pointerType !== 'touch' && !event.button) this.#act(event.target) })
    on('click', event => { if (!event.detail || event.pointerType === 'touch') this.#act(event.target) })
    on('dblclick', event => { if (!event.target.closest('.twisty')) this.#toggle(this.#rowOf(event.target)) })
    on('keydown', event => this.#key(event))
    this.#observer = new ResizeObserver(() => this.#resized())
    this.#observer.observe(element)
    set(element, {'data-total': 0})
    this.#range.view = element.clientHeight
  }

  stop() {
    this.#over.abort()
    this.#observer.disconnect()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#refreshing?.timer)
    keyed(this.#element, [], row => row)
  }

  get selected() { return this.#selected }

  // --- Windows of rows.

  /** Opens the tree at a node, or at its first row. */
  async start(node) {
    if (node !== null && await this.reveal(node)) return true
    if (node !== null) return false
    await this.#load({from: 0}, {restarts: true})
    if (this.#range.total) this.#moveTo(0, 'replace')
    return true
  }

  /** Shows and selects a node; opens what is closed above it. False when there is no such node. */
  async reveal(node, how = 'none') {
    let answer = await this.#load({at: node}, {restarts: true, isQuiet: true})
    if (answer?.status === 404) return false
    for (let tries = 0; answer?.hidden && tries < 3; tries++) {
      this.#shape.open(answer.hidden)
      answer = await this.#load({at: node}, {restarts: true})
    }
    // The node does not match the filter.
    if (answer && answer.row === undefined && this.#shape.find) {
      this.clearFilter(false)
      return this.reveal(node, how)
    }
    if (answer?.row === undefined) return true
    const {row} = answer, {top, rowsInView} = this.#range
    if (row < top || row + 1 > top + rowsInView) this.#setTop(row - rowsInView / 2 + 0.5)
    this.#select(row, how)
    return true
  }

  /** Asks for a window. `restarts`: what is shown is of another shape or state, and goes when the answer comes. `keeps`: this node
   * stays where it is on screen. */
  async #load({at, from, count = WINDOW, hitFrom}, {restarts = false, keeps = null, isQuiet = false} = {}) {
    const asked = ++this.#asked
    if (restarts) this.#valid = asked
    const first = from ?? Math.max(0, this.#cursor ?? 0)
    this.#running.set(asked, at === undefined ? [first, first + count] : [0, 0])
    const body = {...this.#shape.members, ...at === undefined ? {from} : {at}, count, ...this.#shape.find ? {hitFrom: hitFrom ?? 0} : {}}
    try {
      const answer = await this.#ask(body, this.#over.signal)
      if (asked < this.#valid || this.#isOver) return undefined
      // The node that should stay in place is closed away, or matches the filter no longer.
      if (keeps && answer.row === undefined) return this.#load({from: this.#above}, {restarts: true})
      this.#take(asked, answer, keeps)
      return answer
    } catch (error) {
      if (asked < this.#valid || this.#isOver) return undefined
      if (isQuiet && error.status === 404) return {status: 404}
      if (keeps && error.status === 404) return this.#load({from: this.#above}, {restarts: true})
      this.#failed(error)
      return undefined
    } finally { this.#running.delete(asked) }
  }

  get #above() { return Math.max(0, Math.floor(this.#range.top) - MARGIN) }
  get #isOver() { return this.#over.signal.aborted }

  #take(asked, answer, keeps) {
    this.#failed(null)
    if (this.#shown < this.#valid) {
      this.#rows.clear()
      this.#shown = this.#valid
    }
    if (this.#rows.size > CACHE_MAX) this.#rows.clear()
    for (const row of answer.rows) if (!(this.#rows.get(row.row)?.asked > asked)) this.#rows.set(row.row, {asked, row})
    this.#range.total = answer.total
    this.#hits = answer.hits ?? null
    set(this.#element, {'data-total': answer.total})
    this.#element.style.setProperty('--height', `${this.#range.height}px`)
    if (keeps && answer.row !== undefined) this.#setTop(answer.row - keeps.offset)
    else this.#setTop(this.#range.top)
    const here = answer.rows.find(row => row.id === this.#selected)
    if (here && !this.#isPending) this.#cursor = here.row
    else if (this.#cursor !== null && this.#cursor >= answer.total) this.#cursor = answer.total ? answer.total - 1 : null
    if (this.#isPending && this.#rows.has(this.#cursor)) this.#select(this.#cursor, 'replace')
    this.#counted()
    this.#render()
  }

  #failed(error) {
    this.#hasFailed = error !== null
    const line = byId('tree-problem')
    line.hidden = !error
    say(line.querySelector('[role=alert]'), error ? `These rows could not be read: ${error.message}` : '')
    line.querySelector('button').onclick = () => this.refresh()
  }

  /** Asks for rows in view that are missing, unless a request for them runs. */
  #want(first, last) {
    if (this.#hasFailed || !this.#range.total) return
    let missing = first
    while (missing <= last && this.#rows.has(missing)) missing++
    if (missing > last) return
    for (const [from, to] of this.#running.values()) if (missing >= from && missing < to) return
    if (this.#shown < this.#valid) return
    // The window begins before what is missing, so that moving back finds rows, too.
    let from = Math.max(0, missing - MARGIN)
    while (this.#rows.has(from)) from++
    this.#load({from})
  }

  /** Reads the rows on screen again: the session has changed. Requests that follow while one runs become one. */
  refresh() {
    this.#hasFailed = false
    if (this.#refreshing) { this.#refreshing.again = true; return }
    const mine = this.#refreshing = {again: false, timer: 0}
    const top = Math.floor(this.#range.top), inView = row => row >= top && row <= top + this.#range.rowsInView
    const anchor = this.#cursor !== null && inView(this.#cursor) && this.#rows.get(this.#cursor)?.row.id === this.#selected ? this.#cursor : top
    const entry = this.#rows.get(anchor)
    const done = this.#load(entry ? {at: entry.row.id} : {from: this.#above},
      {restarts: true, keeps: entry ? {offset: anchor - this.#range.top} : null})
    done.then(() => {
      if (this.#refreshing !== mine || this.#isOver) return
      mine.timer = setTimeout(() => {
        this.#refreshing = null
        if (mine.again) this.refresh()
      }, PAUSE)
    })
  }

  /** Whether a node is among the loaded rows. O(rows on screen and a few hundred more). */
  has(ids) {
    for (const {row} of this.#rows.values()) if (ids.has(row.id)) return true
    return false
  }

  flash(ids) {
    const now = performance.now()
    for (const id of ids) this.#flashes.set(id, now)
    for (const [id, time] of this.#flashes) if (now - time > FLASH) this.#flashes.delete(id)
    this.#later()
  }

  set nodes(count) {
    this.#nodes = count
    this.#counted()
  }

  #counted() {
    const {total} = this.#range, number = count => count.toLocaleString('en')
    say(byId('count'), this.#hits ? `${number(this.#hits.total)} of ${number(this.#nodes)} nodes`
      : total === this.#nodes ? `${number(total)} nodes` : `${number(total)} of ${number(this.#nodes)} nodes`)
    byId('tree-empty').hidden = total > 0 || !this.#shown
    say(byId('tree-empty'), this.#shape.find ? 'No node matches' : 'The session has no nodes')
  }

  // --- Drawing.

  #later() {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#render())
  }

  #render() {
    const {top, total, rowsInView} = this.#range, first = Math.floor(top), last = Math.min(total - 1, Math.ceil(top + rowsInView))
    const items = []
    for (let index = Math.max(0, first - OVERSCAN); index <= Math.min(total - 1, last + OVERSCAN); index++) {
      items.push({index, row: this.#rows.get(index)?.row ?? null})
    }
    keyed(this.#element, items, item => item.row ? `n${item.row.id}` : item.index, item => item.row ? h('div', {role: 'treeitem'}) : h('div', {role: 'none', 'aria-hidden': 'true', class: 'skeleton'}),
      (element, item) => this.#draw(element, item))
    const drawn = this.#selected !== null && this.#rows.get(this.#cursor)?.row.id === this.#selected
      && this.#cursor >= first - OVERSCAN && this.#cursor <= last + OVERSCAN
    set(this.#element, {'aria-activedescendant': drawn ? `row-${this.#cursor}` : null})
    this.#want(first, last)
  }

  #draw(element, {index, row}) {
    element.style.transform = `translateY(${this.#position + (index - this.#range.top) * ROW}px)`
    if (!row) return
    const flashed = this.#flashes.get(row.id)
    set(element, {
      id: `row-${index}`, 'data-row': index, 'data-node': row.id, 'aria-level': row.level, 'aria-setsize': row.setSize,
      'aria-posinset': row.position, 'aria-expanded': row.children ? String(row.open) : null,
      'aria-selected': String(row.id === this.#selected), 'data-hit': row.hit ? '' : null, 'data-state': row.state ?? null,
      class: flashed !== undefined && performance.now() - flashed < FLASH ? 'flash' : null,
    })
    if (element.shown === row) return
    element.shown = row
    element.style.setProperty('--level', Math.min(row.level - 1, 24))
    element.replaceChildren(
      h('span', {class: 'twisty', 'aria-hidden': 'true'}, row.children ? row.open ? '▾' : '▸' : ''),
      h('span', {class: 'kind'}, KINDS.get(row.kind) ?? row.kind), h('bdi', {class: 'id'}, row.id),
      ...row.label ? [h('bdi', {class: 'label'}, row.label.slice(0, 200))] : [],
      ...row.state && row.state !== 'current' ? [h('span', {class: 'state'}, row.state)] : [],
      ...row.overrides.slice(0, CHIPS).map(key => h('bdi', {class: 'chip'}, key)),
      ...row.values > Math.min(row.overrides.length, CHIPS) ? [h('span', {class: 'more', title: `sets ${row.values} values`}, `+${row.values - Math.min(row.overrides.length, CHIPS)}`)] : [],
      ...row.registrations + row.scopes ? [h('span', {class: 'mark', title: `${row.registrations} registrations, ${row.scopes} scopes`},
        `◉ ${row.registrations + row.scopes}`, h('span', {class: 'unseen'}, ' registrations and scopes'))] : [],
    )
  }

  // --- Scrolling.

  #setTop(top) {
    this.#range.moveTo(top)
    this.#element.scrollTop = this.#range.position
    // The browser may round what it was given.
    this.#position = this.#element.scrollTop
  }

  #scrolled() {
    const {scrollTop} = this.#element
    if (Math.abs(scrollTop - this.#position) < 1) return
    this.#position = scrollTop
    this.#range.position = scrollTop
    this.#hasFailed = false
    this.#render()
  }

  #wheel(event) {
    if (!this.#range.isCompressed || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return
    event.preventDefault()
    const rows = event.deltaMode === 1 ? event.deltaY : event.deltaMode === 2 ? event.deltaY * this.#range.rowsInView : event.deltaY / ROW
    this.#setTop(this.#range.top + rows)
    this.#hasFailed = false
    this.#render()
  }

  #resized() {
    this.#range.view = this.#element.clientHeight
    this.#setTop(this.#range.top)
    this.#render()
  }

  // --- Selecting.

  #select(index, how) {
    const {row} = this.#rows.get(index)
    this.#cursor = index
    this.#isPending = false
    const isNew = row.id !== this.#selected
    this.#selected = row.id
    this.#render()
    if (isNew) this.#onSelect(row.id, how)
  }

  /** Goes to a row by its number, loaded or not. */
  #moveTo(index, how = 'replace') {
    if (!this.#range.total) return
    this.#cursor = Math.min(Math.max(0, index), this.#range.total - 1)
    this.#hasFailed = false
    this.#range.reveal(this.#cursor)
    this.#setTop(this.#range.top)
    if (this.#rows.has(this.#cursor)) return this.#select(this.#cursor, how)
    this.#isPending = true
    this.#render()
  }

  #rowOf(target) {
    const id = target.closest?.('[data-row]')?.dataset.row
    return id === undefined ? undefined : this.#rows.get(Number(id))?.row
  }

  #act(target) {
    const row = this.#rowOf(target)
    if (!row) return
    if (target.closest('.twisty') && row.children) this.#toggle(row)
    else this.#select(row.row, 'push')
  }

  // --- Opening and closing.

  #reshape(row) {
    return this.#load({at: row.id}, {restarts: true, keeps: {offset: row.row - this.#range.top}})
  }

  #toggle(row) {
    if (!row?.children || this.#shape.find) return undefined
    if (row.open) this.#shape.close(row.id)
    else this.#shape.open([row.id], row.level)
    return this.#reshape(row)
  }

  expandAll() {
    this.#shape.openAll()
    return this.#selected === null ? this.#load({from: 0}, {restarts: true}) : this.reveal(this.#selected)
  }

  async #openSiblings(row) {
    const parent = await this.#parentOf(row)
    this.#shape.open(await this.#children(parent), row.level)
    await this.#reshape(row)
  }

  async #parentOf(row) {
    if (row.level === 1) return null
    for (let index = row.row - 1; this.#rows.has(index); index--) {
      if (this.#rows.get(index).row.level < row.level) return this.#rows.get(index).row.id
    }
    return this.#children(row.id, 'parent')
  }

  // --- Searching.

  /** Shows the nodes that match, and what is above them. */
  async filter(text) {
    this.#shape.find = findOf(text)
    if (!this.#shape.find) return this.clearFilter(true)
    this.#range.moveTo(0)
    const answer = await this.#load({from: 0}, {restarts: true})
    if (answer) this.#cursor = answer.rows.find(row => row.id === this.#selected)?.row ?? null
    return answer
  }

  /** Shows all nodes again, and the selected one among them. */
  clearFilter(reveals = true) {
    byId('filter').value = ''
    this.#shape.find = null
    this.#hits = null
    if (!reveals) return undefined
    return this.#selected === null ? this.#load({from: 0}, {restarts: true}) : this.reveal(this.#selected)
  }

  get isFiltered() { return this.#shape.find !== null }

  /** Selects the next hit, or the one before. Both wrap. */
  async hit(step) {
    if (!this.#shape.find) return
    const hitFrom = Math.max(0, (this.#cursor ?? -1) + (step > 0 ? 1 : 0))
    const answer = await this.#load({from: Math.min(hitFrom, Math.max(0, this.#range.total - 1)), hitFrom})
    const row = step > 0 ? answer?.hits?.next : answer?.hits?.previous
    if (row !== undefined) this.#moveTo(row, 'push')
  }

  #typeAhead(key) {
    const now = performance.now()
    this.#typed = now - this.#typedAt < TYPING ? this.#typed + key : key
    this.#typedAt = now
    const text = this.#typed.toLowerCase(), from = (this.#cursor ?? 0) + (text.length > 1 ? 0 : 1)
    const loaded = [...this.#rows.keys()].sort((a, b) => a - b)
    for (const index of [...loaded.filter(index => index >= from), ...loaded.filter(index => index < from)]) {
      const {id, label} = this.#rows.get(index).row
      if (id.toLowerCase().startsWith(text) || label?.toLowerCase().startsWith(text)) return void this.#moveTo(index)
    }
  }

  // --- Keys, as the ARIA practices have them for trees.

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const {key} = event, at = this.#cursor ?? -1, row = this.#isPending ? undefined : this.#rows.get(this.#cursor)?.row
    const page = Math.max(1, Math.floor(this.#range.rowsInView) - 1)
    const isTyping = performance.now() - this.#typedAt < TYPING && this.#typed !== ''
    const letter = key.length === 1 && key !== '*' && key !== '/' && key !== '?' && key !== ' '
    if (letter && (isTyping || !/[jknNwup]/.test(key))) {
      this.#typeAhead(key)
      event.preventDefault()
      return
    }
    const moves = {
      ArrowDown: () => this.#moveTo(at + 1), j: () => this.#moveTo(at + 1), ArrowUp: () => this.#moveTo(at - 1), k: () => this.#moveTo(at - 1),
      Home: () => this.#moveTo(0), End: () => this.#moveTo(this.#range.total - 1),
      PageDown: () => this.#moveTo(at + page), PageUp: () => this.#moveTo(at - page),
      ArrowRight: () => row?.children && (row.open ? this.#moveTo(at + 1) : this.#toggle(row)),
      ArrowLeft: async () => {
        if (row?.open && !this.#shape.find) return this.#toggle(row)
        const parent = row && await this.#parentOf(row)
        return parent ? this.reveal(parent, 'replace') : undefined
      },
      '*': () => event.shiftKey && event.code !== 'NumpadMultiply' ? this.expandAll() : row && this.#openSiblings(row),
      Enter: () => this.#onEnter(),
      ' ': () => this.#toggle(row),
    }
    if (!Object.hasOwn(moves, key)) return
    event.preventDefault()
    event.stopPropagation()
    moves[key]()
  }
}
