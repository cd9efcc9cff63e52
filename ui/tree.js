// The tree of nodes. The server gives windows of rows by number, and only rows on screen and a few more are elements.

import {byId, counted, h, keyed, say, set} from './dom.js'
import {ROW, ScrollRange, Shape, findOf} from './rows.js'

const OVERSCAN = 8, WINDOW = 240, MARGIN = 60, CACHE_MAX = 3000, CHIPS = 3, FLASH = 1200, TYPING = 700, PAUSE = 50, LEVELS_MAX = 12, INDENTED_MAX = 20, ID_MIN = 12

export class Tree {
  #element = byId('tree')
  #hooks
  #range = new ScrollRange()
  #shape = new Shape()
  #rows = new Map()
  #asked = 0
  /** Answers to requests before this one are of another shape or state; `shown` is that of the rows. */
  #valid = 0
  #shown = 0
  #running = new Map()
  #hasFailed = false
  #cursor = null
  /** The row of the cursor is not loaded yet. */
  #isPending = false
  /** A node that was asked for earlier is not selected later. */
  #intent = 0
  #position = 0
  #hits = null
  #hitting = Promise.resolve()
  #nodes = 0
  #flashes = new Map()
  #marked = new Set()
  #typed = ''
  #typedAt = -TYPING
  #refreshing = null
  #frame = 0
  #isPrinting = false
  #over = new AbortController()
  #observer = new ResizeObserver(() => this.#resized())
  selected = null

