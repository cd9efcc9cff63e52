// The dialog that shows what a write would do, takes a reason, and asks for a yes.

import {byId, h, say} from './dom.js'
import {baseOf, effectElements, effectsOf} from './effects.js'
import {Latest} from './server.js'
import {operationElements} from './words.js'

const OPERATIONS_SHOWN = 50

export class Proposal {
  #dialog = byId('proposal')
  #live
  #hooks
  #latest = null
  #over = null

  /** `hooks` has `link` of a node, and `reason`, an object whose member of that name is remembered. */
  constructor(live, hooks) {
    this.#live = live
    this.#hooks = hooks
  }

  stop() { this.#dialog.close() }

  #closed() {
    this.#latest?.stop()
    this.#over?.(false)
    this.#over = null
  }

  /**
   * Shows a write, and resolves to whether it is made. `preview(signal)` asks for the dry run; its answer has `operations`, or `operations` are those
   * given. Without `values` those that would differ are not looked for. `write(reason, ifMatch)` makes it; when it is refused, since the session has changed, the effects are shown again.
   */
  ask({title, operations, preview, write, button = 'Apply', details = '', values = true}) {
    const {reason} = this.#hooks, field = h('input', {id: 'proposal-reason', maxlength: 256, value: reason.reason, on: {input: () => { reason.reason = field.value }}})
    const status = h('p', {role: 'status', class: 'note'}), problem = h('p', {class: 'problem', role: 'alert'}), body = h('div', {class: 'proposed', tabindex: 0, role: 'group', 'aria-label': 'Effect'})
    let shown = null
    const apply = h('button', {disabled: true}, button)
    this.#dialog.onclose = () => this.#closed()
    const operationsOf = answer => operations ?? (answer.operationsTruncated ? null : answer.operations ?? [])
    const latest = this.#latest = new Latest((_, signal) => effectsOf(this.#live, preview, values ? operationsOf : () => undefined, signal), effects => {
      shown = effects.answer
      say(status, shown.unchanged ? 'Nothing would change: all is so already.' : '')
      const list = operationsOf(shown) ?? shown.operations
      body.replaceChildren(h('ol', {class: 'planned', 'aria-label': 'Operations'}, list.slice(0, OPERATIONS_SHOWN).map(operation => h('li', {'data-operation': operation.op}, ...operationElements(operation)))),
        list.length > OPERATIONS_SHOWN ? h('p', {class: 'note'}, `${shown.operationsTruncated ? 'more than ' : ''}${list.length - OPERATIONS_SHOWN} more operations`) : '',
        ...effectElements(effects, {link: this.#hooks.link}))
      apply.disabled = shown.unchanged === true
    }, error => {
      say(status, '')
      problem.replaceChildren(error.message, ...placesOf(error))
    }, () => say(status, 'Computing'))
    apply.onclick = async () => {
      apply.disabled = true
      problem.textContent = ''
      try {
        await write(field.value.trim() || undefined, `"${shown.uid}.${baseOf(shown)}"`, baseOf(shown))
        this.#over?.(true)
        this.#over = null
        this.#dialog.close()
      } catch (error) {
        problem.replaceChildren(error.status === 412 ? 'The session has changed, so the effects are computed again. Look at them, and apply again.' : error.message, ...placesOf(error))
        if (error.status === 412) latest.refresh()
        else apply.disabled = false
      }
    }
    this.#dialog.setAttribute('aria-label', title)
    this.#dialog.replaceChildren(h('h2', {}, title), details ? h('p', {}, details) : '', status, body, problem, h('div', {class: 'bar'}, h('label', {for: 'proposal-reason'}, 'Reason'), field,
      apply, h('button', {on: {click: () => this.#dialog.close()}}, 'Cancel')))
    this.#dialog.showModal()
    field.focus()
    latest.ask(null)
    return new Promise(resolve => { this.#over = resolve })
  }
}

/** What has changed since, as a refusal lists it. */
const placesOf = ({problem}) => problem?.places?.length ? [h('ul', {}, problem.places.slice(0, 20).map(({revision, reason, ...place}) => (
  h('li', {}, Object.values(place).filter(part => typeof part === 'string').join(' '), revision ? ` changed at revision ${revision}` : ''))))] : []
