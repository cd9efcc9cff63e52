// A grid: what the selected node would show in each combination of some traits and devices. Nothing is written.

import {bdi, brief, byId, counted, h, plain, roving, say, set} from './dom.js'
import {deviceTable} from './effects.js'
import {Latest, readVariants, showCurl} from './server.js'
import {choicesOf, swatch} from './traits.js'

const AXES_MAX = 3, ROWS_MAX = 200, SHOWN_MAX = 20_000, TRAITS_MAX = 1000, PAUSE = 150
const DEVICE = 'device', FIRST = 'userInterfaceStyle', UNSET = ['unspecified', 'unknown']

/** The values of a text: JSON with commas between, or texts for a trait that has texts. */
function valuesIn(text, {type}) {
  try { return JSON.parse(`[${text}]`) } catch {
    if (type === 'string') return text.split(',').map(one => one.trim())
    throw new Error('Values are in JSON with commas between them, like 1, 2, 3.')
  }
}

/** One thing that varies: a trait or the device, with its values. */
class Axis {
  #live
  #changed
  #definition = null
  #kind = h('select', {on: {change: () => this.#choose()}})
  #all = h('button', {class: 'link', type: 'button', on: {click: () => this.#checkAll()}}, 'All or none')
  #values = h('div', {class: 'values', role: 'group'})
  /** The values are one stop of Tab. */
  #reach = roving(this.#values, 'label', '[type=checkbox]')
  #remove = h('button', {class: 'link', type: 'button', on: {click: () => this.#changed(this)}}, 'Remove')
  element = h('div', {class: 'axis'}, h('div', {class: 'bar'}, this.#kind, this.#all, this.#remove), this.#values)

  /** `changed(axis)` gets the axis that goes; nothing when its values are others. */
  constructor(live, changed) {
    this.#live = live
    this.#changed = changed
  }

  get name() { return this.#kind.value === 'devices' ? DEVICE : this.#definition?.key }

  /** Lists the traits that there are; `number` counts from 1. */
  list(number) {
    const traits = [...this.#live.definitions.values()].filter(({private: isPrivate}) => !isPrivate)
    // The session's own come first.
    traits.sort((one, other) => Boolean(one.since) - Boolean(other.since))
    const chosen = this.#kind.value
    this.#kind.replaceChildren(h('option', {value: ''}, 'Trait or device…'), h('option', {value: 'devices'}, 'Devices'),
      ...traits.slice(0, TRAITS_MAX).map(({key}) => h('option', {value: `trait ${key}`}, key)))
    this.#kind.value = chosen
    if (this.#kind.selectedIndex < 0) this.#kind.value = ''
    set(this.#kind, {'aria-label': `Axis ${number}`})
    set(this.#values, {'aria-label': `Values of axis ${number}`})
    set(this.#remove, {'aria-label': `Remove axis ${number}`})
    set(this.#all, {'aria-label': `All or none of axis ${number}`})
  }

  /** Chooses a trait, if it is there. */
  choose(key) {
    this.#kind.value = `trait ${key}`
    if (this.#kind.selectedIndex < 0) this.#kind.value = ''
    this.#choose()
  }

  async #choose() {
    const kind = this.#kind.value, [, key] = kind.split(' ')
    this.#definition = key ? this.#live.definitions.get(key) : null
    this.#all.hidden = true
    if (kind === 'devices') {
      const {devices} = await deviceTable().catch(error => ({devices: [], error})), idioms = devices.map(device => device.userInterfaceIdiom)
      if (this.#kind.value !== kind) return
      this.#check(devices.map(({name}, at) => [name, name, idioms.indexOf(idioms[at]) === at]))
    } else if (this.#definition) {
      const choices = choicesOf(this.#definition), {since} = this.#definition
      if (choices) this.#check(choices.map(([text, value]) => [text, value, !since || !UNSET.includes(text)]))
      else this.#values.replaceChildren(h('input', {'aria-label': `Values of ${key}`, placeholder: 'Values, like 1, 2, 3', spellcheck: 'false', on: {input: () => this.#changed()}}))
    } else this.#values.replaceChildren()
    this.#changed()
  }

  #check(choices) {
    this.#all.hidden = choices.length < 3
    this.#values.replaceChildren(...choices.map(([text, value, checked]) => {
      const box = h('input', {type: 'checkbox', checked, on: {change: () => this.#changed()}})
      box.choice = value
      return h('label', {}, box, bdi(text))
    }))
    this.#reach()
  }

  #checkAll() {
    const boxes = [...this.#values.querySelectorAll('[type=checkbox]')], isAll = boxes.every(({checked}) => checked)
    for (const box of boxes) box.checked = !isAll
    this.#changed()
  }

  /** As the request has it; null while no value is chosen. */
  read(at) {
    const kind = this.#kind.value, field = this.#values.querySelector('input:not([type=checkbox])')
    const values = field ? valuesIn(field.value, this.#definition) : [...this.#values.querySelectorAll(':checked')].map(({choice}) => choice)
    if (!kind || !values.length) return null
    return {name: this.name, ...kind === 'devices' ? {devices: values} : {trait: this.name, cases: values}, at}
  }
}

export class Variants {
  #section = byId('variants')
  #live
  #node = null
  /** The root above the node, where an axis sets its values unless another node is given. */
  #root = null
  #axes = []
  #isAsked = false
  #timer = 0
  #over = new AbortController()
  #latest = new Latest((request, signal) => this.#read(request, signal), (answer, request) => this.#show(answer, request), error => this.#failed(error), () => say(this.#status, 'Computing'))
  #title = h('h2')
  #list = h('div', {class: 'axes'})
  #add = h('button', {on: {click: () => this.#addAxis()}}, 'Add axis')
  #at = h('input', {'aria-label': 'Set at node', maxlength: 128, on: {input: () => this.#changed()}})
  #recorded = h('input', {type: 'checkbox', on: {change: () => this.#changed()}})
  #pairs = h('input', {type: 'checkbox', on: {change: () => this.#changed()}})
  #problem = h('p', {class: 'problem', role: 'alert'})
  #status = h('p', {role: 'status', class: 'note'})
  #grid = h('div', {class: 'grid'})

  constructor(live) {
    this.#live = live
    this.#section.replaceChildren(h('div', {class: 'bar'}, this.#title, h('span', {class: 'space'}), this.#add), this.#list,
      h('div', {class: 'bar'}, h('label', {title: 'What the scopes and registrations of the node say that it reads, in place of all traits'}, this.#recorded, ' Only what it reads'),
        h('label', {title: 'Fewer rows, which have every pair of values of two axes'}, this.#pairs, ' Pairs are enough'), this.#at),
      this.#problem, this.#status, this.#grid)
    this.#section.addEventListener('shown', () => this.#ask(true), {signal: this.#over.signal})
    this.#entitle()
  }

  stop() {
    clearTimeout(this.#timer)
    this.#over.abort()
    this.#latest.stop()
    this.#section.replaceChildren()
  }

  /** Shows another node. */
  show(node) {
    if (node === this.#node) return
    this.#node = node
    this.#root = null
    this.#entitle()
    this.#ask()
  }

  /** Shows what a commit, or going to the past, has changed. */
  refresh(isStructural) {
    if (isStructural) this.#root = null
    if (this.#section.hidden) return
    if (this.#isAsked && this.#live.past === null) this.#latest.refresh()
    else this.#ask()
  }

  /** The definitions are others. */
  define() {
    if (this.#axes.length) this.#draw()
    else this.#addAxis(FIRST)
  }

  #addAxis(first = null) {
    const axis = new Axis(this.#live, gone => {
      if (gone) {
        this.#axes = this.#axes.filter(other => other !== gone)
        this.#draw()
        this.#add.focus()
      }
      this.#changed()
    })
    this.#axes.push(axis)
    this.#draw()
    if (first) axis.choose(first)
  }

  #changed() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ask(true), PAUSE)
  }

  #entitle() { this.#title.replaceChildren('Variants', ...this.#node === null ? [] : [' of ', bdi(this.#node)]) }

  #draw() {
    this.#list.replaceChildren(...this.#axes.map(({element}) => element))
    for (const [at, axis] of this.#axes.entries()) axis.list(at + 1)
    this.#add.disabled = this.#axes.length >= AXES_MAX
    this.#pairs.parentElement.hidden = this.#axes.length < AXES_MAX
  }

  async #ask(isChosen = false) {
    if (this.#section.hidden || this.#node === null) return
    say(this.#problem, '')
    if (this.#live.past !== null) return this.#nothing('Variants are made of the present. Back to now shows them.')
    try {
      const node = this.#node, at = this.#at.value.trim() || await this.#rootOf(node)
      if (node !== this.#node) return
      const axes = this.#axes.map(axis => axis.read(at)).filter(Boolean)
      if (!axes.length) return this.#nothing('Choose a trait or devices, and values: each row is a combination of them.')
      const request = {nodes: [node], ...this.#recorded.checked && {reads: 'recorded'}, colors: 'all', images: 'all', axes, ...this.#pairs.checked && axes.length === AXES_MAX && {strength: 2}, distinct: true}
      if (isChosen) showCurl('POST', `${this.#live.path}/variants`, request)
      this.#isAsked = true
      this.#latest.ask(request)
    } catch (error) { this.#failed(error) }
  }

  async #rootOf(node) {
    if (this.#root === null) {
      const {hidden = []} = await this.#live.request('POST', '/rows', this.#over.signal, {at: node, depth: 0, count: 1})
      if (node !== this.#node) return null
      this.#root = hidden.at(-1) ?? node
      set(this.#at, {placeholder: `Set at ${this.#root}`})
    }
    return this.#root
  }

  /** The first rows, and whether there are more. */
  async #read(request, signal) {
    const rows = []
    let shown = 0
    const answer = await readVariants(this.#live.name, request, signal, row => {
      if (rows.length === ROWS_MAX || shown > SHOWN_MAX) return false
      rows.push(row)
      shown += Object.keys(row.nodes[0].traits).length
      return true
    })
    return {...answer, rows}
  }

  #failed(error) {
    if (this.#over.signal.aborted) return
    const [, axis] = /^\/axes\/(\d+)/.exec(error.problem?.pointer ?? '') ?? []
    say(this.#problem, `${axis ? `Axis ${Number(axis) + 1}: ` : ''}${error.message}`)
    this.#nothing('')
    this.#isAsked = true
  }

  #nothing(text) {
    this.#latest.stop()
    this.#isAsked = false
    say(this.#status, text)
    this.#grid.replaceChildren()
  }

  #show({rows, head, isWhole}, {axes}) {
    const text = value => JSON.stringify(value) ?? ''
    const places = new Map(head.axes.map(({name, values}) => [name, values.map(text)]))
    const place = ({labels}, {name}) => places.get(name).indexOf(text(labels.get(name)))
    const all = rows.map(({labels, combinations, nodes: [{traits, colors = {}, images = {}}]}) => ({
      labels: new Map(Object.entries(labels)), combinations,
      values: new Map([...Object.entries(traits), ...Object.entries(colors).map(([key, {value}]) => [`color ${key}`, value]),
        ...Object.entries(images).map(([key, {value}]) => [`image ${key}`, value])]),
    }))
    // The server goes from one row to the next in few steps; people look for a value.
    for (const axis of axes.toReversed()) all.sort((one, other) => place(one, axis) - place(other, axis))
    const own = new Set(axes.map(({trait}) => trait))
    const differs = key => new Set(all.map(({values}) => text(values.get(key)))).size > 1
      // A trait that only shows what its axis says has no column of its own.
      && !(own.has(key) && all.every(({labels, values}) => text(labels.get(key)) === text(values.get(key))))
    const columns = [...new Set(all.flatMap(({values}) => [...values.keys()]))].filter(differs), isJoined = all.some(({combinations}) => combinations > 1)
    const made = head.combinations ?? head.rows
    say(this.#status, `${isWhole ? '' : 'The first '}${counted(rows.length, 'row')} of ${counted(made, 'combination')}${
      rows.length === 1 && made > 1 ? ': all show the same' : columns.length ? '' : '; no other value differs'}`)
    const names = [...axes.map(({name}) => [name, bdi(name)]), ...columns.map(key => [key, bdi(key)]), ...isJoined ? [['Stands for', 'Stands for']] : []]
    const cell = (label, value, attributes) => h('td', {'data-label': label, title: brief(plain(value), 500), ...attributes}, h('span', {}, ...swatch(value), bdi(brief(value))))
    this.#grid.replaceChildren(h('table', {'data-variants': rows.length, 'data-combinations': made},
      h('caption', {class: 'unseen'}, 'What ', bdi(this.#node), ' would show'), h('thead', {}, h('tr', {}, names.map(([, name]) => h('th', {scope: 'col'}, name)))),
      h('tbody', {}, all.map(({labels, combinations, values}, at) => h('tr', {'data-variant': at},
        axes.map(({name}) => cell(name, labels.get(name), {'data-axis': name})),
        columns.map(key => cell(key, values.get(key), {'data-shows': key, 'data-value': text(values.get(key))})),
        isJoined ? h('td', {'data-label': 'Stands for'}, String(combinations)) : null)))))
    set(this.#grid, {tabindex: 0, role: 'region', 'aria-label': 'Grid of variants'})
  }
}
