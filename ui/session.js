// One session: what its stream, its reads and its writes say, and how the parts of its view act on each other.

import {byId, say, set} from './dom.js'
import {Changes, Plan, Writing} from './commits.js'
import {format, write as writePlace} from './place.js'
import {name as escaped, request, session as open, showCurl} from './server.js'
import {Traits} from './traits.js'
import {Tree} from './tree.js'

/** Operations after which rows have other numbers or other marks. */
const STRUCTURAL = new Set(['createNode', 'updateNode', 'moveNode', 'putNode', 'deleteNode', 'apply', 'layout', 'updateTraits', 'register', 'unregister',
  'setScope', 'removeScope'])
const DEFINING = new Set(['defineTrait', 'putTrait', 'deleteTrait'])
const READONLY = document.documentElement.dataset.ui === 'readonly'

class LiveSession {
  #stream = null
  #listener
  #uid = null
  /** The revision of the stream's last record, and of the first read of the session. */
  #last = 0
  #readAt = 0

  /** The listener has `commit({isStructural, nodes})`, `record(record)`, `state(state, reason)` and `defined()`. */
  constructor(name, listener) {
    this.name = name
    this.path = `/v1/sessions/${escaped(name)}`
    this.api = open(name)
    this.revision = 0
    this.nodes = 0
    /** The revision of the page's last write. */
    this.written = 0
    this.definitions = new Map()
    /** Why the caller may not write, and why not even plan; null when it may. */
    this.why = null
    this.whyNoPlan = null
    this.#listener = listener
  }

  /** Reads the session and its definitions, and begins to follow it. */
  async start(signal) {
    const [session, who] = await Promise.all([
      this.api.read('', signal), request('GET', `/v1/whoami?can=write&session=${escaped(this.name)}`, undefined, signal), this.define(signal),
    ])
    this.#read(session)
    this.#readAt = session.revision
    this.whyNoPlan = who.can ? null : `The token ${who.name ?? who.caller} may not write to this session.`
    this.why = READONLY ? 'This server shows its inspector for reading only.' : this.whyNoPlan
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
  }

  #began({uid, revision, headRevision}, last) {
    const before = this.#uid
    this.#uid = uid
    if (before !== null && before !== uid) {
      this.revision = headRevision
      this.written = 0
      this.#listener.record({type: 'replaced', revision})
      this.#listener.defined()
    } else if (before !== null) this.#listener.record(revision === last ? {type: 'again', revision} : {type: 'gap', fromRevision: last, toRevision: revision, revision})
    // What was read before may be older than where the stream begins.
    if (before !== null || revision !== this.#readAt) this.#listener.commit({isStructural: true, nodes: new Set()})
  }

  #commit({operations}) {
    if (operations.some(({op}) => DEFINING.has(op))) this.#listener.defined()
    this.#listener.commit({isStructural: operations.some(({op, node}) => !node || STRUCTURAL.has(op)), nodes: new Set(operations.map(({node}) => node))})
  }
}

export class SessionView {
  #over = new AbortController()
  #hooks
  #place
  #wasLive = false
  #isTouched = false

