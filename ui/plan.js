// The plan of What if: operations that are not written yet, and what they would do.

import {byId, h, keyed, say} from './dom.js'
import {baseOf, deviceTable, dryRun, effectElements, effectsOf} from './effects.js'
import {Latest, showCurl} from './server.js'
import {operationElements} from './words.js'

export class Plan {
  #section = byId('plan')
  #live
  #writing
  #hooks
  #latest
  #effects = null
  #error = null
  #isBusy = false
  #list = h('ol', {class: 'planned'})
  #status = h('p', {role: 'status', class: 'note'})
  #problem = h('p', {class: 'problem', role: 'alert'})
  #effectList = h('div')
  #reason = h('input', {'aria-label': 'Reason', placeholder: 'Reason', maxlength: 256, on: {input: () => { this.#writing.reason = this.#reason.value }}})
  #apply = h('button', {id: 'apply', on: {click: () => this.#send()}}, 'Apply')
  #device = h('select', {'aria-label': 'Device', on: {focus: () => this.#readDevices(), pointerdown: () => this.#readDevices(), change: () => this.#drawDevice()}}, h('option', {value: ''}, 'Device…'))
  #orientation = h('select', {'aria-label': 'Orientation'}, ['', 'portrait', 'landscape'].map(value => h('option', {value}, value || 'usual orientation')))
  #style = h('select', {'aria-label': 'Setting'}, h('option', {value: ''}, 'no setting'))
  #add = h('button', {disabled: true, on: {click: () => this.#planDevice()}}, 'Plan device')
  #table = null

  /** `hooks` has `link` and `mark`, as effects take them, and `selected`, the selected node. */
  constructor({live, writing}, hooks) {
    this.#live = live
    this.#writing = writing
    this.#hooks = hooks
    const operationsOf = () => writing.planned.map(({operation}) => operation)
    this.#latest = new Latest((operations, signal) => effectsOf(live, dryRun(live, operations), operationsOf, signal),
      effects => this.#took(effects, null), error => this.#took(null, error), () => say(this.#status, 'Computing'))
    this.#section.replaceChildren(
      h('div', {class: 'bar'}, h('h2', {}, 'What if'), this.#reason, this.#apply, h('button', {on: {click: () => writing.discard()}}, 'Discard')),
      h('div', {class: 'bar'}, this.#device, this.#orientation, this.#style, this.#add), this.#list, this.#problem, this.#status, this.#effectList)
  }

  stop() {
    this.#latest.stop()
    this.#section.replaceChildren()
  }

  change() {
    const {planned, isPlanning} = this.#writing
    this.#error = null
    if (this.#reason.value !== this.#writing.reason) this.#reason.value = this.#writing.reason
    if (isPlanning && planned.length) this.#compute()
    else {
      this.#latest.stop()
      this.#took(null, null)
    }
  }

  refresh() { if (this.#writing.isPlanning && this.#writing.planned.length) this.#latest.refresh() }

  async #readDevices() {
    try { this.#table ??= await deviceTable() } catch (error) { return say(this.#problem, error.message) }
    if (this.#device.length > 1) return
    this.#device.append(...this.#table.devices.map(({name}) => h('option', {value: name}, name)))
    this.#style.append(...this.#table.settings.map(({name}) => h('option', {value: name}, name)))
  }

  #drawDevice() { this.#add.disabled = !this.#device.value || !this.#writing.isPlanning }

  #planDevice() {
    const node = this.#hooks.selected()
    if (node === null) return
    this.#writing.plan({op: 'setDevice', node, device: this.#device.value, ...this.#orientation.value && {orientation: this.#orientation.value},
      ...this.#style.value && {settings: [this.#style.value]}})
  }

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
    this.#apply.disabled = true
    try { await this.#writing.apply(baseOf(this.#effects.answer)) } catch (error) {
      if (error.status === 412) {
        this.#compute()
        say(this.#problem, 'The session has changed, so the effects are computed again. Look at them, and apply again.')
      } else this.#took(null, error)
    }
  }

  #draw() {
    const {planned, isPlanning} = this.#writing, at = Number(/^\/operations\/(\d+)/.exec(this.#error?.problem?.pointer ?? '')?.[1] ?? NaN)
    keyed(this.#list, planned.map(({operation}, index) => ({operation, index})), ({operation}) => JSON.stringify([operation.node, operation.trait ?? operation.op]),
      ({operation}) => h('li', {'data-planned': operation.trait ?? operation.op, 'data-node': operation.node}, h('span'), ' ',
        h('button', {class: 'link', 'aria-label': `Remove ${operation.op} ${operation.node} ${operation.trait ?? ''}`, on: {click: () => this.#writing.drop(operation)}}, 'Remove'), ' ',
        h('span', {class: 'problem'})),
      (element, {operation, index}) => {
        element.firstChild.replaceChildren(...operationElements(operation))
        say(element.lastChild, index === at ? this.#error.message : '')
      })
    say(this.#problem, this.#error && Number.isNaN(at) ? this.#error.message : '')
    this.#apply.disabled = !this.#effects || this.#isBusy
    this.#drawDevice()
    if (this.#isBusy) return
    say(this.#status, !isPlanning ? 'Press What if to plan changes and see what they would do.' : planned.length ? '' : 'Choose values beside the traits, or a device: nothing is written before Apply.')
    this.#effectList.replaceChildren(...this.#effects && planned.length ? effectElements(this.#effects, this.#hooks) : [])
  }
}
