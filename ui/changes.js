// The commits and changes of the stream, newest first. The last 500 entries stay.

import {bdi, h, keyed, say, set, byId} from './dom.js'
import {brief} from './values.js'

const ENTRIES_MAX = 500, RECORD_BYTES_MAX = 8192, OPERATIONS_SHOWN = 3, CHANGES_SHOWN = 5

export class Changes {
  #section = byId('changes')
  #entries = []
  #waiting = []
  /** Entries of one commit have a group: the newest group comes first, and in a group the commit before its changes. */
  #group = 0
  #number = 0
  #frame = 0
  #name
  #isPaused = false
  #list = h('div', {role: 'log', 'aria-label': 'Changes', tabindex: 0})
  #note = h('p', {class: 'note'}, 'Waiting for changes')
  #filter = h('input', {type: 'search', 'aria-label': 'Filter changes', placeholder: 'Filter changes', on: {input: () => this.#draw()}})
  #pause = h('button', {'aria-pressed': 'false', on: {click: () => this.pause()}}, 'Pause')
  #status = h('span', {role: 'status', class: 'hint'})

  constructor(name) {
    this.#name = name
    this.#section.replaceChildren(h('div', {class: 'bar'}, h('h2', {}, 'Changes'), this.#filter, this.#pause,
      h('button', {on: {click: () => this.#clear()}}, 'Clear'), h('button', {on: {click: () => this.#download()}}, 'Download'), this.#status), this.#note, this.#list)
  }

  stop() {
    cancelAnimationFrame(this.#frame)
    this.#section.replaceChildren()
  }

  /** Takes a record of the stream, or an entry of the page's own. */
  take(record) {
    const elements = elementsOf(record)
    if (!elements) return
    if (!record.part) this.#group++
    this.#waiting.push({key: ++this.#number, group: this.#group, record: bounded(record), elements, text: null})
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
    this.#entries = [...this.#waiting, ...this.#entries].sort((a, b) => b.group - a.group || a.key - b.key).slice(0, ENTRIES_MAX)
    this.#waiting = []
    say(this.#status, '')
    this.#draw()
  }

  #clear() {
    this.#entries = []
    this.#draw()
  }

  #draw() {
    const text = this.#filter.value.trim().toLowerCase()
    const shown = text ? this.#entries.filter(entry => (entry.element ?? this.#make(entry)).textContent.toLowerCase().includes(text)) : this.#entries
    this.#note.hidden = shown.length > 0
    say(this.#note, text && this.#entries.length ? 'No change matches' : 'Waiting for changes')
    keyed(this.#list, shown, entry => entry.key, entry => entry.element ?? this.#make(entry))
  }

  #make(entry) {
    const {record: {type, revision, time}} = entry
    entry.element = h('div', {class: 'entry', 'data-record': type, 'data-revision': revision ?? null},
      revision === undefined ? null : h('b', {}, String(revision)), ' ', time ? h('time', {datetime: time, class: 'hint'}, time.slice(11, 23)) : null, ' ', entry.elements)
    entry.elements = null
    return entry.element
  }

  #download() {
    const lines = [...this.#entries].reverse().map(entry => `${JSON.stringify(entry.record)}\n`)
    const url = URL.createObjectURL(new Blob(lines, {type: 'application/x-ndjson'}))
    h('a', {href: url, download: `${this.#name}-changes.ndjson`}).click()
    setTimeout(() => URL.revokeObjectURL(url), 10000)
  }
}

/** A record that is kept for the download: of a long one only what it is. */
function bounded(record) {
  const {operations, changes, ...rest} = record
  if (!operations && !changes || JSON.stringify(record).length <= RECORD_BYTES_MAX) return record
  return {...rest, ...operations ? {operations: {count: operations.length}} : {}, ...changes ? {changes: changes.slice(0, CHANGES_SHOWN)} : {}, shortened: true}
}

function elementsOf(record) {
  const words = {
    commit: () => commitElements(record),
    change: () => [bdi(record.registration ?? 'watch'), ' at ', bdi(record.node), ' ', changeElements(record.changes)].flat(),
    invalidate: () => ['scope ', bdi(record.scope), ' of ', bdi(record.node), ' is stale: ', bdi(record.changed.slice(0, CHANGES_SHOWN).join(', '))],
    gap: () => [record.toRevision < record.fromRevision ? `The session went back from revision ${record.fromRevision} to ${record.toRevision}.`
      : `A gap: the commits from ${record.fromRevision + 1} to ${record.toRevision} are missing here.`],
    again: () => ['Connected again; nothing is missing.'],
    lost: () => ['The connection is lost.'],
    replaced: () => ['The session was replaced.'],
    end: () => [`The stream has ended: ${record.reason}`],
  }
  return Object.hasOwn(words, record.type) ? words[record.type]() : null
}

function commitElements({operations, notified, cause}) {
  const isFull = Array.isArray(operations), count = isFull ? operations.length : operations.count
  const list = (isFull ? operations.slice(0, OPERATIONS_SHOWN) : []).flatMap(({op, node, trait, value}) =>
    [h('span', {class: 'op'}, op), ' ', ...node ? [bdi(node), ' '] : [], ...trait ? [bdi(trait), ' '] : [], ...value === undefined ? [] : [bdi(brief(value)), ' ']])
  return [...list, ...count > OPERATIONS_SHOWN || !isFull ? [`${count} operations `] : [], h('span', {class: 'hint'}, `notifies ${notified}`),
    cause ? h('bdi', {class: 'hint'}, ` ${Object.entries(cause).map(([name, value]) => `${name} ${brief(value, 40)}`).join(', ')}`) : null]
}

export function changeElements(changes) {
  const shown = changes.slice(0, CHANGES_SHOWN).flatMap(({trait, previous, current}, index) =>
    [index ? ', ' : '', bdi(trait), ' ', h('s', {}, bdi(brief(previous))), ' → ', bdi(brief(current))])
  return changes.length > CHANGES_SHOWN ? [...shown, ` and ${changes.length - CHANGES_SHOWN} more`] : shown
}