  /** `hooks.ready()` is called when rows and values are shown, `hooks.failed(error)` when there is nothing to show. */
  constructor(place, hooks) {
    this.#place = place
    this.#hooks = hooks
    const {session: name} = place
    document.title = `${name} · traitd`
    byId('session-name').replaceChildren(name)
    byId('filter').value = ''
    say(byId('curl'), '')
    say(byId('note'), '')
    this.live = new LiveSession(name, {
      commit: commit => this.#committed(commit), record: record => this.#recorded(record), state: (state, reason) => this.#connected(state, reason),
      defined: () => this.live.define(this.#over.signal).then(() => this.traits.refresh(), () => {}),
    })
    this.writing = new Writing((operations, options) => this.#write(operations, options), () => this.#planned())
    this.changes = new Changes(name)
    this.plan = new Plan(this)
    this.traits = new Traits(this.live, this.writing, {
      link: (node, trait) => format({session: name, node, trait}), open: trait => this.#goes({trait}), shown: () => this.#shown(),
    })
    this.tree = new Tree({
      ask: (body, signal) => this.live.api.ask('/rows', body, signal), children: node => this.#children(node),
      parent: async node => (await this.live.api.read(`/nodes/${escaped(node)}`)).traitParent,
      select: (node, how) => this.#selected(node, how), enter: () => this.traits.focus(),
    })
    this.#bind()
    this.#start()
  }

  stop() {
    this.#over.abort()
    clearTimeout(this.#searching)
    for (const part of [this.live, this.tree, this.traits, this.changes, this.plan]) part.stop()
    byId('connection').textContent = ''
  }

  async #start() {
    const {signal} = this.#over
    try {
      await this.live.start(signal)
      if (signal.aborted) return
      this.tree.nodes = this.live.nodes
      byId('why').hidden = this.live.why === null
      say(byId('why'), this.live.why ?? '')
      say(byId('session-revision'), `revision ${this.live.revision}`)
      this.#planned()
      await this.#find(this.tree.start(this.#place.node))
      if (this.tree.selected === null) this.#shown()
    } catch (error) { if (!signal.aborted) this.#hooks.failed(error) }
  }

  async go(place) {
    this.#place = {...this.#place, ...place, node: place.node ?? this.tree.selected}
    if (place.node === null) return
    if (place.node !== this.tree.selected) await this.#find(this.tree.reveal(place.node))
    else if (place.trait !== null) this.traits.show(place.node, place.trait)
  }

  async #find(found) {
    const {node} = this.#place
    if (!await found && !this.#over.signal.aborted) this.#hooks.failed({status: 404, code: 'unknown-node', message: `The session has no node '${node}'.`})
  }

  #selected(node, how) {
    const trait = how === 'none' ? this.#place.trait : null
    this.#goes({node, trait}, how)
    showCurl('GET', `${this.live.path}/nodes/${escaped(node)}/traits?explain=true`)
    this.traits.show(node, trait)
  }

  #goes(part, how = 'replace') {
    this.#place = {...this.#place, ...part}
    if (how !== 'none') writePlace(this.#place, how === 'push')
  }

  #shown() { if (!this.#over.signal.aborted) this.#hooks.ready() }

  async #children(node) {
    const {nodes} = await this.live.api.read(`/nodes?pageSize=1000&${node === null ? 'depth=0' : `under=${escaped(node)}&depth=1`}`)
    return nodes.map(({id}) => id).filter(id => id !== node)
  }

  async #write(operations, options) {
    showCurl('POST', `${this.live.path}/transactions`, {operations})
    const commit = await this.live.api.write(operations, options)
    say(byId('note'), commit.unchanged ? 'Nothing changed' : `Revision ${commit.revision}`)
    this.live.written = commit.revision
    this.traits.refresh()
    return commit
  }

  #planned() {
    const {isPlanning} = this.writing
    document.body.dataset.mode = isPlanning ? 'what-if' : 'edit'
    set(byId('what-if'), {'aria-pressed': String(isPlanning)})
    byId('what-if').disabled = this.live.whyNoPlan !== null
    byId('undo').disabled = !this.writing.canUndo
    this.plan.change()
    this.traits.draw()
  }

  #committed({isStructural, nodes}) {
    this.#isTouched = document.hidden
    if (document.hidden) return
    if (isStructural || this.tree.has(nodes)) this.tree.refresh()
    if (isStructural) this.live.count(this.#over.signal).then(() => { this.tree.nodes = this.live.nodes }, () => {})
    this.tree.flash(nodes)
    this.traits.refresh()
    this.plan.refresh()
  }

  #recorded(record) {
    this.changes.take(record)
    if (record.type === 'change') this.tree.flash([record.node])
    say(byId('session-revision'), `revision ${this.live.revision}`)
  }

  #connected(state, reason) {
    const connection = {syncing: 'connecting', ready: 'live'}[state] ?? state
    document.body.dataset.connection = connection
    say(byId('connection'), reason ? `${connection}: ${reason}` : connection)
    if (state === 'stale' && this.#wasLive) this.changes.take({type: 'lost'})
    if (state === 'closed' && !this.#over.signal.aborted) {
      this.changes.take({type: 'end', reason})
      // The answer says whether a token is needed now; the end of a session is shown above.
      this.live.count(this.#over.signal).catch(() => {})
    }
    this.#wasLive = state === 'ready'
  }

  #searching = 0

  #bind() {
    const on = (id, type, listener) => byId(id).addEventListener(type, listener, {signal: this.#over.signal})
    on('what-if', 'click', () => this.writing.mode(!this.writing.isPlanning))
    on('undo', 'click', () => this.writing.undo().catch(error => say(byId('note'), error.message)))
    on('expand', 'click', () => this.tree.expandAll())
    on('filter', 'input', () => {
      clearTimeout(this.#searching)
      this.#searching = setTimeout(() => this.tree.filter(byId('filter').value), 100)
    })
    on('filter', 'keydown', event => {
      if (event.key === 'Enter' && !event.isComposing) this.#enterFilter()
      if (event.key === 'Escape') this.escape()
    })
    document.addEventListener('visibilitychange', () => {
      if (this.#isTouched && !document.hidden) this.#committed({isStructural: true, nodes: new Set()})
    }, {signal: this.#over.signal})
  }

  async #enterFilter() {
    clearTimeout(this.#searching)
    await this.tree.filter(byId('filter').value)
    await this.tree.hit(1)
    byId('tree').focus({preventScroll: true})
  }

  escape() {
    clearTimeout(this.#searching)
    this.tree.filter('')
    byId('tree').focus({preventScroll: true})
  }
}
