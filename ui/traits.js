// The traits of the selected node: value, source, control; unfolded, the chain that decides, what watches, and the last commits.

import {bdi, byId, h, keyed, say, set} from './dom.js'
import {Latest, name as escaped} from './server.js'
import {brief, isFolded, makeControl, valueElements} from './values.js'
import {canonical} from '../client.js'

const ROWS_MAX = 500, EXPLAINED_MAX = 300, COMMITS = 5, WATCHERS_MAX = 100

export class Traits {
  #region = byId('traits')
  #live
  #writing
  #link
  #onOpen
  #onShown
  #latest
  #compared
  #details
  #data = null
  #other = null
  #open = new Set()
  #rows = new Map()
  #head

  /** `link(node, trait)` is a link to a node; `onOpen(trait)` follows what was unfolded last; `onShown()` that values are there. */
  constructor({live, writing, link, onOpen, onShown}) {
    this.#live = live
    this.#writing = writing
    this.#link = link
    this.#onOpen = onOpen
    this.#onShown = onShown
    this.#latest = new Latest((node, signal) => this.#read(node, signal), data => this.#take(data), (error, node) => this.#failed(error, node))
    this.#compared = new Latest((node, signal) => this.#live.api.read(`/nodes/${escaped(node)}/traits`, signal),
      other => this.#took(other), error => this.#took(null, error))
    this.#details = new Latest((node, signal) => this.#readDetails(node, signal), details => {
      this.#detail = details
      this.#draw()
    }, (error, node) => {
      this.#detail = {node, error}
      this.#draw()
    })
    this.#makeHead()
  }

  #detail = null

  stop() {
    for (const latest of [this.#latest, this.#compared, this.#details]) latest.stop()
    this.#region.replaceChildren()
    keyed(this.#region, [], row => row)
    set(this.#region, {'data-node': null})
  }

  // --- Reading.

  show(node, trait = null) {
    if (trait !== null) this.#open.add(trait)
    if (this.#data?.node.id !== node) this.#isOld(true)
    this.#latest.ask(node)
  }

  refresh() {
    this.#latest.refresh()
    this.#compared.refresh()
  }

  async #read(node, signal) {
    const path = `/nodes/${escaped(node)}`, {api, definitions} = this.#live
    const specified = definitions.size > EXPLAINED_MAX && !this.#showsDefaults ? '&specified=true' : ''
    const [own, all] = await Promise.all([api.read(path, signal), api.read(`${path}/traits?explain=true${specified}`, signal)])
    return {node: own, revision: all.revision, state: all.state, traits: new Map(Object.entries(all.traits)), overrides: new Map(Object.entries(own.overrides ?? {}))}
  }

  #take(data) {
    // What was read before the page's own write is read again already.
    if (data.revision < this.#live.written) return
    const before = this.#data?.node.id === data.node.id ? this.#data : null
    this.#data = data
    if (!before) this.#detail = null
    this.#problem.textContent = ''
    this.#draw(before)
    if (this.#open.size) this.#details.ask(data.node.id)
    this.#onShown()
  }

  #failed(error, node) {
    this.#isOld(error.status === 404)
    this.#problem.replaceChildren(error.status === 404 ? `${node}: it may have been deleted. ${error.message} ` : `${error.message} `,
      h('button', {on: {click: () => this.#latest.refresh()}}, 'Retry'))
    this.#onShown()
  }

  /** What watches the node, and the last commits of each open trait. */
  async #readDetails(node, signal) {
    const {api} = this.#live, path = `/nodes/${escaped(node)}`
    const [registrations, {scopes}, ...histories] = await Promise.all([
      api.read(`/registrations?node=${escaped(node)}&pageSize=${WATCHERS_MAX}`, signal), api.read(`${path}/scopes`, signal),
      ...[...this.#open].map(async trait => {
        const source = this.#data?.traits.get(trait)?.source?.node ?? node
        const {commits} = await api.read(`/history?node=${escaped(source)}&trait=${escaped(trait)}&operations=true&pageSize=${COMMITS}`, signal)
        return [trait, commits]
      }),
    ])
    return {node, registrations: registrations.registrations, isCut: registrations.nextPageToken !== undefined, scopes, histories: new Map(histories)}
  }

  #isOld(isOld) { this.#region.classList.toggle('old', isOld) }

  // --- The head.

  #problem = h('p', {class: 'problem', role: 'alert'})
  #title = h('h2')
  #filter = h('input', {type: 'search', 'aria-label': 'Filter traits', placeholder: 'Filter traits', on: {input: () => this.#draw()}})
  #defaults = h('input', {type: 'checkbox', on: {change: () => {
    this.#draw()
    this.#latest.refresh()
  }}})
  #compare = h('input', {'aria-label': 'Compare with node', placeholder: 'Compare with node', autocomplete: 'off', spellcheck: 'false', maxlength: 128})
  #differences = h('p', {class: 'note', role: 'status'})
  #empty = h('p', {class: 'note', hidden: true}, 'Nothing is set; ', h('button', {class: 'link', on: {click: () => this.#defaults.click()}}, 'show defaults'))

  get #showsDefaults() { return this.#defaults.checked }

  #makeHead() {
    this.#compare.addEventListener('change', () => {
      const node = this.#compare.value.trim()
      if (node) return this.#compared.ask(node)
      this.#compared.stop()
      return this.#took(null)
    })
    this.#head = h('div', {class: 'head'}, this.#title, this.#problem,
      h('div', {class: 'bar'}, this.#filter, h('label', {}, this.#defaults, ' Show defaults'), this.#compare), this.#differences, this.#empty)
    this.#region.append(this.#head)
  }

  #took(other, error = null) {
    this.#other = other && {node: other.node, traits: new Map(Object.entries(other.traits))}
    say(this.#differences, error ? error.message : '')
    this.#draw()
  }

  // --- Drawing.

  #isShown(key, trait) {
    const text = this.#filter.value.trim().toLowerCase()
    if (text && !key.toLowerCase().includes(text)) return false
    if (this.#other) return this.#differs(key, trait)
    return this.#showsDefaults || this.#open.has(key) || trait.source.kind !== 'default' || this.#data.overrides.has(key)
      || this.#writing.plannedFor(this.#data.node.id, key) !== undefined
  }

  #differs(key, trait) { return canonical(trait.value) !== canonical(this.#other.traits.get(key) ?? null) }

  draw() { this.#draw(this.#data) }

  #draw(before = null) {
    if (!this.#data) return
    const {node, traits, state} = this.#data
    set(this.#region, {'data-node': node.id})
    this.#isOld(false)
    this.#title.replaceChildren(bdi(node.id), ' ', h('span', {class: 'kind'}, node.kind), ' ',
      ...node.label ? [h('bdi', {class: 'label'}, node.label.slice(0, 200)), ' '] : [], ...state === 'current' ? [] : [h('span', {class: 'state'}, state)])
    const all = [...traits].filter(([key, trait]) => this.#isShown(key, trait)), shown = all.slice(0, ROWS_MAX)
    if (this.#other) say(this.#differences, `${all.length} of ${traits.size} traits differ from ${this.#other.node}`)
    else if (all.length > shown.length) say(this.#differences, `${all.length - shown.length} more: filter them`)
    else if (!this.#compare.value) say(this.#differences, '')
    this.#empty.hidden = all.length > 0 || this.#showsDefaults || this.#filter.value !== '' || this.#other !== null
    keyed(this.#region, shown, ([key]) => `${node.id} ${key}`, ([key]) => new Row(key, this.#live.definitions.get(key) ?? {type: 'string'}, {
      write: (value, before) => this.#writing.put(node.id, key, value, before), unfold: isOpen => this.#unfold(key, isOpen),
      link: this.#link, openValue: () => this.#live.api.read(`/nodes/${escaped(node.id)}/traits/${escaped(key)}`),
    }).element, (element, [key, trait]) => element.row.show({
      trait, node: node.id, own: this.#data.overrides.get(key), planned: this.#writing.plannedFor(node.id, key), reason: this.#reason,
      isOpen: this.#open.has(key), detail: this.#detail?.node === node.id ? this.#detail : null,
      hasChanged: before !== null && before.traits.has(key) && canonical(before.traits.get(key).value) !== canonical(trait.value),
      other: this.#other && (this.#other.traits.has(key) ? {node: this.#other.node, value: this.#other.traits.get(key)} : {node: this.#other.node, value: null}),
    }), this.#head)
  }

  get #reason() { return this.#live.why }

  #unfold(key, isOpen) {
    if (isOpen) this.#open.add(key)
    else this.#open.delete(key)
    this.#onOpen(isOpen ? key : [...this.#open].at(-1) ?? null)
    this.#draw()
    if (isOpen) this.#details.ask(this.#data.node.id)
  }

  focus() { (this.#region.querySelector('[data-trait] button') ?? this.#region).focus() }
}

/** One trait. */
class Row {
  #hooks
  #key
  #button
  #value = h('span', {class: 'value'})
  #source = h('span', {class: 'source'})
  #compared = h('span', {class: 'compared'})
  #control
  #detail = h('div', {class: 'detail', hidden: true})
  #shownValue
  #isUnfolded = false
  #own

  constructor(key, definition, hooks) {
    this.#key = key
    this.#hooks = hooks
    this.#button = h('button', {class: 'disclosure', 'aria-expanded': 'false', on: {click: () => hooks.unfold(this.#button.getAttribute('aria-expanded') !== 'true')}}, bdi(key))
    this.#control = makeControl(definition, key, value => hooks.write(value, this.#own))
    this.element = h('div', {class: 'trait', 'data-trait': key}, this.#button, this.#value, this.#source, this.#compared, this.#control, this.#detail)
    this.element.row = this
  }

  show({trait, node, own, planned, reason, isOpen, detail, hasChanged, other}) {
    this.#own = own
    const {value, source, chain} = trait, text = JSON.stringify(value)
    if (text !== this.#shownValue) {
      this.#shownValue = text
      this.#isUnfolded = false
    }
    if (!this.#isUnfolded) this.#showValue(value)
    set(this.#source, {'data-source': source.kind})
    this.#source.replaceChildren(...this.#sourceElements(source, node))
    this.#compared.replaceChildren(...other ? [`in ${other.node}: `, ...valueElements(other.value)] : [])
    if (hasChanged) {
      this.element.classList.remove('flash')
      void this.element.offsetWidth // Starts the animation again.
      this.element.classList.add('flash')
    }
    const isPlanned = planned !== undefined
    this.#control.show({
      own: isPlanned ? planned.operation.value : own, isPlanned, reason,
      from: chain.find(entry => entry.status !== 'absent' && !(entry.layer === 'override' && entry.node === node)),
    })
    set(this.#button, {'aria-expanded': String(isOpen)})
    this.#detail.hidden = !isOpen
    if (isOpen) this.#showDetail(chain, node, detail)
    else this.#detail.replaceChildren()
  }

  #showValue(value) {
    const text = JSON.stringify(value)
    set(this.#value, {'data-value': isFolded(value) ? brief(text, 1000) : text, 'data-folded': isFolded(value)})
    this.#value.replaceChildren(...valueElements(value, async () => {
      const {value: whole} = await this.#hooks.openValue()
      this.#isUnfolded = true
      set(this.#value, {'data-value': JSON.stringify(whole), 'data-folded': null})
      this.#value.replaceChildren(...valueElements(whole))
    }))
  }

  #nodeElement(node, here) {
    return node === here ? h('span', {}, 'here') : h('a', {href: this.#hooks.link(node, this.#key), 'data-goto': node}, bdi(node))
  }

  #sourceElements({kind, node, deleted}, here) {
    if (!node) return [kind]
    return [`${kind} ${node === here ? '' : 'at '}`, deleted ? bdi(`${node}, deleted`) : this.#nodeElement(node, here)]
  }

  #showDetail(chain, here, detail) {
    const line = ({node, layer, value, status, revision, setBy, deleted}) => {
      const what = [h('span', {class: 'layer'}, layer), ' ', h('span', {}, status === 'absent' ? '–' : brief(value, 200))]
      return h('li', {'data-layer': layer, 'data-status': status, 'data-node': node ?? null},
        status === 'winner' ? h('strong', {}, what) : h('s', {}, what), ' ', node ? deleted ? bdi(node) : this.#nodeElement(node, here) : null,
        revision ? h('span', {class: 'hint'}, ` revision ${revision}`) : null, setBy ? h('span', {class: 'hint'}, ' by ', bdi(setBy)) : null)
    }
    const chainList = h('ol', {'data-chain': true, 'aria-label': `Where ${this.#key} comes from`}, chain.map(line))
    this.#detail.replaceChildren(chainList, ...detail ? this.#detailElements(detail) : [h('p', {class: 'hint'}, 'Loading')])
  }

  #detailElements({registrations, scopes, histories, isCut, error}) {
    if (error) return [h('p', {class: 'problem'}, error.message)]
    const watching = registrations.filter(({traits}) => traits.includes(this.#key)), reading = scopes.filter(({reads}) => reads.includes(this.#key))
    const commits = histories.get(this.#key)
    return [
      h('p', {}, h('b', {}, 'Notified here: '), watching.length + reading.length ? null : 'nothing', watching.map(({id}, index) => [index ? ', ' : '', bdi(id)]).flat(),
        reading.map(({scope, stale}, index) => [index + watching.length ? ', ' : '', 'scope ', bdi(scope), stale ? ' (stale)' : '']).flat(), isCut ? ' and more' : null),
      h('p', {}, h('b', {}, 'Last commits: '), commits ? commits.length ? null : 'none is retained' : 'Loading'),
      ...commits?.length ? [h('ol', {class: 'commits'}, commits.map(commit => h('li', {}, `${commit.revision} `, h('time', {datetime: commit.time, class: 'hint'}, commit.time.slice(0, 19).replace('T', ' ')), ' ',
        ...this.#operations(commit))))] : [],
    ]
  }

  #operations({operations}) {
    const list = Array.isArray(operations) ? operations.filter(({trait}) => trait === this.#key) : []
    return list.length ? list.slice(0, 3).flatMap(({op, node, value}) => [`${op} `, ...node ? [bdi(node)] : [], value === undefined ? ' ' : ` ${brief(value)} `])
      : [`${Array.isArray(operations) ? operations.length : operations.count} operations`]
  }
}
