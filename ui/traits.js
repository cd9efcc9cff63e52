// The traits of the selected node: value, source, control; unfolded, the chain, what watches, and the history.

import {bdi, brief, byId, h, keyed, plain, roving, say, set, timeElement} from './dom.js'
import {Latest, escaped} from './server.js'
import {callerOf, commitElements, originWords} from './words.js'
import {canonical} from '../client.js'

const ROWS_MAX = 500, EXPLAINED_MAX = 300, CHANGES = 10, CHANGES_MAX = 1000, WATCHERS_MAX = 100

const orError = promise => promise.catch(error => ({error}))
const listed = items => items.flatMap((item, index) => [index ? ', ' : '', ...item])

export class Traits {
  #region = byId('traits')
  #live
  #writing
  #hooks
  #latest = new Latest((node, signal) => this.#read(node, signal), data => this.#take(data), (error, node) => this.#failed(error, node))
  #data = null
  #open = new Set()
  /** What is typed and not written, by node and trait: it is there again when the node is. */
  #drafts = new Map()
  /** The places of the traits of a node: they stay while it is shown, so that no line moves away from the pointer. */
  #ranks = {node: null, of: new Map()}
  /** The trait that is scrolled to when it is there. */
  #goal = null
  #problem = h('p', {class: 'problem', role: 'alert'})
  #title = h('h2')
  #filter = h('input', {type: 'search', 'aria-label': 'Filter traits', placeholder: 'Filter traits', on: {input: () => this.draw()}})
  #defaults = h('input', {type: 'checkbox', on: {change: () => this.refresh()}})
  #compare = h('input', {'aria-label': 'Compare with node', placeholder: 'Compare with…', maxlength: 128, on: {change: () => this.refresh()}})
  #why = h('input', {'aria-label': 'Why it is changed', placeholder: 'Why…', maxlength: 256, 'data-making': true,
    on: {input: () => { this.#writing.reason = this.#why.value }}})
  #note = h('p', {class: 'note', role: 'status'})
  #reach
  #empty = h('p', {class: 'note'}, 'Nothing is set; ', h('button', {class: 'link', on: {click: () => this.#defaults.click()}}, 'show defaults'))
  #make = h('button', {'data-making': true, on: {click: () => this.#hooks.newTrait()}}, 'New trait')
  #delete = h('button', {'data-making': true, on: {click: () => this.#hooks.deleteNode(this.#data.node)}}, 'Delete')
  #head = h('div', {class: 'head'}, h('div', {class: 'title'}, this.#title, this.#make, this.#delete), this.#problem,
    h('div', {class: 'bar'}, this.#filter, h('label', {}, this.#defaults, ' Show defaults'), this.#compare, this.#why), this.#note, this.#empty)

  constructor(live, writing, hooks) {
    this.#live = live
    this.#writing = writing
    this.#hooks = hooks
    this.#empty.hidden = true
    this.#region.append(this.#head)
    this.#reach = roving(this.#region, '[data-trait]', '.disclosure')
  }

  stop() {
    this.#latest.stop()
    keyed(this.#region, [], row => row)
    this.#head.remove()
    set(this.#region, {'data-node': null})
  }

  focus() { (this.#region.querySelector('.disclosure') ?? this.#region).focus() }

  show(node, trait = null) {
    if (trait !== null && (!this.#open.has(trait) || this.#data?.node.id !== node)) this.#goal = trait
    if (trait !== null) this.#open.add(trait)
    if (this.#region.classList.toggle('old', this.#data?.node.id !== node || this.#data.past !== this.#live.past)) this.draw()
    this.#latest.ask(node)
  }

  refresh() { this.#latest.refresh() }

  async #read(id, signal) {
    const live = this.#live, {definitions, past} = live, path = node => `/nodes/${escaped(node)}`, compared = this.#compare.value.trim()
    const specified = definitions.size > EXPLAINED_MAX && !this.#defaults.checked ? '&specified=true' : ''
    const [node, {traits, revision, state}, other] = await Promise.all([
      live.read(path(id), signal), live.read(`${path(id)}/traits?explain=true${specified}`, signal), compared && orError(live.read(`${path(compared)}/traits`, signal)),
    ])
    const [registrations, scopes] = this.#open.size ? await Promise.all([
      `/registrations?node=${escaped(id)}&pageSize=${WATCHERS_MAX}`, `${path(id)}/scopes`,
    ].map(target => orError(live.read(target, signal)))) : []
    return {
      node, past, revision, state, other, registrations, scopes, traits: new Map(Object.entries(traits)), overrides: new Map(Object.entries(node.overrides ?? {})),
      others: other?.traits && new Map(Object.entries(other.traits)),
    }
  }

  #take(data) {
    // It is read again after the page's own write.
    if (this.#isBehind(data)) return
    const before = this.#data?.node.id === data.node.id ? this.#data : null
    this.#data = data
    this.#region.className = ''
    this.#problem.textContent = ''
    this.draw(before)
    ;[...this.#region.children].find(({dataset}) => dataset.trait && dataset.trait === this.#goal)?.scrollIntoView()
    this.#goal = null
    this.#hooks.shown()
  }

  /** Whether it was read before the page's own last write. */
  #isBehind({past, revision}) { return past === null && revision < this.#live.written }

  #failed(error, node) {
    const {past} = this.#live, isMissing = error.status === 404
    if (isMissing || this.#data?.past !== past) {
      this.#region.className = 'gone'
      this.#title.replaceChildren(bdi(node))
    }
    this.#problem.replaceChildren(!isMissing ? `${error.message} ` : past === null ? `${node}: it may have been deleted. ${error.message} ` : `Revision ${past} has no node ${node}. `,
      h('button', {on: {click: () => this.refresh()}}, 'Retry'))
    this.#hooks.shown()
  }

  #isShown(key, {value, source}) {
    const {node, overrides, others} = this.#data
    if (!key.toLowerCase().includes(this.#filter.value.trim().toLowerCase())) return false
    if (others) return canonical(value) !== canonical(others.get(key) ?? null)
    return this.#defaults.checked || this.#open.has(key) || source.kind !== 'default' || overrides.has(key) || this.#writing.plannedFor(node.id, key) !== undefined
  }

  draw(before = null) {
    if (!this.#data) return
    const {node, traits, state, other, others, overrides} = this.#data, definitionOf = key => this.#live.definitions.get(key) ?? {}, isBehind = this.#isBehind(this.#data)
    const all = this.#ordered([...traits].filter(([key, trait]) => this.#isShown(key, trait))), shown = all.slice(0, ROWS_MAX)
    set(this.#region, {'data-node': node.id})
    if (this.#why.value !== this.#writing.reason) this.#why.value = this.#writing.reason
    this.#title.replaceChildren(bdi(node.id), ' ', h('span', {class: 'kind'}, node.kind), ' ', h('bdi', {class: 'label'}, node.label?.slice(0, 200) ?? ''),
      state === 'current' ? '' : ` ${state}`)
    say(this.#note, other?.error?.message ?? (others ? `${all.length} of ${traits.size} traits differ from ${other.node}`
      : all.length > shown.length ? `${all.length - shown.length} more: filter them` : ''))
    this.#empty.hidden = all.length > 0 || this.#defaults.checked || this.#filter.value !== '' || Boolean(others)
    keyed(this.#region, shown, ([key]) => `${node.id} ${key} ${definitionOf(key).type}`, ([key]) => new Row(key, definitionOf(key), {
      draft: this.#draftOf(node.id, key), node: node.id, link: (at, revision) => this.#hooks.link(at, key, revision), write: (value, own) => this.#writing.put(node.id, key, value, own), unfold: isOpen => this.#unfold(key, isOpen),
      remove: () => this.#hooks.deleteTrait(key), putBack: change => this.#hooks.putBack(node.id, key, change, this.#data.traits.get(key)), why: () => this.#live.why(false),
      read: () => this.#live.read(`/nodes/${escaped(node.id)}/traits/${escaped(key)}`),
      history: (count, signal) => this.#live.request('GET', `/nodes/${escaped(node.id)}/traits/${escaped(key)}/history?pageSize=${count}`, signal),
    }).element, (element, [key, trait]) => element.row.show({
      trait, data: this.#data, own: overrides.get(key), planned: this.#writing.plannedFor(node.id, key), reason: this.#region.classList.contains('old') ? 'Reading' : this.#live.why(this.#writing.isPlanning), isOpen: this.#open.has(key), isBehind,
      hasChanged: before?.traits.has(key) && canonical(before.traits.get(key).value) !== canonical(trait.value),
    }), this.#head)
    this.#reach()
  }

  /** What the node overrides first, then what differs from its default. */
  #ordered(traits) {
    const {node: {id}, overrides} = this.#data, isOld = this.#ranks.node !== id
    if (isOld) this.#ranks = {node: id, of: new Map()}
    const {of} = this.#ranks
    for (const [key, {source}] of traits) if (!of.has(key)) of.set(key, overrides.has(key) ? 0 : source.kind === 'default' ? 2 : 1)
    return traits.sort(([one], [other]) => of.get(one) - of.get(other))
  }

  #draftOf(node, key) {
    const name = JSON.stringify([node, key])
    return {get: () => this.#drafts.get(name), set: text => text === undefined ? this.#drafts.delete(name) : this.#drafts.set(name, text)}
  }

  #unfold(key, isOpen) {
    if (isOpen) this.#open.add(key)
    else this.#open.delete(key)
    this.#hooks.open(isOpen ? key : [...this.#open].at(-1) ?? null)
    this.draw()
    if (isOpen) this.refresh()
  }
}

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
  #chain = h('ol', {'data-chain': true})
  #watchers = h('p')
  #history
  #detail

  constructor(key, definition, hooks) {
    this.#key = key
    this.#hooks = hooks
    this.#button = h('button', {class: 'disclosure', title: key, on: {click: () => hooks.unfold(this.#detail.hidden)}}, bdi(key))
    this.#control = makeControl(definition, key, value => hooks.write(value, this.#own), hooks.draft)
    this.#history = new History(hooks)
    const isOwn = definition.type !== undefined && !definition.since && !definition.private
    this.#detail = h('div', {class: 'detail', hidden: true}, this.#chain, this.#watchers, this.#history.element,
      isOwn ? h('button', {'data-making': true, on: {click: () => hooks.remove()}}, 'Delete trait') : '')
    set(this.#chain, {'aria-label': `Where ${key} comes from`})
    this.element = h('div', {class: 'trait', 'data-trait': key}, this.#button, this.#value, this.#source, this.#compared, this.#control, this.#detail)
    this.element.row = this
  }

  show({trait: {value, source, chain}, data, own, planned, reason, isOpen, isBehind, hasChanged}) {
    const text = JSON.stringify(value), here = data.node.id
    this.#own = own
    if (text !== this.#text) this.#isUnfolded = false
    this.#text = text
    if (!this.#isUnfolded) this.#showValue(value, isFolded(value))
    set(this.#source, {'data-source': source.kind})
    this.#source.replaceChildren(...sourceElements(source, this.#hooks))
    this.#compared.replaceChildren(...data.others ? [`in ${data.other.node}: `, ...valueElements(data.others.get(this.#key) ?? null)] : [])
    this.element.classList.remove('flash')
    if (hasChanged) {
      void this.element.offsetWidth // Starts the animation again.
      this.element.classList.add('flash')
    }
    // After the page's own write the control stays as the user left it until that is read.
    if (!isBehind) this.#control.show({
      own: planned ? planned.operation.value : own, isPlanned: planned !== undefined, reason,
      from: chain.find(({layer, node}) => layer !== 'override' || node !== here),
    })
    set(this.#button, {'aria-expanded': String(isOpen)})
    this.element.classList.toggle('open', isOpen)
    this.element.classList.toggle('asked', planned !== undefined)
    set(this.#source, {title: `${source.kind}${source.node ? ` at ${source.node}` : ''}`})
    this.#detail.hidden = !isOpen
    if (isOpen) this.#details(chain, data, JSON.stringify([value, source]))
  }

  #showValue(value, folds) {
    const text = JSON.stringify(value)
    set(this.#value, {'data-value': folds ? brief(text, 1000) : text, title: brief(plain(value), 500)})
    this.#value.replaceChildren(...valueElements(value, folds && (async () => {
      this.#isUnfolded = true
      this.#showValue((await this.#hooks.read()).value, false)
    })))
  }

  #details(chain, {past, registrations, scopes}, state) {
    const key = this.#key, error = registrations?.error ?? scopes?.error
    keyed(this.#chain, chain, entry => JSON.stringify([entry, past]), ({layer, value, status, revision, setBy, ...at}) => h('li', {'data-layer': layer, 'data-status': status, 'data-node': at.node},
      h(status === 'winner' ? 'b' : 's', {}, layer, ' ', bdi(brief(value, 200))), at.node ? [' at ', nodeElement(at, this.#hooks)] : '',
      h('span', {class: 'hint'}, revision ? ` revision ${revision}` : '', setBy ? ' by ' : '', bdi(setBy ?? ''))))
    const watchers = registrations && !error && [...registrations.registrations.filter(({traits}) => traits.includes(key)).map(({id}) => [bdi(id)]),
      ...scopes.scopes.filter(({reads}) => reads.includes(key)).map(({scope, stale}) => ['scope ', bdi(scope), stale ? ' (stale)' : ''])]
    this.#watchers.replaceChildren(h('b', {}, 'Notified here: '), ...watchers ? [...listed(watchers), watchers.length ? '' : 'nothing', registrations.nextPageToken ? ', …' : '']
      : [error?.message ?? 'Loading'])
    this.#history.show(state, past)
  }
}

function nodeElement({node, deleted}, {node: here, link}) {
  if (node === here || deleted) return h('span', {}, deleted ? bdi(`${node}, deleted`) : 'this node')
  return h('a', {href: link(node), 'data-goto': node}, bdi(node))
}

const sourceElements = (source, hooks) => [source.kind, ...source.node ? [' at ', nodeElement(source, hooks)] : []]

/** Who, why, and what else a commit says of itself. */
function causeElements(cause = {}) {
  const who = callerOf(cause), {manager, ...rest} = cause, more = originWords(rest)
  return [who ? [' by ', bdi(who)] : '', manager && manager !== who ? [' for ', bdi(manager)] : '', cause.reason ? [': ', bdi(cause.reason)] : '', more ? ` (${more})` : ''].flat()
}

const textOrAbsent = value => value === undefined ? 'absent' : bdi(brief(value))

/** The changes of a resolved value. They are read when the trait is unfolded, and again when its value changes. */
class History {
  #hooks
  #state
  #past
  #changes = []
  #list = h('ol', {'data-history': true, 'aria-label': 'History'})
  #count = CHANGES
  #more = h('button', {class: 'link', hidden: true, on: {click: () => this.#latest.ask(this.#count *= 10)}}, 'Show more')
  #note = h('p', {class: 'hint', role: 'status'})
  #latest
  element = h('div', {}, h('b', {}, 'History'), this.#list, this.#more, this.#note)

  constructor(hooks) {
    this.#hooks = hooks
    this.#latest = new Latest(hooks.history, answer => this.#take(answer), error => this.#note.replaceChildren(
      h('span', {class: 'problem'}, error.message), ' ', h('button', {on: {click: () => this.#latest.refresh()}}, 'Retry')), () => say(this.#note, 'Loading'))
  }

  show(state, past) {
    this.#past = past
    if (this.#state === undefined) this.#latest.ask(CHANGES)
    else if (past === null && this.#state !== state) this.#latest.refresh()
    if (past === null || !this.#state) this.#state = state
    this.#draw()
  }

  #take({changes, nextPageToken}) {
    this.#changes = changes
    this.#more.hidden = !nextPageToken || this.#count === CHANGES_MAX
    say(this.#note, changes.length > 1 ? '' : 'No change since')
    this.#draw()
  }

  #draw() {
    const hooks = this.#hooks, shown = this.#past && this.#changes.find(({revision}) => revision <= this.#past)
    keyed(this.#list, this.#changes, ({revision, begins}) => `${revision} ${begins}`, ({revision, time, previous, value, source, begins, cause, operations = []}) => h('li', {'data-revision': revision},
      h('a', {href: hooks.link(hooks.node, revision), title: `The session at revision ${revision}`}, revision), ' ', timeElement(time), ' ',
      begins ? '' : [h('s', {}, textOrAbsent((this.#changes.find(older => older.revision < revision) ?? {value: previous}).value)), ' → '], h('b', {}, textOrAbsent(value)), ' ',
      revision === this.#changes[0].revision || value === undefined ? '' : h('button', {class: 'link', 'data-write': true, on: {click: () => hooks.putBack({revision, value, source})}}, 'Put back'), ' ',
      source ? h('span', {class: 'hint'}, ...sourceElements(source, hooks), ' ') : '', h('div', {class: 'hint'}, begins ? 'at the oldest revision that is retained' : [...operations.length ? commitElements(operations) : [], ...causeElements(cause)])),
    (element, change) => {
      set(element, {'aria-current': change === shown && 'true'})
      const button = element.querySelector('[data-write]'), why = hooks.why()
      if (button) {
        button.disabled = why !== null
        button.hidden = change === this.#changes[0]
        set(button, {title: why})
      }
      element.querySelector('[data-goto]')?.setAttribute('href', hooks.link(change.source.node))
    })
  }
}

const FOLDED_MIN = 1024

function colorOf(value) {
  if (typeof value === 'string') return /^#|\(/.test(value) && CSS.supports('color', value) ? value : undefined
  const {red, green, blue, alpha = 1} = value ?? {}
  return [red, green, blue, alpha].every(Number.isFinite) ? `color(srgb ${red} ${green} ${blue} / ${alpha})` : undefined
}

/** The colour of a value that is one. */
export function swatch(value) {
  const color = colorOf(value)
  if (!color) return []
  const made = h('span', {class: 'swatch', 'aria-hidden': 'true'})
  made.style.backgroundColor = color
  return [made]
}

/** With `open`, which reads the whole, the value is folded. */
function valueElements(value, open) {
  const text = plain(value)
  return [...swatch(value), ...open ? [bdi(brief(value, 80)), h('button', {class: 'link', on: {click: open}}, `Show ${Math.ceil(text.length / 1024)} KiB`)] : [bdi(text)]]
}

const isFolded = value => plain(value).length > FOLDED_MIN

function textOf(value, {type}) { return type === 'string' && value && value !== 'null' && !value.startsWith('"') ? value : JSON.stringify(value) }

const EXAMPLES = {
  int: 'a whole number, like 3', double: 'a number, like 2.5', string: 'a text', enum: 'the name of a case', bool: 'true or false', struct: 'an object in JSON, like {"x": 1}',
  json: 'a value in JSON, like [1, "a"]',
}

/** What a field takes, in words. */
const takes = ({type, nullable}) => `${EXAMPLES[type] ?? 'a value in JSON'}${nullable ? ', or null' : ''}`

/** The inverse of `textOf`. Throws for what is no JSON, and for numbers that it would change. */
function valueOf(text, {type, nullable}) {
  if (nullable && text === 'null') return null
  if (type === 'enum' || type === 'string' && !text.startsWith('"')) return text
  let value
  try { value = JSON.parse(text) } catch { throw new Error(`This takes ${takes({type, nullable})}.`) }
  const most = type === 'int' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  if (Math.abs(value) > most) throw new Error(`This page writes numbers up to ${most}.`)
  return value
}

const RADIOS_MAX = 5, OPTIONS_MAX = 1000
let number = 0

/** The choices as text and value; null when the value is typed. */
export function choicesOf({type, cases, nullable}) {
  const values = type === 'bool' ? [true, false] : type === 'enum' ? Object.keys(cases) : []
  if (!values.length || values.length > OPTIONS_MAX) return null
  return [...values, ...nullable ? [null] : []].map(value => [String(value), value])
}

/** `write(value)` gets undefined for inherit; its error is shown beside the control. What is typed and not written is kept in `draft`. */
function makeControl(definition, label, write, draft) {
  const id = `control-${++number}`, choices = choicesOf(definition)
  const problem = h('span', {class: 'problem', role: 'alert'})
  const element = h('fieldset', {class: 'control'}, h('legend', {class: 'unseen'}, `Override of ${label}`))
  const hint = h('span', {class: 'hint takes'})
  let state = null

  function unsaved(field, isSo) {
    set(field, {'data-unsaved': isSo})
    element.classList.toggle('unsaved', isSo)
    if (!choices || isSo) say(hint, isSo ? 'Enter saves, Escape takes back' : `Takes ${takes(definition)}`)
    else say(hint, '')
  }

  async function send(write) {
    problem.textContent = ''
    const done = write()
    element.classList.add('busy')
    const error = await done.then(() => null, error => error)
    element.classList.remove('busy')
    if (!error) return
    problem.textContent = error.message
    // What is typed stays.
    show(state, choices !== null)
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
    // Arrow keys move focus alone; Enter, Space or a press writes.
    element.addEventListener('keydown', event => {
      const at = radios.indexOf(event.target), step = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key]
      if (at < 0 || !step && event.key !== 'Enter') return
      event.preventDefault()
      if (step) radios[(at + step + radios.length) % radios.length].focus()
      else if (!event.target.checked) event.target.click()
    })
    show = shown(({text, reason}) => {
      for (const radio of radios) {
        radio.checked = radio.value === text
        disable(radio, reason)
      }
    })
  } else if (choices) {
    const first = h('option', {value: ''}), select = h('select', {'aria-label': `Override of ${label}`}, first, choices.map(([name]) => h('option', {value: name}, name)))
    // A key on the closed list chooses, and Enter writes; a press writes.
    let isByKey = false
    const mark = () => { unsaved(select, select.value !== (state?.text ?? '')) }
    const pick = () => choose(last = select.value)
    let last
    select.addEventListener('pointerdown', () => { isByKey = false })
    select.addEventListener('keydown', event => {
      if (event.key === 'Enter' && select.hasAttribute('data-unsaved')) {
        event.preventDefault()
        pick()
      } else if (event.key === 'Escape') show(state, true)
      else isByKey = event.key !== ' '
    })
    select.addEventListener('change', () => {
      if (!isByKey) pick()
      else mark()
    })
    element.append(select)
    show = shown(({text, inherited, reason}, isReset) => {
      first.textContent = inherited
      // What a key has chosen stays until Enter.
      if (isReset || last === undefined || select.value === last) select.value = text
      last = text
      // A raw value without a case has no option.
      if (select.selectedIndex < 0 && text) {
        select.append(h('option', {selected: true}, text))
      }
      mark()
      disable(select, reason)
    })
  } else {
    const input = h('input', {'data-override': true, 'aria-label': `Override of ${label}`, spellcheck: 'false', autocomplete: 'off', dir: 'auto'})
    const mark = () => {
      const differs = input.value !== (state?.text ?? '')
      unsaved(input, differs)
      draft.set(differs ? input.value : undefined)
    }
    input.addEventListener('input', mark)
    input.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        problem.textContent = ''
        show(state, true)
      }
      if (event.key === 'Enter' && !event.isComposing) send(async () => write(input.value === '' ? undefined : valueOf(input.value, definition)))
    })
    say(hint, `Takes ${takes(definition)}`)
    const unit = definition.unit ?? (definition.css ? 'CSS' : null)
    element.append(input, ...unit ? [h('span', {class: 'hint'}, unit)] : [])
    let last
    show = shown(({text, inherited, reason}, isReset) => {
      input.placeholder = inherited
      // What is being typed stays, also when the value changes meanwhile.
      if (isReset || last === undefined || input.value === last) input.value = !isReset && last === undefined ? draft.get() ?? text : text
      last = text
      mark()
      disable(input, reason)
    })
  }
  element.append(hint, problem)

  function shown(draw) {
    return (next, isReset = false) => {
      state = next
      if (!state || element.classList.contains('busy')) return
      if (inherit.textContent !== state.inherited) {
        const [, what, whence = '', end = ''] = /^inherit(.*?)( from .*?| by default)?(\))?$/s.exec(state.inherited)
        inherit.replaceChildren('inherit', h('span', {class: 'whence'}, bdi(what), bdi(whence), end))
      }
      element.classList.toggle('planned', state.isPlanned)
      draw(state, isReset)
    }
  }

  /** `from` is the chain's entry that counts without the override `own`. */
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
