// The list of changes: the commits of the past, newest first, and those that the stream brings.

import {bdi, byId, h, keyed, roving, say, set, timeElement, when} from './dom.js'
import {Latest, queryOf} from './server.js'
import {KIND_NAMES, callerOf, changeElements, commitElements, endWords, notifiedWords, operationElements, originWords} from './words.js'

const PAGE = 50, ENTRIES_MAX = 2000, RECORD_BYTES_MAX = 8192, NOTICES_MAX = 20, OPERATIONS_MAX = 200, OPERATIONS_SHOWN = 100, NEAR = 400, PAUSE = 250, PAGES_MAX = 20

/** Operations that move no node. */
const IN_PLACE = /^(set|remove)(Override|Supplied)$/

/** The filters by the names that they have in the address, with those of the history's query and of the fields. */
const FILTERS = {
  caller: ['caller', 'Caller'], onNode: ['node', 'Node'], below: ['below', 'and below it'], onTrait: ['trait', 'Trait'], kind: ['kind', 'Kind'], since: ['since', 'Since'], reason: ['reason', 'Reason contains'],
}
export const FILTER_NAMES = Object.keys(FILTERS)

const UNITS = {m: 60_000, h: 3_600_000, d: 86_400_000}

/** What a text of `Since` means for the history; null for text that is none. Days begin at midnight here. */
export function sinceOf(text, now = new Date()) {
  if (/^\d{1,15}$/.test(text)) return text
  const [, count, unit] = /^(\d{1,6}) ?([mhd])/i.exec(text) ?? [], word = text.toLowerCase()
  if (count) return new Date(now - count * UNITS[unit.toLowerCase()]).toISOString()
  if (word === 'today' || word === 'yesterday') return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (word === 'yesterday')).toISOString()
  // A day alone would be midnight in London.
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

