// One session, and how the parts of its view act on each other.

import {brief, byId, say, set, when} from './dom.js'
import {Changes, FILTER_NAMES} from './changes.js'
import {Writing} from './commits.js'
import {dryRun} from './effects.js'
import {deleteSession, newNode, newTrait} from './make.js'
import {showTab} from './panes.js'
import {Plan} from './plan.js'
import {Proposal} from './proposal.js'
import {curlLine, escaped, follow, format, request, showCurl, visit, write} from './server.js'
import {Traits} from './traits.js'
import {Tree} from './tree.js'
import {Variants} from './variants.js'
import {callerOf, endWords} from './words.js'

/** They change the numbers or marks of rows. */
const STRUCTURAL = new Set(['createNode', 'updateNode', 'moveNode', 'putNode', 'deleteNode', 'apply', 'layout', 'updateTraits', 'register', 'unregister',
  'setScope', 'removeScope'])
const DEFINING = new Set(['defineTrait', 'putTrait', 'deleteTrait'])
/** Equal for values that differ in the order of their members alone. */
const canonical = value => JSON.stringify(value, (_, part) => part?.constructor === Object ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => one < other ? -1 : 1)) : part)
const READONLY = document.documentElement.dataset.ui === 'readonly'

class LiveSession {
  #stream = null
  #listener
  #uid = null
  /** The revisions of the stream's last record and of the first read. */
  #last = 0
  #readAt = 0
  #refusal = null
  #time = ''

  constructor({session: name, revision: past}, listener) {
    this.name = name
    this.path = `/v1/sessions/${escaped(name)}`
    this.revision = 0
    this.nodes = 0
    /** The revision of the page's last write. */
    this.written = 0
    this.definitions = new Map()
    /** The revision that is shown, from the address; null for the present. */
    this.past = past
    this.#listener = listener
  }

