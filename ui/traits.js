// The traits of the selected node: value, source, control; unfolded, the chain that decides, what watches, and the last commits.

import {bdi, brief, byId, h, keyed, plain, say, set} from './dom.js'
import {Latest, name as escaped} from './server.js'
import {canonical} from '../client.js'

const ROWS_MAX = 500, EXPLAINED_MAX = 300, COMMITS = 5, WATCHERS_MAX = 100

const orError = promise => promise.catch(error => ({error}))
const listed = (items, elementsOf) => items.flatMap((item, index) => [index ? ', ' : '', ...elementsOf(item)])

export class Traits {
  #region = byId('traits')
  #live
  #writing
  #hooks
  #latest = new Latest((node, signal) => this.#read(node, signal), data => this.#take(data), (error, node) => this.#failed(error, node))
  #data = null
  #open = new Set()
  #problem = h('p', {class: 'problem', role: 'alert'})
  #title = h('h2')
  #filter = h('input', {type: 'search', 'aria-label': 'Filter traits', placeholder: 'Filter traits', on: {input: () => this.draw()}})
  #defaults = h('input', {type: 'checkbox', on: {change: () => this.refresh()}})
  #compare = h('input', {'aria-label': 'Compare with node', placeholder: 'Compare with node', maxlength: 128, on: {change: () => this.refresh()}})
  #note = h('p', {class: 'note', role: 'status'})
  #empty = h('p', {class: 'note'}, 'Nothing is set; ', h('button', {class: 'link', on: {click: () => this.#defaults.click()}}, 'show defaults'))
  #head = h('div', {class: 'head'}, this.#title, this.#problem,
    h('div', {class: 'bar'}, this.#filter, h('label', {}, this.#defaults, ' Show defaults'), this.#compare), this.#note, this.#empty)

  /** The hooks: `link(node, trait)` is a link to a node; `open(trait)` follows what was unfolded last; `shown()` that values are there. */
  constructor(live, writing, hooks) {
    this.#live = live
    this.#writing = writing
    this.#hooks = hooks
    this.#empty.hidden = true
    this.#region.append(this.#head)
  }

  stop() {
    this.#latest.stop()
    keyed(this.#region, [], row => row)
    this.#head.remove()
    set(this.#region, {'data-node': null})
  }

  focus() { (this.#region.querySelector('.disclosure') ?? this.#region).focus() }

  // --- Reading.

  show(node, trait = null) {
    if (trait !== null) this.#open.add(trait)
    if (this.#region.classList.toggle('old', this.#data?.node.id !== node)) this.draw()
    this.#latest.ask(node)
  }

  refresh() { this.#latest.refresh() }

  async #read(id, signal) {
    const {api, definitions} = this.#live, path = node => `/nodes/${escaped(node)}`, compared = this.#compare.value.trim()
    const specified = definitions.size > EXPLAINED_MAX && !this.#defaults.checked ? '&specified=true' : ''
    const [node, {traits, revision, state}, other] = await Promise.all([
      api.read(path(id), signal), api.read(`${path(id)}/traits?explain=true${specified}`, signal), compared && orError(api.read(`${path(compared)}/traits`, signal)),
    ])
    const open = [...this.#open].filter(trait => Object.hasOwn(traits, trait))
    const [registrations, scopes, ...histories] = open.length ? await Promise.all([
      `/registrations?node=${escaped(id)}&pageSize=${WATCHERS_MAX}`, `${path(id)}/scopes`,
      ...open.map(trait => `/history?node=${escaped(traits[trait].source.node ?? id)}&trait=${escaped(trait)}&pageSize=${COMMITS}`),
    ].map(target => orError(api.read(target, signal)))) : []
    return {
      node, revision, state, other, registrations, scopes, traits: new Map(Object.entries(traits)), overrides: new Map(Object.entries(node.overrides ?? {})),
      histories: new Map(open.map((trait, index) => [trait, histories[index]])), others: other?.traits && new Map(Object.entries(other.traits)),
    }
  }

  #take(data) {
    // What was read before the page's own write is read again already.
    if (data.revision < this.#live.written) return
    const before = this.#data?.node.id === data.node.id ? this.#data : null
    this.#data = data
    this.#region.classList.remove('old')
    this.#problem.textContent = ''
    this.draw(before)
    this.#hooks.shown()
  }

  #failed(error, node) {
    this.#region.classList.toggle('old', error.status === 404)
    this.#problem.replaceChildren(error.status === 404 ? `${node}: it may have been deleted. ` : '', `${error.message} `,
      h('button', {on: {click: () => this.refresh()}}, 'Retry'))
    this.#hooks.shown()
  }

  // --- Drawing.

  #isShown(key, {value, source}) {
    const {node, overrides, others} = this.#data
    if (!key.toLowerCase().includes(this.#filter.value.trim().toLowerCase())) return false
    if (others) return canonical(value) !== canonical(others.get(key) ?? null)
    return this.#defaults.checked || this.#open.has(key) || source.kind !== 'default' || overrides.has(key) || this.#writing.plannedFor(node.id, key) !== undefined
  }

  draw(before = null) {
    if (!this.#data) return
    const {node, traits, state, other, others, overrides} = this.#data, definitionOf = key => this.#live.definitions.get(key) ?? {}
    const all = [...traits].filter(([key, trait]) => this.#isShown(key, trait)), shown = all.slice(0, ROWS_MAX)
    set(this.#region, {'data-node': node.id})
    this.#title.replaceChildren(bdi(node.id), ' ', h('span', {class: 'kind'}, node.kind), ' ', h('bdi', {class: 'label'}, node.label?.slice(0, 200) ?? ''),
      state === 'current' ? '' : ` ${state}`)
    say(this.#note, other?.error?.message ?? (others ? `${all.length} of ${traits.size} traits differ from ${other.node}`
      : all.length > shown.length ? `${all.length - shown.length} more: filter them` : ''))
    this.#empty.hidden = all.length > 0 || this.#defaults.checked || this.#filter.value !== '' || Boolean(others)
    keyed(this.#region, shown, ([key]) => `${node.id} ${key} ${definitionOf(key).type}`, ([key]) => new Row(key, definitionOf(key), {
      link: this.#hooks.link, write: (value, own) => this.#writing.put(node.id, key, value, own), unfold: isOpen => this.#unfold(key, isOpen),
      read: () => this.#live.api.read(`/nodes/${escaped(node.id)}/traits/${escaped(key)}`),
    }).element, (element, [key, trait]) => element.row.show({
      trait, data: this.#data, own: overrides.get(key), planned: this.#writing.plannedFor(node.id, key), reason: this.#region.classList.contains('old') ? 'Reading' : this.#writing.isPlanning ? this.#live.whyNoPlan : this.#live.why, isOpen: this.#open.has(key),
      hasChanged: before?.traits.has(key) && canonical(before.traits.get(key).value) !== canonical(trait.value),
    }), this.#head)
  }

  #unfold(key, isOpen) {
    if (isOpen) this.#open.add(key)
    else this.#open.delete(key)
    this.#hooks.open(isOpen ? key : [...this.#open].at(-1) ?? null)
    this.draw()
    if (isOpen) this.refresh()
  }
}

/** One trait. */
class Row {
  #key
  #hooks
  #own
  #text
  #isUnfolded = false
  #button
  #value = h('span', {class: 'value'})
  #source = h('span', {class: 'source'})
  #compared = h('span', {class: 'compared planned'})
  #control
  #detail = h('div', {class: 'detail'})

  constructor(key, definition, hooks) {
    this.#key = key
    this.#hooks = hooks
    this.#button = h('button', {class: 'disclosure', on: {click: () => hooks.unfold(this.#detail.hidden)}}, bdi(key))
    this.#control = makeControl(definition, key, value => hooks.write(value, this.#own))
    this.element = h('div', {class: 'trait', 'data-trait': key}, this.#button, this.#value, this.#source, this.#compared, this.#control, this.#detail)
    this.element.row = this
  }

  show({trait: {value, source, chain}, data, own, planned, reason, isOpen, hasChanged}) {
    const text = JSON.stringify(value), here = data.node.id
    this.#own = own
    if (text !== this.#text) this.#isUnfolded = false
    this.#text = text
    if (!this.#isUnfolded) this.#showValue(value, isFolded(value))
    set(this.#source, {'data-source': source.kind})
    this.#source.replaceChildren(source.kind, ...source.node ? [' at ', this.#nodeElement(source, here)] : [])
    this.#compared.replaceChildren(...data.others ? [`in ${data.other.node}: `, ...valueElements(data.others.get(this.#key) ?? null)] : [])
    this.element.classList.remove('flash')
    if (hasChanged) {
      void this.element.offsetWidth // Starts the animation again.
      this.element.classList.add('flash')
    }
    this.#control.show({
      own: planned ? planned.operation.value : own, isPlanned: planned !== undefined, reason,
      from: chain.find(({layer, node}) => layer !== 'override' || node !== here),
    })
    set(this.#button, {'aria-expanded': String(isOpen)})
    this.#detail.hidden = !isOpen
    this.#detail.replaceChildren(...isOpen ? this.#details(chain, data, here) : [])
  }

  #showValue(value, folds) {
    const text = JSON.stringify(value)
    set(this.#value, {'data-value': folds ? brief(text, 1000) : text})
    this.#value.replaceChildren(...valueElements(value, folds && (async () => {
      this.#isUnfolded = true
      this.#showValue((await this.#hooks.read()).value, false)
    })))
  }

  #nodeElement({node, deleted}, here) {
    if (node === here || deleted) return h('span', {}, deleted ? bdi(`${node}, deleted`) : 'this node')
    return h('a', {href: this.#hooks.link(node, this.#key), 'data-goto': node}, bdi(node))
  }

  #details(chain, {registrations, scopes, histories}, here) {
    const key = this.#key, history = histories.get(key), error = [registrations, scopes, history].find(answer => answer?.error)?.error
    const entry = ({layer, value, status, revision, setBy, ...at}) => h('li', {'data-layer': layer, 'data-status': status, 'data-node': at.node},
      h(status === 'winner' ? 'b' : 's', {}, layer, ' ', bdi(brief(value, 200))), ' ', at.node ? this.#nodeElement(at, here) : '',
      h('span', {class: 'hint'}, revision ? ` revision ${revision}` : '', setBy ? ' by ' : '', bdi(setBy ?? '')))
    const chainElement = h('ol', {'data-chain': true, 'aria-label': `Where ${key} comes from`}, chain.map(entry))
    if (error || !history) return [chainElement, error ? h('p', {class: 'problem'}, error.message) : h('p', {class: 'hint'}, 'Loading')]
    const watchers = [...registrations.registrations.filter(({traits}) => traits.includes(key)).map(({id}) => [bdi(id)]),
      ...scopes.scopes.filter(({reads}) => reads.includes(key)).map(({scope, stale}) => ['scope ', bdi(scope), stale ? ' (stale)' : ''])]
    return [chainElement, h('p', {}, h('b', {}, 'Notified here: '), listed(watchers, elements => elements), watchers.length ? '' : 'nothing', registrations.nextPageToken ? ', …' : ''),
      h('p', {}, h('b', {}, 'Last commits'), history.commits.length ? '' : ': none is retained'),
      h('ul', {}, history.commits.map(({revision, time, operations}) => h('li', {}, `${revision} `, h('time', {class: 'hint'}, time.slice(0, 19).replace('T', ' ')), ' ',
        Object.entries(operations.kinds).map(([op, count]) => `${op}${count > 1 ? ` × ${count}` : ''}`).join(', '))))]
  }
}

// --- Values.

const FOLDED_MIN = 1024

/** The colour that a value is, as CSS has it, or undefined. */
function colorOf(value) {
  if (typeof value === 'string') return /^#|\(/.test(value) && CSS.supports('color', value) ? value : undefined
  const {red, green, blue, alpha = 1} = value ?? {}
  return [red, green, blue, alpha].every(Number.isFinite) ? `color(srgb ${red} ${green} ${blue} / ${alpha})` : undefined
}

/** A value with its swatch. With `open`, which reads the whole, it is folded. */
function valueElements(value, open) {
  const text = plain(value), color = colorOf(value), made = []
  if (color) {
    const swatch = h('span', {class: 'swatch', 'aria-hidden': 'true'})
    swatch.style.backgroundColor = color
    made.push(swatch)
  }
  return [...made, ...open ? [bdi(brief(value, 80)), h('button', {class: 'link', on: {click: open}}, `Show ${Math.ceil(text.length / 1024)} KiB`)] : [bdi(text)]]
}

const isFolded = value => plain(value).length > FOLDED_MIN

/** The text of a field for a value: `valueOf` gives the value again. */
function textOf(value, {type}) { return type === 'string' && value && value !== 'null' && !value.startsWith('"') ? value : JSON.stringify(value) }

/** The value of a field's text. Throws an Error for what JSON does not have, and for numbers that it would change. */
function valueOf(text, {type, nullable}) {
  if (nullable && text === 'null') return null
  if (type === 'enum' || type === 'string' && !text.startsWith('"')) return text
  let value
  try { value = JSON.parse(text) } catch { throw new Error(`This is no ${type} as JSON has it.`) }
  const most = type === 'int' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  if (Math.abs(value) > most) throw new Error(`This page writes numbers up to ${most}.`)
  return value
}

// --- The control of one trait at one node.

const RADIOS_MAX = 5, OPTIONS_MAX = 1000
let number = 0

/** The choices of a definition, or null when the value is typed. Each has the text of the choice and its value. */
function choicesOf({type, cases, nullable}) {
  const values = type === 'bool' ? [true, false] : type === 'enum' ? Object.keys(cases) : []
  if (!values.length || values.length > OPTIONS_MAX) return null
  return [...values, ...nullable ? [null] : []].map(value => [String(value), value])
}

/** Makes the control. `write(value)` gets undefined for inherit; it gives a promise, and its error is shown beside the control. */
function makeControl(definition, label, write) {
  const id = `control-${++number}`, choices = choicesOf(definition)
  const problem = h('span', {class: 'problem', role: 'alert'})
  const element = h('fieldset', {class: 'control'}, h('legend', {class: 'unseen'}, `Override of ${label}`))
  let state = null

  // After a success the control is as the user left it, until the traits are read again.
  async function send(write) {
    problem.textContent = ''
    const done = write()
    element.classList.add('busy')
    const error = await done.then(() => null, error => error)
    element.classList.remove('busy')
    if (!error) return
    problem.textContent = error.message
    show(state, true)
  }
  const choose = text => send(() => write(choices.find(([name]) => name === text)?.[1]))

  const inherit = h('span')
  let show
  if (choices && choices.length <= RADIOS_MAX) {
    const radios = [['', inherit], ...choices.map(([name]) => [name, bdi(name)])].map(([value, text]) => {
      const input = h('input', {type: 'radio', name: id, value, on: {change: () => choose(value)}})
      element.append(h('label', {}, input, text))
      return input
    })
    show = shown(({text, reason}) => {
      for (const radio of radios) {
        radio.checked = radio.value === text
        disable(radio, reason)
      }
    })
  } else if (choices) {
    const first = h('option', {value: ''}), select = h('select', {'aria-label': `Override of ${label}`, on: {change: () => choose(select.value)}}, first,
      choices.map(([name]) => h('option', {value: name}, name)))
    element.append(select)
    show = shown(({text, inherited, reason}) => {
      first.textContent = inherited
      select.value = text
      // A raw value without a case has no option.
      if (select.selectedIndex < 0 && text) {
        select.append(h('option', {selected: true}, text))
      }
      disable(select, reason)
    })
  } else {
    const input = h('input', {'data-override': true, 'aria-label': `Override of ${label}`, spellcheck: 'false', autocomplete: 'off', dir: 'auto'})
    input.addEventListener('keydown', event => {
      if (event.key === 'Escape') show(state, true)
      if (event.key === 'Enter' && !event.isComposing) send(async () => write(input.value === '' ? undefined : valueOf(input.value, definition)))
    })
    element.append(input)
    let last
    show = shown(({text, inherited, reason}, isReset) => {
      input.placeholder = inherited
      // What is being typed stays.
      if (isReset || text !== last) input.value = text
      last = text
      disable(input, reason)
    })
  }
  element.append(problem)

  function shown(draw) {
    return (next, isReset = false) => {
      state = next
      if (!state || element.classList.contains('busy')) return
      if (inherit.textContent !== state.inherited) inherit.replaceChildren(bdi(state.inherited))
      element.classList.toggle('planned', state.isPlanned)
      draw(state, isReset)
    }
  }

  /** `own` is the node's override or undefined, `from` the chain's entry that counts without it. */
  element.show = ({own, from, isPlanned, reason}) => show({
    isPlanned, reason, text: own === undefined ? '' : choices ? String(own) : textOf(own, definition),
    inherited: from ? `inherit (${brief(from.value, 30)} ${from.node ? `from ${from.node}` : 'by default'})` : 'inherit',
  })
  return element
}

function disable(input, reason) {
  input.disabled = reason !== null
  set(input, {'aria-describedby': reason === null ? null : 'why', title: reason})
}