export class Changes {
  #section = byId('changes')
  #live
  #hooks
  /** Entries by key; those of commits have the revision as key. */
  #entries = new Map()
  #waiting = []
  #number = 0
  #frame = 0
  #newest = 0
  #token = null
  #hasRead = false
  #isPaused = false
  #open = new Set()
  /** Elements whose details are read. */
  #detailed = new WeakSet()
  #latest = new Latest((token, signal) => this.#read(token, signal), (page, token) => this.#took(page, token), error => this.#failed(error), () => say(this.#note, 'Loading'))
  #typing = 0
  #refreshing = 0
  /** Promises of the nodes above a node, by its name, for the filter of a node and what is below it. */
  #above = new Map()
  #list = h('div', {role: 'log', 'aria-label': 'Changes', tabindex: 0, on: {scroll: () => this.#scrolled()}})
  #older = h('button', {class: 'link', hidden: true, on: {click: () => this.#more()}}, 'Show older')
  #note = h('p', {class: 'note', role: 'status'})
  #problem = h('p', {class: 'problem', role: 'alert'})
  #fields = new Map(Object.entries(FILTERS).map(([name, [, label]]) => [name, name === 'below' ? h('input', {type: 'checkbox', on: {change: () => this.#typed(0)}}) : h('input', {type: 'search', 'aria-label': label, placeholder: label, maxlength: 256,
    list: name === 'kind' ? 'kinds' : name === 'since' ? 'times' : null, title: name === 'since' ? 'yesterday, 2h, 2026-01-31, or a revision' : null,
    on: {input: () => this.#typed(200), change: () => this.#typed(0)}})]))
  #pause = h('button', {'aria-pressed': 'false', on: {click: () => this.pause()}}, 'Pause')
  #status = h('span', {role: 'status', class: 'hint'})
  #reach = roving(this.#list, '.entry', '.line > .disclosure')
  #timer

  /** `hooks` has `link` of a revision, `nodeLink` of a node and trait, `filter(filters)` for the address, and `undo` and `back` for a commit. */
  constructor(live, filters, hooks) {
    this.#live = live
    this.#hooks = hooks
    for (const [name, field] of this.#fields) {
      if (name === 'below') field.checked = filters[name] !== null
      else field.value = filters[name] ?? ''
    }
    const options = (id, values) => h('datalist', {id}, values.map(value => h('option', {value})))
    this.#section.replaceChildren(h('div', {class: 'bar'}, h('h2', {}, 'Changes'), h('span', {class: 'space'}), this.#status, this.#pause,
      h('button', {on: {click: () => this.#clear()}}, 'Clear'), h('button', {on: {click: () => this.#download()}}, 'Download')),
    h('div', {class: 'filters', role: 'group', 'aria-label': 'Filter changes'}, ...[...this.#fields].map(([name, field]) => name === 'below' ? h('label', {}, field, ` ${FILTERS[name][1]}`) : field), options('kinds', [...KIND_NAMES, 'revert', 'apply', 'copy', 'import']),
      options('times', ['1h', 'today', 'yesterday', '7d'])), this.#problem, this.#note, this.#list, this.#older)
    this.#timer = setInterval(() => this.#draw(), 60_000)
    this.#latest.ask(null)
  }

  stop() {
    cancelAnimationFrame(this.#frame)
    clearInterval(this.#timer)
    clearTimeout(this.#typing)
    clearTimeout(this.#refreshing)
    this.#latest.stop()
    this.#section.replaceChildren()
  }

  get #filters() {
    const {below, ...given} = Object.fromEntries([...this.#fields].map(([name, {value, type, checked}]) => [name, type === 'checkbox' ? checked : value.trim()]).filter(([, value]) => value))
    return below && given.onNode ? {...given, below: 'true'} : given
  }

  #typed(pause) {
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => {
      this.#above.clear()
      this.#hooks.filter(Object.fromEntries(FILTER_NAMES.map(name => [name, this.#filters[name] ?? null])))
      this.#entries.clear()
      this.#latest.ask(null)
    }, pause)
  }

  #query() {
    const query = {}, {below, onNode, ...filters} = this.#filters
    for (const [name, value] of Object.entries(below ? filters : {...filters, onNode})) {
      if (!value) continue
      query[FILTERS[name][0]] = name === 'since' ? sinceOf(value) : value
      if (query[FILTERS[name][0]] === null) throw new Error('Since takes yesterday, 2h, 2026-01-31 or a revision.')
    }
    return query
  }

  /** A page of commits. Those on a node and what is below it are looked for on several pages. */
  async #read(token, signal) {
    const {below, onNode} = this.#filters
    if (!below) return this.#page(token, signal)
    const commits = []
    for (let next = token, pages = 1; ; pages++) {
      const page = await this.#page(next, signal), are = await Promise.all(page.commits.map(commit => this.#isBelow(commit, onNode)))
      commits.push(...page.commits.filter((_, at) => are[at]))
      next = page.nextPageToken
      if (!next || commits.length >= PAGE || pages === PAGES_MAX) return {commits, nextPageToken: next}
    }
  }

  /** Whether an operation is on the node or below it. A commit with too many operations to look at counts. */
  async #isBelow({operations, revision}, node) {
    if (!Array.isArray(operations)) return true
    for (const name of new Set(operations.flatMap(({op, node, parent, to}) => [node, parent, op === 'renameNode' ? to : null]))) {
      if (name && (name === node || (await this.#nodesAbove(name, revision)).includes(node))) return true
    }
    return false
  }

  /** The nodes above a node now; above one that was deleted, as of the commit, or of the one before. */
  #nodesAbove(node, revision) {
    if (!this.#above.has(node)) this.#above.set(node, this.#readAbove(node, ['', `?revision=${revision}`, ...revision > 1 ? [`?revision=${revision - 1}`] : []]))
    return this.#above.get(node)
  }

  async #readAbove(node, times) {
    for (const time of times) {
      try { return (await this.#live.request('POST', `/rows${time}`, undefined, {at: node, depth: 0, count: 1})).hidden ?? [] } catch (error) {
        if (error.status !== 404 && error.status !== 410) throw error
      }
    }
    return []
  }

  /** A page of commits with their operations, but for those with too many of them. */
  async #page(token, signal) {
    const query = this.#query(), read = more => this.#live.request('GET', `/history?${queryOf({...query, ...more})}`, signal)
    const page = await read({pageSize: PAGE, ...token && {pageToken: token}})
    // Neighbours that are small enough are read in one request.
    for (let first = 0; first < page.commits.length;) {
      let last = first, sum = 0
      while (last < page.commits.length && sum + page.commits[last].operations.count <= OPERATIONS_MAX) sum += page.commits[last++].operations.count
      if (last > first) {
        const full = await read({pageSize: last - first, operations: true, until: page.commits[first].revision})
        for (const commit of full.commits) {
          const place = page.commits.findIndex(({revision}) => revision === commit.revision)
          if (place >= 0) page.commits[place] = commit
        }
      }
      first = Math.max(last, first + 1)
    }
    return page
  }

  #took({commits, nextPageToken}, token) {
    say(this.#problem, '')
    if (token === null) {
      const known = commits.some(({revision}) => this.#entries.has(revision))
      if (!known && commits.length) for (const key of this.#entries.keys()) if (typeof key === 'number' && key < commits.at(-1).revision) this.#entries.delete(key)
      if (!known || !this.#hasRead) this.#token = nextPageToken ?? null
    } else this.#token = nextPageToken ?? null
    this.#hasRead = true
    for (const commit of commits) this.#add({type: 'commit', ...commit})
    this.#draw()
  }

  #failed(error) {
    this.#above.clear()
    say(this.#note, '')
    this.#problem.replaceChildren(`${error.message} `, h('button', {on: {click: () => this.#latest.refresh()}}, 'Retry'))
  }

  #more() { if (this.#token && this.#entries.size < ENTRIES_MAX) this.#latest.ask(this.#token) }

  #scrolled() {
    const {scrollTop, scrollHeight, clientHeight} = this.#list
    if (this.#token && !this.#older.disabled && scrollHeight - scrollTop - clientHeight < NEAR) {
      this.#older.disabled = true
      this.#more()
    }
  }

  #add(record) {
    const key = record.type === 'commit' ? record.revision : `n${++this.#number}`, known = this.#entries.get(key)
    // The history knows more of a commit than the stream, and the stream what it notified.
    if (known) Object.assign(known.record, {...record, operations: Array.isArray(known.record.operations) ? known.record.operations : record.operations})
    else this.#entries.set(key, {key, order: record.type === 'commit' ? record.revision : this.#newest + 0.5, number: this.#number, record, notices: [], noticed: 0})
    if (record.type === 'commit') this.#newest = Math.max(this.#newest, record.revision)
    return this.#entries.get(key)
  }

  take(record) {
    if (record.type !== 'commit' && record.type !== 'change' && record.type !== 'invalidate' && !Object.hasOwn(EVENTS, record.type)) return
    this.#waiting.push(bounded(record))
    if (this.#waiting.length > ENTRIES_MAX) this.#waiting.shift()
    if (this.#isPaused) say(this.#status, `${this.#waiting.length}${this.#waiting.length === ENTRIES_MAX ? ' or more' : ''} waiting`)
    else if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#flush())
  }

  pause() {
    this.#isPaused = !this.#isPaused
    set(this.#pause, {'aria-pressed': String(this.#isPaused)})
    if (!this.#isPaused) this.#flush()
  }

  #flush() {
    this.#frame = 0
    const isFiltered = Object.keys(this.#filters).length > 0
    for (const record of this.#waiting) {
      const {type, revision} = record
      if (type === 'replaced' || type === 'gap' && record.toRevision < record.fromRevision) {
        // Its revisions begin again.
        for (const key of this.#entries.keys()) if (typeof key === 'number' && (type === 'replaced' || key > record.toRevision)) this.#entries.delete(key)
        this.#newest = type === 'replaced' ? 0 : record.toRevision
      }
      if (type === 'replaced' || type === 'gap') this.#refresh()
      if (type === 'commit') {
        if (!record.operations?.every?.(({op}) => IN_PLACE.test(op))) this.#above.clear()
        if (isFiltered) this.#refresh()
        else this.#add(record)
      } else if (type === 'change' || type === 'invalidate') {
        const entry = this.#entries.get(revision)
        if (!entry) continue
        entry.noticed++
        if (entry.notices.length < NOTICES_MAX) entry.notices.push(record)
        entry.drawn = null
      } else this.#add(record)
    }
    this.#waiting = []
    say(this.#status, '')
    this.#draw()
  }

  /** Reads the newest commits again; at most four times a second. */
  #refresh() {
    clearTimeout(this.#refreshing)
    this.#refreshing = setTimeout(() => this.#latest.ask(null), PAUSE)
  }

  #clear() {
    this.#entries.clear()
    this.#token = null
    this.#draw()
  }

  #draw() {
    const isFiltered = Object.keys(this.#filters).length > 0
    let shown = [...this.#entries.values()].filter(({record}) => !isFiltered || record.type === 'commit').sort((a, b) => b.order - a.order || b.number - a.number)
    for (const {key} of shown.slice(ENTRIES_MAX)) this.#entries.delete(key)
    shown = shown.slice(0, ENTRIES_MAX)
    this.#older.hidden = !this.#token || shown.length >= ENTRIES_MAX
    this.#older.disabled = false
    say(this.#note, shown.length ? '' : !this.#hasRead ? 'Loading' : isFiltered ? `No commit matches${this.#token ? ' so far' : ''}` : 'Waiting for changes')
    this.#note.hidden = shown.length > 0
    keyed(this.#list, shown, entry => entry.key, entry => this.#make(entry), (element, entry) => this.#update(element, entry))
    this.#reach()
  }

  #make({record: {type, revision}}) {
    return type !== 'commit' ? h('div', {class: 'entry', 'data-record': type, 'data-revision': revision}) : h('div', {class: 'entry', 'data-record': type, 'data-revision': revision},
      h('div', {class: 'line'}), h('div', {class: 'detail', hidden: true}), h('div', {hidden: true}))
  }

  #update(element, entry) {
    const {record, record: {type, revision, time}} = entry, minute = Math.floor(Date.now() / 60_000)
    if (type !== 'commit') return element.firstChild || element.append(h('b', {}, revision ?? ''), ' ', ...EVENTS[type](record))
    const isOpen = this.#open.has(revision)
    if (entry.drawn !== record.operations || entry.minute !== minute) {
      const caller = callerOf(record.cause), reason = record.cause?.reason, what = h('span', {class: 'what'}, ...commitElements(record.operations))
      what.title = what.textContent
      const button = element.querySelector('button[aria-expanded]') ?? h('button', {class: 'disclosure', 'aria-label': `Details of revision ${revision}`, on: {click: () => this.#unfold(element, entry)}})
      const had = document.activeElement
      element.firstChild.replaceChildren(button, h('a', {href: this.#hooks.link(revision), title: `The session at revision ${revision}`}, revision), timeElement(time),
        caller ? h('bdi', {class: 'caller', 'data-caller': caller, title: caller}, caller) : '', what, reason ? h('bdi', {class: 'hint reason', 'data-reason': reason, title: reason}, reason) : '')
      if (element.contains(had) || had === button) had.focus({preventScroll: true})
      entry.drawn = record.operations
      entry.minute = minute
      element.lastChild.replaceChildren(...entry.notices.map(notice => h('div', {class: 'hint', 'data-record': notice.type, 'data-revision': notice.revision}, ...noticeElements(notice))),
        entry.noticed > entry.notices.length ? h('div', {class: 'hint'}, `and ${entry.noticed - entry.notices.length} more`) : '')
    }
    set(element.querySelector('button'), {'aria-expanded': String(isOpen)})
    element.children[1].hidden = element.lastChild.hidden = !isOpen
  }

  #unfold(element, entry) {
    const {revision} = entry.record, isOpen = !this.#open.has(revision)
    if (isOpen) this.#open.add(revision)
    else this.#open.delete(revision)
    this.#update(element, entry)
    if (!isOpen || this.#detailed.has(element)) return
    this.#detailed.add(element)
    this.#detail(element.children[1], entry)
  }

  /** The operations with the values before them. */
  async #detail(element, {record: {revision, time, operations, notified, cause, shortened}}) {
    const write = label => action => h('button', {'data-write': true, on: {click: () => action(revision)}}, label)
    const why = this.#live.why(false), undo = write('Undo this commit')(this.#hooks.undo), back = write('Back to before this')(this.#hooks.back)
    for (const button of [undo, back]) {
      button.disabled = why !== null || revision === 1
      set(button, {title: why ?? (revision === 1 ? 'The session began with this commit.' : null)})
    }
    const list = h('ol', {'aria-label': 'Operations'}), note = h('p', {class: 'hint', role: 'status'}), origin = originWords(cause)
    element.replaceChildren(h('p', {class: 'hint'}, `Revision ${revision}, ${when(time)}`, ...callerOf(cause) ? [' by ', bdi(callerOf(cause))] : [], cause?.reason ? [': ', bdi(cause.reason)] : [], origin ? `. ${origin}` : ''),
      list, note, h('p', {class: 'hint'}, notifiedWords(notified ?? 0)), h('div', {class: 'bar'}, undo, back))
    const count = Array.isArray(operations) ? operations.length : operations?.count ?? 0
    if (!shortened && count > OPERATIONS_MAX) return say(note, `${count.toLocaleString('en')} operations, too many to list here`)
    say(note, 'Loading')
    try {
      const {commits: [commit]} = await this.#live.request('GET', `/history?pageSize=1&operations=true&since=${revision}&until=${revision}`)
      if (!commit) return say(note, 'This commit is no longer retained.')
      list.replaceChildren(...commit.operations.slice(0, OPERATIONS_SHOWN).map(operation => h('li', {'data-operation': operation.op}, ...this.#operation(operation, commit.previousIsKnown !== false))))
      say(note, commit.operations.length > OPERATIONS_SHOWN ? `and ${commit.operations.length - OPERATIONS_SHOWN} more` : '')
    } catch (error) { say(note, error.message) }
  }

  #operation(operation, isKnown) {
    const {op, node, trait, value, previous} = operation
    if (!IN_PLACE.test(op)) return operationElements(operation)
    const text = value => value === undefined ? 'inherit' : bdi(JSON.stringify(value).length > 200 ? `${JSON.stringify(value).slice(0, 200)}…` : typeof value === 'string' ? value : JSON.stringify(value))
    return [h('a', {href: this.#hooks.nodeLink(node, trait)}, bdi(node)), ' ', bdi(trait), op.endsWith('Supplied') ? ' supplied' : '', ' ', isKnown ? [h('s', {}, text(previous)), ' → '] : '', h('b', {}, text(value))].flat()
  }

  #download() {
    const lines = [...this.#entries.values()].sort((a, b) => a.order - b.order).flatMap(({record, notices}) => [record, ...notices]).map(record => `${JSON.stringify(record)}\n`)
    const url = URL.createObjectURL(new Blob(lines, {type: 'application/x-ndjson'}))
    h('a', {href: url, download: `${this.#live.name}-changes.ndjson`}).click()
    setTimeout(() => URL.revokeObjectURL(url), 10000)
  }
}

/** A long record is kept without its operations and changes. */
function bounded(record) {
  if (JSON.stringify(record).length <= RECORD_BYTES_MAX) return record
  const {operations, changes, ...rest} = record, kinds = {}
  for (const {op} of operations ?? []) kinds[op] = (kinds[op] ?? 0) + 1
  return {...rest, ...operations && {operations: {count: operations.length, kinds}}, ...changes && {changes: changes.slice(0, 1)}, shortened: true}
}

const noticeElements = ({type, registration, node, changes, scope, changed}) => type === 'change' ? [bdi(registration ?? 'watch'), ' at ', bdi(node), ' ', ...changeElements(changes)]
  : ['scope ', bdi(scope), ' of ', bdi(node), ' is stale: ', bdi(changed.slice(0, 5).join(', '))]

const EVENTS = {
  gap: record => [record.toRevision < record.fromRevision ? `The session went back from revision ${record.fromRevision} to ${record.toRevision}.`
    : `A gap: the commits from ${record.fromRevision + 1} to ${record.toRevision} did not arrive as they happened.`],
  again: () => ['Connected again; nothing is missing.'],
  lost: () => ['The connection is lost.'],
  replaced: () => ['The session was replaced.'],
  end: record => [`The stream has ended: ${endWords(record.reason)}`],
}