  async start(signal) {
    const [session, who] = await Promise.all([
      this.request('GET', '', signal), request('GET', `/v1/whoami?can=write&session=${escaped(this.name)}`, undefined, signal),
      this.define(signal).catch(error => { if (this.past === null) throw error }),
    ])
    this.#read(session)
    this.#readAt = session.revision
    this.#refusal = who.can ? null : `The token ${who.name ?? who.caller} may not write to this session.`
    if (signal.aborted) return
    this.#stream = follow(this.name, {
      onRecord: record => this.#take(record),
      onState: state => this.#listener.state(state, this.#stream?.reason ?? null),
    })
    this.#listener.state(this.#stream.state, this.#stream.reason)
  }

  stop() { this.#stream?.close() }

  /** Why the caller may not write, or not even plan; null when it may. */
  why(isPlanning) {
    if (this.past !== null) return `The past, as it was at revision ${this.past}${this.#time}. Nothing can be changed here.`
    return READONLY && !isPlanning ? 'This server shows its inspector for reading only.' : this.#refusal
  }

  at(path) { return this.past === null ? path : `${path}${path.includes('?') ? '&' : '?'}revision=${escaped(this.past)}` }

  request(method, path, signal, body) { return request(method, this.path + path, body, signal) }

  /** Reads the session as it is shown. */
  read(path, signal) { return this.request('GET', this.at(path), signal) }

  async define(signal) {
    const {past} = this
    this.#time = ''
    const [{traits}, history] = await Promise.all([this.read('/traits', signal), past && this.request('GET', `/history?pageSize=1&until=${escaped(past)}`, signal)])
    if (past !== this.past) return
    this.definitions = new Map(traits.map(trait => [trait.key, trait]))
    for (const {revision, time} of history?.commits ?? []) if (String(revision) === past) this.#time = ` of ${when(time)}`
  }

  async count(signal) { this.#read(await this.request('GET', '', signal)) }

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
    // What was read may be older than the stream.
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

  constructor(place, hooks) {
    this.#place = place
    this.#hooks = hooks
    const {session: name} = place
    document.title = `${name} · traitd`
    byId('session-name').replaceChildren(name)
    byId('filter').value = ''
    say(byId('curl'), '')
    say(byId('note'), '')
    this.live = new LiveSession(place, {
      commit: commit => this.#committed(commit), record: record => this.#recorded(record), state: (state, reason) => this.#connected(state, reason),
      defined: () => this.#define(),
    })
    this.writing = new Writing((operations, options) => this.#write(operations, options), operations => this.#changedSince(operations),
      commit => this.#revert({commit}), () => this.#planned())
    const link = (node, trait) => format({session: name, node, trait, revision: this.live.past}), mark = nodes => this.#marks(nodes)
    this.changes = new Changes(this.live, place, {
      link: revision => format({session: name, revision}), nodeLink: link, filter: filters => this.#goes(filters), undo: commit => this.#proposes(`Undo the commit of revision ${commit}`, {commit}),
      back: commit => this.#proposes(`Back to revision ${commit - 1}`, {revision: commit - 1}),
    })
    this.plan = new Plan(this, {link, mark, selected: () => this.tree.selected})
    this.proposal = new Proposal(this.live, {link, reason: this.writing})
    this.variants = new Variants(this.live)
    this.traits = new Traits(this.live, this.writing, {
      link: (node, trait, revision = this.live.past) => format({session: name, node, trait, revision}), open: trait => this.#goes({trait}), putBack: (...value) => this.#putsBack(...value),
      newTrait: () => newTrait(operations => this.#write(operations, {reason: this.writing.given})), deleteNode: ({id: node, traitParent}) => this.#proposesOperations(`Delete ${node}`, [{op: 'deleteNode', node}], 'What is below the node goes with it.', false, traitParent),
      deleteTrait: trait => this.#proposesOperations(`Delete the trait ${trait}`, [{op: 'deleteTrait', trait}], '', false), shown: () => this.#shown(),
    })
    this.tree = new Tree({
      ask: (body, signal) => this.live.request('POST', this.live.at('/rows'), signal, body), children: node => this.#children(node),
      parent: async node => (await this.live.read(`/nodes/${escaped(node)}`)).traitParent,
      select: (node, how) => this.#selected(node, how), enter: () => this.traits.focus(),
      example: () => curlLine('PUT', `${this.live.path}/nodes/scene`, {kind: 'windowScene'}),
    })
    this.#bind()
    this.#goes({}, 'none')
    this.#start()
  }

  stop() {
    this.#over.abort()
    clearTimeout(this.#searching)
    for (const part of [this.live, this.tree, this.traits, this.changes, this.plan, this.variants, this.proposal]) part.stop()
    byId('connection').textContent = ''
  }

  async #start() {
    const {signal} = this.#over
    try {
      await this.live.start(signal)
      if (signal.aborted) return
      this.tree.nodes = this.live.past === null ? this.live.nodes : null
      say(byId('session-revision'), `revision ${this.live.revision}`)
      this.#defined()
      await this.#find(this.tree.start(this.#place.node))
      if (this.tree.selected === null) this.#shown()
    } catch (error) { if (!signal.aborted) this.#hooks.failed(error) }
  }

  async go(place) {
    const {node: at, trait, revision} = place
    // The filters of the changes stay, and so the address has them again.
    this.#place = {...this.#place, trait, revision, node: at ?? this.tree.selected}
    if (FILTER_NAMES.some(name => this.#place[name] !== place[name])) this.#goes({})
    const {node} = this.#place, isOther = revision !== this.live.past
    if (isOther) this.#travel()
    if (node === null) return
    const isSelected = node === this.tree.selected
    if (isOther || isSelected && trait !== null) this.#show(node, trait)
    if (!isSelected) await this.#find(this.tree.reveal(node))
  }

  /** Shows the session as it was, or is, at the revision of the place. */
  #travel() {
    this.live.past = this.#place.revision
    this.writing.mode(false)
    this.tree.nodes = null
    this.tree.travel()
    this.variants.refresh(true)
    this.#define()
    this.#count()
    this.#goes({})
  }

  // The rows say what cannot be read.
  #define() { this.live.define(this.#over.signal).then(() => this.#defined(), () => {}) }

  #defined() {
    this.#planned()
    this.variants.define()
  }

  #count() {
    if (this.live.past === null) this.live.count(this.#over.signal).then(() => { this.tree.nodes = this.live.nodes }, () => {})
  }

  async #find(found) {
    const {node} = this.#place
    if (!await found && !this.#over.signal.aborted) this.#hooks.failed({status: 404, code: 'unknown-node', message: `The session has no node '${node}'${this.live.past === null ? '' : ` at revision ${this.live.past}`}.`})
  }

  #selected(node, how) {
    const trait = how === 'none' ? this.#place.trait : null
    this.#goes({node, trait}, how)
    this.#show(node, trait)
  }

  #show(node, trait) {
    showCurl('GET', this.live.at(`${this.live.path}/nodes/${escaped(node)}/traits?explain=true`))
    this.traits.show(node, trait)
    this.variants.show(node)
  }

  #goes(part, how = 'replace') {
    this.#place = {...this.#place, ...part}
    byId('now').href = format({...this.#place, revision: null})
    if (how !== 'none') visit(this.#place, how === 'push')
  }

  #shown() { if (!this.#over.signal.aborted) this.#hooks.ready() }

  async #children(node) {
    const {nodes} = await this.live.read(`/nodes?pageSize=1000&${node === null ? 'depth=0' : `under=${escaped(node)}&depth=1`}`)
    return nodes.map(({id}) => id).filter(id => id !== node)
  }

  async #write(operations, options = {}) {
    const {reason} = options
    showCurl('POST', `${this.live.path}/transactions`, {operations, ...reason && {reason}})
    return this.#wrote(await write(this.live.name, operations, options))
  }

  async #revert(what, reason, ifMatch) {
    const body = {...what, ...reason && {reason}}
    showCurl('POST', `${this.live.path}/revert`, body)
    return this.#wrote(await request('POST', `${this.live.path}/revert`, body, undefined, ifMatch))
  }

  /** Shows what a revert would do, and makes it after a yes. */
  #proposes(title, what) {
    return this.proposal.ask({
      title, preview: signal => this.live.request('POST', '/revert?dryRun=true&changes=true', signal, what), write: (reason, ifMatch) => this.#revert(what, reason, ifMatch),
    })
  }

  /** Shows what operations would do, and writes them after a yes. Then the node `next` is selected. */
  #proposesOperations(title, operations, details, values = true, next = null) {
    return this.proposal.ask({
      title, operations, details, values, preview: dryRun(this.live, operations), write: async (reason, _, ifRevision) => {
        await this.#write(operations, {reason, ifRevision})
        if (next !== null) await this.tree.reveal(next, 'replace')
      },
    })
  }

  /** Puts an old value back: without the present override where that is enough, else where the present value is set, or the old one was. */
  #putsBack(node, trait, {revision, value, source}, {source: now, chain = []} = {source: {}}) {
    const isSet = now.kind === 'override', at = (isSet ? now : source?.kind === 'override' ? source : {node}).node
    const isBelow = isSet && canonical(chain.find(({status}) => status !== 'winner')?.value) === canonical(value)
    return this.#proposesOperations(`Put back ${trait} of revision ${revision}`, [isBelow ? {op: 'removeOverride', node: at, trait} : {op: 'setOverride', node: at, trait, value}])
  }

  /** Marks nodes in the tree, and shows the first of them. */
  #marks(nodes) {
    this.tree.mark(nodes)
    this.tree.reveal(nodes[0], 'push')
  }

  #wrote(commit) {
    say(byId('note'), commit.unchanged ? 'Nothing changed' : `Revision ${commit.revision}`)
    this.live.written = commit.revision
    this.traits.refresh()
    return commit
  }

  /** The overrides that are no longer what operations have made, and a revision at which that is so. */
  async #changedSince(operations) {
    // Read first: a write under the condition of this revision fails if anything has changed since.
    const {revision} = await this.live.request('GET', ''), overrides = new Map(), changes = []
    for (const {node, trait, value} of operations) {
      if (!overrides.has(node)) overrides.set(node, (await this.live.request('GET', `/nodes/${escaped(node)}/overrides`)).overrides)
      const now = overrides.get(node)[trait]
      if (canonical(now) === canonical(value)) continue
      const {commits: [commit]} = await this.live.request('GET', `/history?pageSize=1&node=${escaped(node)}&trait=${escaped(trait)}`)
      changes.push({node, trait, now, commit})
    }
    return {revision, changes}
  }

  #asksToUndo(changes) {
    const lines = changes.slice(0, 5).map(({node, trait, now, commit}) => {
      const who = callerOf(commit?.cause) ?? 'Another client'
      const when = commit ? ` at ${new Date(commit.time).toLocaleTimeString()}, revision ${commit.revision}` : ''
      return `${who} changed ${trait} of ${node}${when}: ${now === undefined ? 'it inherits' : brief(now)} now.`
    })
    return confirm(`${lines.join('\n')}${changes.length > 5 ? '\n…' : ''}\n\nUndo your change all the same?`)
  }

  #planned() {
    const {isPlanning} = this.writing, isPast = this.live.past !== null, why = this.live.why(false)
    document.body.dataset.mode = isPast ? 'past' : isPlanning ? 'what-if' : 'edit'
    byId('past').hidden = why === null
    say(byId('why'), why ?? '')
    byId('now').hidden = !isPast
    if (byId('what-if').getAttribute('aria-pressed') !== String(isPlanning)) showTab(isPlanning ? 'plan' : 'changes')
    set(byId('what-if'), {'aria-pressed': String(isPlanning)})
    byId('what-if').disabled = this.live.why(true) !== null
    byId('undo').disabled = isPast || !this.writing.canUndo
    for (const button of document.querySelectorAll('[data-making]')) {
      button.disabled = why !== null
      set(button, {title: why})
    }
    this.plan.change()
    this.traits.draw()
  }

  #committed({isStructural, nodes}) {
    this.#isTouched = document.hidden
    if (document.hidden || this.live.past !== null) return
    if (isStructural || this.tree.has(nodes)) this.tree.refresh()
    if (isStructural) this.#count()
    this.tree.flash(nodes)
    this.traits.refresh()
    this.plan.refresh()
    this.variants.refresh(isStructural)
  }

  #recorded(record) {
    this.changes.take(record)
    if (record.type === 'change' && this.live.past === null) this.tree.flash([record.node])
    say(byId('session-revision'), `revision ${this.live.revision}`)
  }

  #connected(state, reason) {
    const connection = {syncing: 'connecting', ready: 'live'}[state] ?? state
    document.body.dataset.connection = connection
    const words = connection === 'stale' ? 'connecting again' : connection
    say(byId('connection'), reason ? `${words}: ${endWords(reason)}` : words)
    if (state === 'stale' && this.#wasLive) this.changes.take({type: 'lost'})
    if (state === 'closed' && !this.#over.signal.aborted) {
      this.changes.take({type: 'end', reason})
      // Says whether a token is needed now.
      this.live.count(this.#over.signal).catch(() => {})
    }
    this.#wasLive = state === 'ready'
  }

  #searching = 0

  #bind() {
    const on = (id, type, listener) => byId(id).addEventListener(type, listener, {signal: this.#over.signal})
    on('what-if', 'click', () => this.writing.mode(!this.writing.isPlanning))
    on('undo', 'click', () => this.writing.undo(changes => this.#asksToUndo(changes)).catch(error => say(byId('note'), error.message)))
    on('new-node', 'click', () => newNode(this.tree.selected, operations => this.#write(operations, {reason: this.writing.given})).then(node => node && this.tree.reveal(node, 'push')))
    on('delete-session', 'click', () => deleteSession(this.live, this.proposal))
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
