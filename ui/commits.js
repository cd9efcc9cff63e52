// Commits that the page writes, that it plans, and that the stream brings.

import {bdi, brief, byId, h, keyed, say, set} from './dom.js'
import {Latest, showCurl} from './server.js'

const UNDO_MAX = 100
const UNDO_TRIES = 5

const setting = (node, trait, value) => value === undefined ? {op: 'removeOverride', node, trait} : {op: 'setOverride', node, trait, value}

export class Writing {
  #done = []
  #send
  #check
  #onChange
  #plan = new Map()

  isPlanning = false

  /** `check` says what of the values that operations have made is another one now, and at which revision. */
  constructor(send, check, onChange) {
    this.#send = send
    this.#check = check
    this.#onChange = onChange
  }

  get canUndo() { return this.#done.length > 0 }

  get planned() { return [...this.#plan.values()] }

  plannedFor(node, trait) { return this.isPlanning ? this.#plan.get(JSON.stringify([node, trait])) : undefined }

  /** Sets an override; undefined is none. `before` is what the node set. */
  async put(node, trait, value, before) {
    const entry = {operation: setting(node, trait, value), inverse: setting(node, trait, before)}
    if (!this.isPlanning) return this.#write([entry])
    const key = JSON.stringify([node, trait])
    this.#plan.delete(key)
    if (JSON.stringify(entry.operation) !== JSON.stringify(entry.inverse)) this.#plan.set(key, entry)
    this.#onChange()
  }

  drop({node, trait}) {
    this.#plan.delete(JSON.stringify([node, trait]))
    this.#onChange()
  }

  mode(isPlanning) {
    this.isPlanning = isPlanning
    this.#onChange()
  }

  /** Empties the plan. The page goes on planning, so that the next click writes nothing either. */
  discard() {
    this.#plan.clear()
    this.#onChange()
  }

  /** Writes the plan as one transaction, if the session is still at the revision of its effects. */
  async apply(ifRevision) {
    await this.#write(this.planned, {ifRevision})
    this.#plan.clear()
    this.mode(false)
  }

  /** Takes the page's last write back. `ask` gets the values that are no longer the page's, and says whether to go on. */
  async undo(ask) {
    const last = this.#done.pop()
    if (!last) return
    this.#onChange()
    let isUndone = false
    try { isUndone = await this.#undo(last, ask) } finally {
      if (!isUndone) this.#done.push(last)
      this.#onChange()
    }
  }

  async #undo(last, ask) {
    const inverse = last.map(entry => entry.inverse).reverse()
    for (let tries = 1; ; tries++) {
      const {revision, changes} = await this.#check(last.map(entry => entry.operation))
      if (changes.length && !await ask(changes)) return false
      try {
        await this.#send(inverse, {ifRevision: revision})
        return true
      } catch (error) { if (error.status !== 412 || tries === UNDO_TRIES) throw error }
    }
  }

  async #write(entries, options) {
    const commit = await this.#send(entries.map(entry => entry.operation), options)
    if (commit.unchanged) return
    this.#done.push(entries)
    if (this.#done.length > UNDO_MAX) this.#done.shift()
    this.#onChange()
  }
}

const EFFECTS_SHOWN = 200

export class Plan {
  #section = byId('plan')
  #live
  #writing
  #latest
  #effects = null
  #error = null
  #isBusy = false
  #list = h('ol', {class: 'planned'})
  #status = h('p', {role: 'status', class: 'note'})
  #problem = h('p', {class: 'problem', role: 'alert'})
  #effectList = h('ul', {class: 'effects', 'aria-label': 'Effects'})
  #apply = h('button', {id: 'apply', on: {click: () => this.#send()}}, 'Apply')

  constructor({live, writing}) {
    this.#live = live
    this.#writing = writing
    this.#latest = new Latest((operations, signal) => live.request('POST', '/transactions?dryRun=true&changes=true', signal, {operations}),
      effects => this.#took(effects, null), error => this.#took(null, error), () => say(this.#status, 'Computing'))
    this.#section.replaceChildren(h('div', {class: 'bar'}, h('h2', {}, 'What if'), this.#apply, h('button', {on: {click: () => writing.discard()}}, 'Discard')),
      this.#list, this.#problem, this.#status, this.#effectList)
  }

  stop() {
    this.#latest.stop()
    this.#section.replaceChildren()
    this.#section.hidden = true
  }

  change() {
    const {planned, isPlanning} = this.#writing
    this.#section.hidden = !isPlanning
    this.#error = null
    if (isPlanning && planned.length) this.#compute()
    else {
      this.#latest.stop()
      this.#took(null, null)
    }
  }

  refresh() { if (this.#writing.isPlanning && this.#writing.planned.length) this.#latest.refresh() }

  #compute() {
    const operations = this.#writing.planned.map(({operation}) => operation)
    showCurl('POST', `${this.#live.path}/transactions?dryRun=true&changes=true`, {operations})
    this.#isBusy = true
    this.#latest.ask(operations)
    this.#draw()
  }

  #took(effects, error) {
    this.#isBusy = false
    this.#effects = effects
    this.#error = error
    this.#draw()
  }

  async #send() {
    const {revision, unchanged} = this.#effects
    this.#apply.disabled = true
    try { await this.#writing.apply(unchanged ? revision : revision - 1) } catch (error) {
      if (error.status === 412) {
        this.#compute()
        say(this.#problem, 'The session has changed, so the effects are computed again. Look at them, and apply again.')
      } else this.#took(null, error)
    }
  }

  #draw() {
    const {planned} = this.#writing, at = Number(/^\/operations\/(\d+)/.exec(this.#error?.problem?.pointer ?? '')?.[1] ?? NaN)
    keyed(this.#list, planned.map(({operation}, index) => ({operation, index})), ({operation}) => JSON.stringify([operation.node, operation.trait]),
      ({operation}) => h('li', {'data-planned': operation.trait, 'data-node': operation.node}, h('span'), ' ',
        h('button', {class: 'link', 'aria-label': `Remove ${operation.op} ${operation.node} ${operation.trait}`, on: {click: () => this.#writing.drop(operation)}}, 'Remove'),
        h('span', {class: 'problem'})),
      (element, {operation, index}) => {
        element.firstChild.replaceChildren(bdi(operation.node), ' ', bdi(operation.trait), ' = ', operation.op === 'removeOverride' ? 'inherit' : bdi(brief(operation.value)))
        say(element.lastChild, index === at ? this.#error.message : '')
      })
    say(this.#problem, this.#error && Number.isNaN(at) ? this.#error.message : '')
    this.#apply.disabled = !this.#effects || this.#isBusy
    const effects = (this.#effects?.changes ?? []).flatMap(({registration, node, changes}) => changes.map(change => ({registration, node, change})))
    if (!this.#isBusy) {
      const hidden = effects.length - EFFECTS_SHOWN
      say(this.#status, !planned.length ? 'Choose values beside the traits: nothing is written before Apply.' : !this.#effects ? ''
        : !this.#effects.notified && !effects.length ? 'No registration would be notified'
          : `${this.#effects.notified} registration${this.#effects.notified === 1 ? '' : 's'} would be notified${this.#effects.truncated || hidden > 0 ? '; the first changes:' : ''}`)
    }
    const stale = (this.#effects?.invalidations ?? []).slice(0, EFFECTS_SHOWN)
    this.#effectList.replaceChildren(...effects.slice(0, EFFECTS_SHOWN).map(({registration, node, change}) =>
      h('li', {'data-effect': change.trait, 'data-node': node, 'data-registration': registration}, bdi(registration), ' at ', bdi(node), ' ', bdi(change.trait), ' ',
        h('s', {}, bdi(brief(change.previous))), ' → ', bdi(brief(change.current)))),
    ...stale.map(({node, scope}) => h('li', {}, 'scope ', bdi(scope), ' of ', bdi(node), ' goes stale')))
  }
}

const ENTRIES_MAX = 500, RECORD_BYTES_MAX = 8192, OPERATIONS_SHOWN = 3, CHANGES_SHOWN = 5

export class Changes {
  #section = byId('changes')
  #entries = []
  #waiting = []
  /** A commit and its changes are a group: the newest comes first, and the commit first in it. */
  #group = 0
  #number = 0
  #frame = 0
  #name
  #link
  #isPaused = false
  #list = h('div', {role: 'log', 'aria-label': 'Changes', tabindex: 0})
  #note = h('p', {class: 'note'}, 'Waiting for changes')
  #filter = h('input', {type: 'search', 'aria-label': 'Filter changes', placeholder: 'Filter', on: {input: () => this.#draw()}})
  #pause = h('button', {'aria-pressed': 'false', on: {click: () => this.pause()}}, 'Pause')
  #status = h('span', {role: 'status', class: 'hint'})

  constructor(name, link) {
    this.#name = name
    this.#link = link
    this.#section.replaceChildren(h('div', {class: 'bar'}, h('h2', {}, 'Changes'), this.#filter, this.#pause,
      h('button', {on: {click: () => {
        this.#entries = []
        this.#draw()
      }}}, 'Clear'), h('button', {on: {click: () => this.#download()}}, 'Download'), this.#status), this.#note, this.#list)
  }

  stop() {
    cancelAnimationFrame(this.#frame)
    this.#section.replaceChildren()
  }

  take(record) {
    const elements = elementsOf(record)
    if (!elements) return
    if (!record.part) this.#group++
    this.#waiting.push({key: ++this.#number, group: this.#group, record: bounded(record), elements})
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

  #draw() {
    const text = this.#filter.value.trim().toLowerCase()
    const shown = text ? this.#entries.filter(entry => this.#make(entry).textContent.toLowerCase().includes(text)) : this.#entries
    this.#note.hidden = shown.length > 0
    say(this.#note, text && this.#entries.length ? 'No change matches' : 'Waiting for changes')
    keyed(this.#list, shown, entry => entry.key, entry => this.#make(entry))
  }

  #make(entry) {
    const {record: {type, revision, time}, elements} = entry
    entry.element ??= h('div', {class: 'entry', 'data-record': type, 'data-revision': revision},
      type === 'commit' ? h('a', {href: this.#link(revision), title: `The session at revision ${revision}`}, revision) : h('b', {}, revision ?? ''), ' ',
      h('time', {class: 'hint'}, time?.slice(11, 23) ?? ''), ' ', elements)
    return entry.element
  }

  #download() {
    const lines = [...this.#entries].reverse().map(entry => `${JSON.stringify(entry.record)}\n`)
    const url = URL.createObjectURL(new Blob(lines, {type: 'application/x-ndjson'}))
    h('a', {href: url, download: `${this.#name}-changes.ndjson`}).click()
    setTimeout(() => URL.revokeObjectURL(url), 10000)
  }
}

/** A long record is kept without its operations and changes. */
function bounded(record) {
  if (JSON.stringify(record).length <= RECORD_BYTES_MAX) return record
  const {operations, changes, ...rest} = record
  return {...rest, shortened: true}
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

export function operationElements(operations) {
  const more = operations.length - OPERATIONS_SHOWN
  return [...operations.slice(0, OPERATIONS_SHOWN).flatMap(({op, node, trait, value}) =>
    [h('b', {}, op), ...[node, trait, value].flatMap(part => part === undefined ? [] : [' ', bdi(brief(part))]), ' ']), more > 0 ? `and ${more} more, ` : '']
}

export const causeOf = ({reason, caller, ...rest} = {}) => bdi(Object.entries({reason, caller: caller?.name ?? caller?.id, ...rest})
  .map(([name, value]) => value === undefined ? '' : ` · ${name} ${brief(value, 256)}`).join(''))

const commitElements = ({operations, notified, cause}) => [...operationElements(operations), h('span', {class: 'hint'}, `notifies ${notified}`, causeOf(cause))]

function changeElements(changes) {
  const shown = changes.slice(0, CHANGES_SHOWN).flatMap(({trait, previous, current}, index) =>
    [index ? ', ' : '', bdi(trait), ' ', h('s', {}, bdi(brief(previous))), ' → ', bdi(brief(current))])
  return changes.length > CHANGES_SHOWN ? [...shown, ` and ${changes.length - CHANGES_SHOWN} more`] : shown
}