  constructor(hooks) {
    this.#hooks = hooks
    const element = this.#element, on = (type, listener) => element.addEventListener(type, listener, {signal: this.#over.signal, passive: false})
    on('scroll', () => this.#scrolled())
    on('wheel', event => this.#wheel(event))
    // A mouse decides when it goes down; a finger may begin to scroll.
    on('pointerdown', event => { if (event.pointerType !== 'touch' && !event.button) this.#press(event.target) })
    on('click', event => { if (!event.detail || event.pointerType === 'touch') this.#press(event.target) })
    on('dblclick', event => { if (!event.target.closest('.twisty')) this.#toggle(this.#rowOf(event.target)) })
    on('keydown', event => this.#key(event))
    addEventListener('beforeprint', () => this.#print(true), {signal: this.#over.signal})
    addEventListener('afterprint', () => this.#print(false), {signal: this.#over.signal})
    this.#observer.observe(element)
    this.#range.view = element.clientHeight
    set(element, {'data-total': 0})
  }

  stop() {
    this.#over.abort()
    this.#observer.disconnect()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#refreshing?.timer)
    keyed(this.#element, [], row => row)
  }

  /** Begins at a node or the first row. False when there is no such node. */
  async start(node) {
    const mine = ++this.#intent
    // What cannot be read is told when the rows are.
    await this.#fill().catch(() => {})
    if (mine !== this.#intent) return true
    if (node !== null) return this.reveal(node)
    await this.#load({from: 0}, {restarts: true})
    if (mine === this.#intent) this.#moveTo(0)
    return true
  }

  /** Opens nodes, breadth first, until the rows fill the screen, unless rows are asked for meanwhile. */
  async #fill() {
    const most = Math.max(1, Math.ceil(this.#range.rowsInView)), shape = new Shape(), asked = this.#asked, ask = async depth => {
      shape.openAll(depth)
      return this.#hooks.ask({...shape.members, from: 0, count: WINDOW}, this.#over.signal)
    }
    if ((await ask(null)).total <= most) return
    let depth = 0, answer = await ask(0)
    for (let next; depth < LEVELS_MAX && answer.total < most && (next = await ask(depth + 1)).total <= most; answer = next) depth++
    shape.openAll(depth)
    let {total} = answer
    for (const row of answer.rows) {
      if (total >= most) break
      if (!row.children || row.open) continue
      shape.open([row.id], row.level)
      total += row.children
    }
    if (asked === this.#asked) this.#shape = shape
  }

  /** Selects a node, and opens what is closed above it. False when there is no such node. */
  async reveal(node, how = 'none') {
    const mine = ++this.#intent
    let answer
    for (let tries = 0; tries < 100; tries++) {
      answer = await this.#load({at: node}, {restarts: true, mayLack: true})
      if (answer?.isMissing) return false
      // Rows that a commit asked for came between.
      if (answer?.isOld) {
        if (mine === this.#intent) continue
        return true
      }
      if (!answer || answer.row !== undefined) break
      // The node is closed away, or does not match the filter.
      if (this.#shape.find) this.#setFind('')
      else this.#shape.open(answer.hidden ?? [])
    }
    if (answer?.row === undefined || mine !== this.#intent) return true
    const {top, rowsInView} = this.#range
    if (answer.row < top || answer.row + 1 > top + rowsInView) this.#setTop(answer.row - rowsInView / 2 + 0.5)
    this.#select(answer.row, how)
    return true
  }

  #restart() { return this.selected === null ? this.#load({from: 0}, {restarts: true}) : this.reveal(this.selected) }

  /** Asks for a window. With `restarts` it replaces all rows; `offset` is the row of the screen for the node `at`. */
  async #load({at, from, hitFrom = 0}, {restarts = false, offset, mayLack = false} = {}) {
    const asked = ++this.#asked
    if (restarts) this.#valid = asked
    if (at === undefined) this.#running.set(asked, from)
    let answer, error
    try {
      answer = await this.#hooks.ask({...this.#shape.members, ...at === undefined ? {from} : {at}, count: WINDOW, ...this.#shape.find && {hitFrom}}, this.#over.signal)
    } catch (thrown) { error = thrown }
    this.#running.delete(asked)
    if (this.#over.signal.aborted) return
    if (asked < this.#valid) return mayLack ? {isOld: true} : undefined
    if (mayLack && error?.status === 404) {
      // What was on screen was given up for this node.
      if (this.#shown < this.#valid) this.#load({from: this.#above}, {restarts: true})
      return {isMissing: true}
    }
    if (offset !== undefined && (error?.status === 404 || answer && answer.row === undefined)) return this.#load({from: this.#above}, {restarts: true})
    this.#failed(error)
    if (answer) this.#take(answer, offset)
    return answer
  }

  get #above() { return Math.max(0, Math.floor(this.#range.top) - MARGIN) }

  #take({rows, row, total, hits = null}, offset) {
    if (this.#shown < this.#valid || this.#rows.size > CACHE_MAX) this.#rows.clear()
    this.#shown = this.#valid
    for (const row of rows) this.#rows.set(row.row, row)
    this.#range.total = total
    this.#hits = hits
    set(this.#element, {'data-total': total})
    this.#element.style.setProperty('--height', `${this.#range.height}px`)
    this.#setTop(offset === undefined ? this.#range.top : row - offset)
    const here = rows.find(({id}) => id === this.selected)
    if (this.#isPending) this.#cursor = Math.min(this.#cursor, total - 1)
    else if (here) this.#cursor = here.row
    if (this.#isPending && this.#rows.has(this.#cursor)) this.#select(this.#cursor, 'replace')
    this.#count()
    this.#render()
  }

  #failed(error) {
    this.#hasFailed = error !== undefined
    const line = byId('tree-problem')
    line.hidden = !error
    say(line.firstChild, error ? `These rows could not be read: ${error.message}` : '')
    line.lastChild.onclick = () => this.refresh()
  }

  #want(first, last) {
    let missing = first
    while (missing <= last && this.#rows.has(missing)) missing++
    if (missing > last || this.#hasFailed || this.#shown < this.#valid) return
    for (const from of this.#running.values()) if (missing >= from && missing < from + WINDOW) return
    // The window begins before what is missing, so that moving back finds rows, too.
    let from = Math.max(0, missing - MARGIN)
    while (this.#rows.has(from)) from++
    this.#load({from})
  }

  /** Reads the rows on screen again. What is asked while a request runs becomes one more request. */
  async refresh() {
    if (this.#refreshing) {
      this.#refreshing.again = true
      return
    }
    const mine = this.#refreshing = {}
    await this.#reload()
    mine.timer = setTimeout(() => {
      this.#refreshing = null
      if (mine.again && !this.#over.signal.aborted) this.refresh()
    }, PAUSE)
  }

  #reload() {
    const {top, rowsInView} = this.#range, cursor = this.#rows.get(this.#cursor)
    const anchor = cursor?.id === this.selected && this.#cursor >= Math.floor(top) && this.#cursor < top + rowsInView ? cursor : this.#rows.get(Math.floor(top))
    return this.#load(anchor ? {at: anchor.id} : {from: this.#above}, {restarts: true, offset: anchor && anchor.row - top})
  }

  /** Shows another revision: the rows of before go at once. */
  travel() {
    this.#reload()
    this.#rows.clear()
    this.#render()
  }

  /** Marks nodes until others are marked. */
  mark(ids) {
    this.#marked = new Set(ids)
    this.#render()
  }

  has(ids) { return [...this.#rows.values()].some(({id}) => ids.has(id)) }

  flash(ids) {
    const now = performance.now()
    for (const [id, time] of this.#flashes) if (now - time > FLASH) this.#flashes.delete(id)
    for (const id of ids) this.#flashes.set(id, now)
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#render())
  }

  /** Null when unknown. */
  set nodes(count) {
    this.#nodes = count
    this.#count()
  }

  #count() {
    const {total} = this.#range, shown = this.#hits?.total ?? total, of = this.#nodes === shown ? '' : `${shown.toLocaleString('en')} of `
    say(byId('count'), this.#nodes === null ? counted(shown, 'row') : `${of}${counted(this.#nodes, 'node')}`)
    byId('tree-empty').hidden = total > 0 || !this.#shown
    if (this.#shape.find) say(byId('tree-empty'), 'No node matches')
    else if (!total) byId('tree-empty').replaceChildren('The session has no nodes. Make one with New node, or with curl: ', h('code', {}, this.#hooks.example()))
  }

  /** Paper has all rows that are loaded. */
  #print(isPrinting) {
    this.#isPrinting = isPrinting
    this.#render()
  }

  #render() {
    const {top, total, rowsInView} = this.#range, first = Math.floor(top), last = Math.min(total - 1, Math.ceil(top + rowsInView)), items = []
    if (this.#isPrinting) for (const [index, row] of [...this.#rows].sort(([one], [other]) => one - other)) items.push({index, row})
    else for (let index = Math.max(0, first - OVERSCAN); index <= Math.min(total - 1, last + OVERSCAN); index++) items.push({index, row: this.#rows.get(index)})
    const drawn = keyed(this.#element, items, ({index, row}) => row ? `node ${row.id}` : index,
      ({row}) => h('div', row ? {role: 'treeitem'} : {role: 'none', class: 'skeleton'}), (element, item) => this.#draw(element, item))
    set(this.#element, {'aria-activedescendant': drawn.get(`node ${this.selected}`)?.id})
    this.#want(first, last)
  }

  #draw(element, {index, row}) {
    element.style.transform = `translateY(${this.#position + (index - this.#range.top) * ROW}px)`
    if (!row) return
    set(element, {
      id: `row-${index}`, 'data-row': index, 'data-node': row.id, 'aria-level': row.level, 'aria-setsize': row.setSize,
      'aria-posinset': row.position, 'aria-expanded': row.children ? String(row.open) : null, 'aria-selected': String(row.id === this.selected),
      'data-hit': row.hit, 'data-marked': this.#marked.has(row.id), class: performance.now() - this.#flashes.get(row.id) < FLASH ? 'flash' : null,
    })
    if (element.shown === row) return
    element.shown = row
    element.style.setProperty('--level', Math.min(row.level, INDENTED_MAX) - 1)
    element.title = [row.id, row.label, row.overrides.length ? `sets ${row.overrides.join(', ')}` : ''].filter(Boolean).join(' · ').slice(0, 600)
    const chips = row.overrides.slice(0, CHIPS), marks = row.registrations + row.scopes
    const part = (kind, text, title) => text ? h(kind === 'twisty' || kind === 'mark' ? 'span' : 'bdi', {class: kind, title}, text) : null
    element.replaceChildren(...[
      h('span', {class: 'twisty', 'aria-hidden': 'true'}, row.children ? row.open ? '▾' : '▸' : ''),
      part('deep', row.level > INDENTED_MAX && `${row.level}·`, `level ${row.level}`), part('kind', row.kind.replace(/^window(?=S)|^\w+(?=C)/, '').toLowerCase()),
      part(row.id.length > ID_MIN ? 'id long' : 'id', row.id), part('label', row.label?.slice(0, 200)), part('state', row.state === 'current' ? '' : row.state), ...chips.map(key => part('chip', key)),
      part('more', row.values > chips.length && `+${row.values - chips.length}`, `sets ${counted(row.values, 'value')}`), part('sum', row.values, `sets ${counted(row.values, 'value')}`),
      part('mark', marks && `◉ ${marks}`, `${counted(row.registrations, 'registration')}, ${counted(row.scopes, 'scope')}`),
    ].filter(Boolean))
  }

  #setTop(top) {
    this.#range.moveTo(top)
    this.#element.scrollTop = this.#range.position
    // The browser may round what it was given.
    this.#position = this.#element.scrollTop
  }

  #scrolled() {
    const {scrollTop} = this.#element
    if (Math.abs(scrollTop - this.#position) < 1) return
    this.#position = this.#range.position = scrollTop
    this.#hasFailed = false
    this.#render()
  }

  #wheel(event) {
    if (!this.#range.isCompressed || event.ctrlKey || !event.deltaY) return
    event.preventDefault()
    this.#setTop(this.#range.top + event.deltaY / (event.deltaMode ? 1 : ROW))
    this.#hasFailed = false
    this.#render()
  }

  #resized() {
    this.#range.view = this.#element.clientHeight
    this.#setTop(this.#range.top)
    this.#render()
  }

  #select(index, how) {
    const {id} = this.#rows.get(index), isNew = id !== this.selected
    this.#cursor = index
    this.#isPending = false
    this.selected = id
    this.#render()
    if (isNew) this.#hooks.select(id, how)
  }

  #moveTo(index, how = 'replace') {
    if (!this.#range.total) return
    this.#intent++
    this.#cursor = Math.min(Math.max(0, index), this.#range.total - 1)
    this.#hasFailed = false
    this.#range.reveal(this.#cursor)
    this.#setTop(this.#range.top)
    this.#isPending = !this.#rows.has(this.#cursor)
    if (this.#isPending) this.#render()
    else this.#select(this.#cursor, how)
  }

  #rowOf(target) { return this.#rows.get(Number(target.closest('[data-row]')?.dataset.row)) }

  #press(target) {
    const row = this.#rowOf(target)
    if (row?.children && target.closest('.twisty')) this.#toggle(row)
    else if (row) this.#moveTo(row.row, 'push')
  }

    #reshape({id, row}) { return this.#load({at: id}, {restarts: true, offset: row - this.#range.top}) }

  #toggle(row) {
    if (!row?.children || this.#shape.find) return
    if (row.open) this.#shape.close(row.id)
    else this.#shape.open([row.id], row.level)
    this.#reshape(row)
  }

  expandAll() {
    this.#shape.openAll()
    this.#restart()
  }

  async #openSiblings(row) {
    this.#shape.open(await this.#hooks.children(await this.#parentOf(row)), row.level)
    this.#reshape(row)
  }

  async #parentOf(row) {
    if (row.level === 1) return null
    for (let above = row; (above = this.#rows.get(above.row - 1));) if (above.level < row.level) return above.id
    return this.#hooks.parent(row.id)
  }

  #setFind(text) {
    this.#shape.find = findOf(text)
    if (!text) byId('filter').value = ''
  }

  /** Shows the nodes that match and those above; without a text all nodes. */
  async filter(text) {
    this.#setFind(text)
    if (!this.#shape.find) return this.#restart()
    this.#cursor = null
    this.#range.moveTo(0)
    return this.#load({from: 0}, {restarts: true})
  }

  /** Selects the next hit, with -1 the one before. Both wrap. */
  hit(step) { return this.#hitting = this.#hitting.then(() => this.#hit(step)) }

  async #hit(step) {
    if (!this.#shape.find) return
    const mine = ++this.#intent, hitFrom = Math.max(0, (this.#cursor ?? -1) + (step > 0 ? 1 : 0))
    const {next, previous} = (await this.#load({from: this.#above, hitFrom}))?.hits ?? {}, row = step > 0 ? next : previous
    if (row !== undefined && mine === this.#intent) this.#moveTo(row, 'push')
  }

  #typeAhead(key) {
    const now = performance.now(), isMore = now - this.#typedAt < TYPING, at = this.#cursor ?? 0
    this.#typed = (isMore ? this.#typed : '') + key.toLowerCase()
    this.#typedAt = now
    const found = [...this.#rows.values()].filter(({id, label = ''}) => [id, label].some(text => text.toLowerCase().startsWith(this.#typed)))
      .map(({row}) => row).sort((a, b) => a - b)
    const next = found.find(row => isMore ? row >= at : row > at) ?? found[0]
    if (next !== undefined) this.#moveTo(next)
  }

  // As the ARIA practices have keys for trees.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const {key} = event, at = this.#cursor ?? -1, row = this.#isPending ? undefined : this.#rows.get(at), page = Math.max(1, Math.floor(this.#range.rowsInView) - 1)
    const moves = {
      ArrowDown: () => this.#moveTo(at + 1), ArrowUp: () => this.#moveTo(at - 1), j: () => this.#moveTo(at + 1), k: () => this.#moveTo(at - 1),
      PageDown: () => this.#moveTo(at + page), PageUp: () => this.#moveTo(at - page), Home: () => this.#moveTo(0), End: () => this.#moveTo(this.#range.total - 1),
      ArrowRight: () => row?.open ? this.#moveTo(at + 1) : this.#toggle(row),
      ArrowLeft: async () => {
        if (row?.open && !this.#shape.find) return this.#toggle(row)
        const parent = row && await this.#parentOf(row)
        if (parent) this.reveal(parent, 'replace')
      },
      '*': () => event.shiftKey && event.code !== 'NumpadMultiply' ? this.expandAll() : row && this.#openSiblings(row),
      Enter: () => this.#hooks.enter(), ' ': () => this.#toggle(row),
    }
    const isTyping = performance.now() - this.#typedAt < TYPING
    if (/^[^\s*/?]$/u.test(key) && (isTyping || !/[jknNwup.]/.test(key))) this.#typeAhead(key)
    else if (Object.hasOwn(moves, key)) moves[key]()
    else return
    event.preventDefault()
  }
}
