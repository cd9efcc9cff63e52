// Values of traits: how they are shown, how the text of a field becomes one, and the control that overrides one.

import {bdi, h, set} from './dom.js'

const FOLDED_MIN = 1024

const isColor = text => /^(#|(rgb|hsl|hwb|lab|lch|oklab|oklch|color)\()/i.test(text) && CSS.supports('color', text)

/** The colour that a value is, as CSS has it, or null. */
function colorOf(value) {
  if (typeof value === 'string') return value.length < 200 && isColor(value) ? value : null
  const parts = ['red', 'green', 'blue'].map(part => value !== null && typeof value === 'object' && Object.hasOwn(value, part) ? value[part] : null)
  if (!parts.every(part => typeof part === 'number')) return null
  const alpha = Object.hasOwn(value, 'alpha') && typeof value.alpha === 'number' ? value.alpha : 1
  return `color(srgb ${parts.join(' ')} / ${alpha})`
}

/** A value in a line of text. */
export const plain = value => typeof value === 'string' ? value : JSON.stringify(value)

/** The same, cut to what a line holds. */
export function brief(value, most = 60) {
  const text = plain(value) ?? ''
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** A value with its swatch. Beyond 1 KiB it is folded, and `open` reads it. */
export function valueElements(value, open) {
  const text = plain(value), color = colorOf(value), made = []
  if (color) {
    const swatch = h('span', {class: 'swatch', 'aria-hidden': 'true'})
    swatch.style.backgroundColor = color
    made.push(swatch)
  }
  if (open && text.length > FOLDED_MIN) {
    made.push(bdi(brief(value, 80)), h('button', {class: 'link', on: {click: open}}, `Show ${Math.ceil(text.length / 1024)} KiB`))
  } else made.push(bdi(text))
  return made
}

export const isFolded = value => plain(value).length > FOLDED_MIN

/** The text of a field for a value, so that reading the text gives the value again. */
export function textOf(value, definition) {
  if (definition.type !== 'string') return JSON.stringify(value)
  return typeof value === 'string' && value !== '' && value !== 'null' && !value.startsWith('"') ? value : JSON.stringify(value)
}

/** The value of a field's text. Throws an Error that says what to type. */
export function valueOf(text, definition) {
  if (definition.nullable && text === 'null') return null
  if (definition.type === 'string') {
    if (!text.startsWith('"')) return text
    try { return JSON.parse(text) } catch { throw new Error('Text that begins with a quotation mark has to be a string of JSON.') }
  }
  if (definition.type === 'enum') return text
  if (definition.type === 'int' || definition.type === 'double') {
    const number = text.trim() === '' ? NaN : Number(text)
    if (!Number.isFinite(number)) throw new Error('This trait takes a number.')
    if (definition.type === 'int' && !Number.isSafeInteger(number)) {
      throw new Error(`This page writes whole numbers up to ${Number.MAX_SAFE_INTEGER}; a request of your own can write larger ones.`)
    }
    return number
  }
  try { return JSON.parse(text) } catch { throw new Error('This trait takes JSON, as {"a": 1}.') }
}

// --- The control of one trait at one node.

const RADIOS_MAX = 5, OPTIONS_MAX = 1000
let number = 0

/** The choices of a definition, or null when the value is typed. Each has the text of the choice and its value. */
function choicesOf({type, cases, nullable}) {
  const names = type === 'bool' ? [['true', true], ['false', false]] : type === 'enum' ? Object.keys(cases ?? {}).map(name => [name, name]) : null
  if (!names || names.length > OPTIONS_MAX) return null
  return nullable ? [...names, ['null', null]] : names
}

/** Makes the control. `write(value)` gets undefined for inherit; it gives a promise, and its error is shown beside the control. */
export function makeControl(definition, label, write) {
  const id = `control-${++number}`, choices = choicesOf(definition)
  const problem = h('span', {class: 'problem', role: 'alert'})
  const element = h('fieldset', {class: 'control'}, h('legend', {class: 'unseen'}, `Override of ${label}`))
  let state = null

  async function send(value) {
    problem.textContent = ''
    const done = write(value)
    element.classList.add('busy')
    const error = await done.then(() => null, error => error)
    element.classList.remove('busy')
    // After a success the control is as the user left it, until the traits are read again.
    if (!error) return
    problem.textContent = error.message
    show(state, true)
  }
  const choose = text => send(text === '' ? undefined : choices.find(([name]) => name === text)[1])

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
        select.append(h('option', {value: text}, text))
        select.value = text
      }
      disable(select, reason)
    })
  } else {
    const input = h('input', {'data-override': true, 'aria-label': `Override of ${label}`, spellcheck: 'false', autocomplete: 'off', dir: 'auto'})
    input.addEventListener('keydown', event => {
      if (event.key === 'Escape') show(state, true)
      if (event.key !== 'Enter' || event.isComposing) return
      let value
      try { value = input.value === '' ? undefined : valueOf(input.value, definition) } catch (error) {
        problem.textContent = error.message
        return
      }
      send(value)
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
