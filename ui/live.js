// One session as the page follows it: its stream of commits, its definitions, and what the caller may do.

import {name as escaped, request, session as open} from './server.js'

/** Operations after which rows have other numbers or other marks. */
const STRUCTURAL = new Set(['createNode', 'updateNode', 'moveNode', 'putNode', 'deleteNode', 'apply', 'layout', 'updateTraits', 'register', 'unregister',
  'setScope', 'removeScope'])
const DEFINING = new Set(['defineTrait', 'putTrait', 'deleteTrait'])
const READONLY = document.documentElement.dataset.ui === 'readonly'

export class LiveSession {
  #stream = null
  #listener
  #uid = null
  /** The revision of the stream's last record, and of the first read of the session. */
  #last = 0
  #readAt = 0

  /** The listener has `commit({isStructural, nodes})`, `record(record)`, `state(state, reason)`, `replaced()` and `defined()`. */
  constructor(name, listener) {
    this.name = name
    this.path = `/v1/sessions/${escaped(name)}`
    this.api = open(name)
    this.revision = 0
    this.nodes = 0
    /** The revision of the page's last write. */
    this.written = 0
    this.definitions = new Map()
    /** Why the caller may not write; null when it may. */
    this.why = null
    this.#listener = listener
  }

  /** Reads the session and its definitions, and begins to follow it. */
  async start(signal) {
    const [session, who] = await Promise.all([
      this.api.read('', signal), request('GET', `/v1/whoami?can=write&session=${escaped(this.name)}`, undefined, signal), this.define(signal),
    ])
    this.#read(session)
    this.#readAt = session.revision
    if (READONLY) this.why = 'This server shows its inspector for reading only.'
    else if (!who.can) this.why = `The token ${who.name ?? who.caller ?? ''} may not write to this session.`
    if (signal.aborted) return
    this.#stream = this.api.records({
      onRecord: record => this.#take(record),
      onState: state => this.#listener.state(state, this.#stream?.reason ?? null),
    })
    this.#listener.state(this.#stream.state, this.#stream.reason)
  }

  stop() { this.#stream?.close() }

  async define(signal) {
    const {traits} = await this.api.read('/traits', signal)
    this.definitions = new Map(traits.map(trait => [trait.key, trait]))
  }

  /** Reads how many nodes there are. */
  async count(signal) { this.#read(await this.api.read('', signal)) }

  #read({nodes, revision}) {
    this.nodes = nodes
    this.revision = Math.max(this.revision, revision)
  }

  #take(record) {
    const {type, revision} = record, last = this.#last
    if (typeof revision === 'number') {
      this.#last = revision
      this.revision = Math.max(this.revision, revision)
    }
    if (type === 'begin') return this.#began(record, last)
    this.#listener.record(record)
    if (type === 'commit') this.#commit(record)
    return undefined
  }

  #began({uid, revision, headRevision}, last) {
    const before = this.#uid, known = this.revision
    this.#uid = uid
    if (before !== null && before !== uid) {
      this.revision = headRevision
      this.#listener.record({type: 'replaced', revision, uid})
      return this.#listener.replaced()
    }
    if (before !== null) this.#listener.record(revision === last ? {type: 'again', revision} : {type: 'gap', fromRevision: last, toRevision: revision, revision})
    // What was read before may be older than where the stream begins.
    if (before !== null || revision > this.#readAt || known !== this.#readAt) this.#listener.commit({isStructural: true, nodes: new Set()})
    return undefined
  }

  #commit({operations}) {
    const nodes = new Set()
    let isStructural = !Array.isArray(operations), isDefining = isStructural
    for (const operation of isStructural ? [] : operations) {
      if (typeof operation.node === 'string') nodes.add(operation.node)
      isStructural ||= STRUCTURAL.has(operation.op) || operation.node === undefined
      isDefining ||= DEFINING.has(operation.op)
    }
    if (isDefining) this.#listener.defined()
    this.#listener.commit({isStructural, nodes})
  }
}
