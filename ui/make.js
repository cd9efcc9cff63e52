// Making and deleting sessions, nodes and traits.

import {byId, h, say} from './dom.js'
import {escaped, format, request, sendFile, showCurl} from './server.js'

const KINDS = ['windowScene', 'window', 'presentationController', 'viewController', 'view', 'environment']
const TYPES = ['enum', 'bool', 'int', 'double', 'string', 'json']
const NAME_BYTES = 65_536

/**
 * Asks for values in the dialog. A field is `[name, label, attributes]`, with `options` for a list. `make(values, say)` does it, and its error is shown;
 * what it returns is what the promise comes to; null when nobody wants it.
 */
function ask({title, fields, button, make, note}) {
  const dialog = byId('proposal'), problem = h('p', {class: 'problem', role: 'alert'}), status = h('p', {role: 'status', class: 'note'}), submit = h('button', {}, button)
  return new Promise(resolve => {
    const inputs = fields.map(([name, label, {options, ...attributes} = {}]) => {
      const id = `make-${name}`, input = options ? h('select', {id, name}, options.map(value => h('option', {value}, value))) : h('input', {id, name, ...attributes})
      if (options && attributes.value) input.value = attributes.value
      return [h('label', {for: id}, label), input]
    })
    const form = h('form', {on: {submit: async event => {
      event.preventDefault()
      problem.textContent = ''
      submit.disabled = true
      try {
        resolve(await make(Object.fromEntries(inputs.map(([, input]) => [input.name, input.type === 'file' ? input.files[0] : input.value.trim()])), text => say(status, text)))
        dialog.close()
      } catch (error) {
        say(problem, error.message)
        say(status, '')
      }
      submit.disabled = false
    }}}, ...inputs.flat(), note ? h('p', {class: 'hint'}, note) : '', status, problem, h('div', {class: 'bar'}, submit, h('button', {type: 'button', on: {click: () => dialog.close()}}, 'Cancel')))
    dialog.onclose = () => resolve(null)
    dialog.setAttribute('aria-label', title)
    dialog.replaceChildren(h('h2', {}, title), form)
    dialog.showModal()
    inputs[0][1].focus()
  })
}

function go(session) { location.hash = format({session}) }

/** Makes a session, and shows it. */
export const newSession = () => ask({
  title: 'New session', button: 'Create', note: 'An example has a scene with a window; nodes and traits can be made in the session.',
  fields: [['name', 'Name', {required: true, maxlength: 128, autocomplete: 'off'}], ['start', 'Begin with', {options: ['an example', 'nothing']}]],
  async make({name, start}) {
    const nodes = start === 'nothing' ? [] : [{id: 'scene', kind: 'windowScene', overrides: {userInterfaceStyle: 'dark'}}, {id: 'window', kind: 'window', parent: 'scene'}]
    await request('POST', '/v1/sessions', {name, nodes})
    go(name)
  },
})

/** The name in the head of a document, as an export has it. */
async function nameIn(file) {
  const [, name] = /^\s*\{\s*(?:"format"\s*:\s*\d+\s*,\s*)?"name"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(await file.slice(0, NAME_BYTES).text()) ?? []
  return name && JSON.parse(name)
}

/** Imports a document, with the part that is sent, and shows the session. */
export const importSession = () => ask({
  title: 'Import a session', button: 'Import', note: 'A document as an export has it, in JSON. Without a name the session gets the one of the document.',
  fields: [['file', 'File', {type: 'file', accept: '.json,application/json', required: true}], ['name', 'Name', {maxlength: 128, autocomplete: 'off'}]],
  async make({file, name}, show) {
    const written = await nameIn(file), as = name || written || file.name.replace(/\.json$/, '')
    await sendFile('PUT', `/v1/sessions/${escaped(written ?? as)}/import?as=${escaped(as)}`, file, part => show(part < 1 ? `${Math.floor(part * 100)} % sent` : 'Sent; the server reads it'))
    go(as)
  },
})

/** What makes and deletes parts of one session. `write(operations)` writes them. */
export const newNode = (parent, write) => ask({
  title: 'New node', button: 'Create',
  fields: [['node', 'Name', {required: true, maxlength: 128, autocomplete: 'off'}], ['kind', 'Kind of node', {options: KINDS, value: parent === null ? 'windowScene' : 'view'}],
    ['parent', 'Parent', {value: parent ?? '', placeholder: 'none: a root', maxlength: 128, autocomplete: 'off'}], ['label', 'Label', {maxlength: 256, autocomplete: 'off'}]],
  make: ({node, kind, parent, label}) => write([{op: 'createNode', node, kind, parent: parent || null, ...label && {label}}]).then(() => node),
})

export const newTrait = write => ask({
  title: 'New trait', button: 'Create', note: 'Cases are names with commas between them, for an enum alone. The default is a case, or a value in JSON.',
  fields: [['trait', 'Key', {required: true, maxlength: 128, autocomplete: 'off'}], ['type', 'Type', {options: TYPES}], ['cases', 'Cases', {autocomplete: 'off', placeholder: 'free, paid'}],
    ['value', 'Default', {required: true, autocomplete: 'off'}]],
  async make({trait, type, cases, value}) {
    const definition = {type}
    if (type === 'enum') definition.cases = Object.fromEntries(cases.split(',').map(name => name.trim()).filter(Boolean).map((name, at) => [name, at]))
    if (type === 'enum' || type === 'string') definition.default = value
    else try { definition.default = JSON.parse(value) } catch { throw new Error('The default is no value in JSON: write 2.5, true or "text".') }
    return write([{op: 'defineTrait', trait, definition}])
  },
})

/** Deletes a session after a yes. */
export const deleteSession = (live, proposal) => proposal.ask({
  title: `Delete the session ${live.name}`, operations: [], values: false, details: 'Its history goes with it. An export keeps a copy.',
  preview: signal => live.request('DELETE', '?dryRun=true', signal),
  async write(_, ifMatch) {
    showCurl('DELETE', live.path)
    await request('DELETE', live.path, undefined, undefined, ifMatch)
    location.hash = '#/'
  },
})
