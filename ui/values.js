// Values of traits: how they are shown, how the text of a field becomes one, and the control that overrides one.

import {bdi, h, set} from './dom.js'

const FOLDED_MIN = 1024

/** The colour that a value is, as CSS has it, or undefined. */
function colorOf(value) {
  if (typeof value === 'string') return /^#|\(/.test(value) && CSS.supports('color', value) ? value : undefined
  const {red, green, blue, alpha = 1} = value ?? {}
  return [red, green, blue, alpha].every(Number.isFinite) ? `color(srgb ${red} ${green} ${blue} / ${alpha})` : undefined
}

const plain = value => typeof value === 'string' ? value : JSON.stringify(value) ?? ''

/** A value in a line of text. */
export function brief(value, most = 60) {
  const text = plain(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** A value with its swatch. With `open`, which reads the whole, it is folded. */
export function valueElements(value, open) {
  const text = plain(value), color = colorOf(value), made = []
  if (color) {
    const swatch = h('span', {class: 'swatch', 'aria-hidden': 'true'})
    swatch.style.backgroundColor = color
    made.push(swatch)
  }
  return [...made, ...open ? [bdi(brief(value, 80)), h('button', {class: 'link', on: {click: open}}, `Show ${Math.ceil(text.length / 1024)} KiB`)] : [bdi(text)]]
}

export const isFolded = value => plain(value).length > FOLDED_MIN

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
export function makeControl(definition, label, write) {
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
