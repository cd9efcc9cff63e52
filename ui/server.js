// Requests, the order of their answers, and the curl line of the last one. The token stands in this module alone.
// Also the place in the page: it is the fragment #/sessions/{s}/nodes/{n}?trait={t}&revision={r}, with the filters of the changes, so that
// back, reload and links work.

import {Client} from '../client.js'
import {byId, say} from './dom.js'
import {Feed} from './stream.js'

/** The page is `ui` below this, whatever path a proxy adds. */
export const base = new URL('.', document.baseURI)

let client, token, refuse = () => {}

export function onRefused(callback) { refuse = callback }

/** Throws a TypeError for a token that no header can hold. */
export function signIn(given) {
  client = new Client(base, {retries: 2, token: given})
  token = given
}

signIn(null)

export const isSignedIn = () => token !== null

async function watched(promise) {
  try { return await promise } catch (error) {
    if (error.status === 401) refuse(error)
    if (error.code === 'unreachable') error.message = 'The server does not answer. Is it running, and is this device connected?'
    throw error
  }
}

/** `ifMatch` is the entity tag that the session has to have. */
export const request = (method, path, body, signal, ifMatch) => watched(client.request(method, path, body, {signal, ifMatch}))

/** Sends a file, and says which part of it is sent; a fetch does not say so. Throws with the detail of a refusal. */
export const sendFile = (method, path, file, onPart) => new Promise((resolve, reject) => {
  const sending = new XMLHttpRequest()
  sending.open(method, `${base.href.replace(/\/$/, '')}${path}`)
  sending.setRequestHeader('Content-Type', 'application/json')
  if (token !== null) sending.setRequestHeader('Authorization', `Bearer ${token}`)
  sending.upload.onprogress = ({loaded, total}) => onPart(total ? loaded / total : 1)
  sending.onload = () => {
    if (sending.status < 300) return resolve()
    let problem = {}
    try { problem = JSON.parse(sending.responseText) } catch { /* A proxy's page has no detail. */ }
    const error = Object.assign(new Error(problem.detail ?? `The server refuses it with status ${sending.status}.`), {status: sending.status, code: problem.code, problem})
    if (error.status === 401) refuse(error)
    reject(error)
  }
  sending.onerror = () => reject(new Error('The server does not answer, or has closed the connection.'))
  sending.send(file)
})

/** Reads rows of variants until `take(row)` says that it is enough. Returns the head, and whether the rows are all. */
export const readVariants = (session, query, signal, take) => watched((async () => {
  const answer = client.session(session).variants(query, {signal})
  for await (const row of answer) if (!take(row)) break
  return {head: answer.head, isWhole: answer.end !== null}
})())

export const write = (session, operations, options) => watched(client.session(session).transaction(operations, options))

/** Tabs with the same session and token have the same records. The token itself must not be in a name. */
async function common(session) {
  if (!navigator.locks || !globalThis.BroadcastChannel) return null
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify([base.href, session, token])))
  return `traitd records ${Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')}`
}

export function follow(session, callbacks) {
  const mine = client.session(session)
  return new Feed({
    name: common(session), stream: callbacks => mine.records({operations: true}, callbacks),
    page: (next, limit, signal) => mine.request('GET', `/events?operations=true&wait=0&limit=${limit}${next ? `&from=${escaped(next)}` : ''}`, undefined, {signal}),
    read: signal => mine.request('GET', '', undefined, {signal}),
  }, callbacks)
}

const PAUSE = 50, PATIENCE = 150

/** One place of the page and the read that fills it; `wait` is called when a first read takes long. */
export class Latest {
  #read
  #show
  #fail
  #wait
  #running = null
  #subject
  #isDirty = false
  #timer

  constructor(read, show, fail, wait) {
    this.#read = read
    this.#show = show
    this.#fail = fail
    this.#wait = wait
  }

  /** Reads at once. The answer to a question before is dropped. */
  async ask(subject) {
    this.stop()
    if (subject !== this.#subject) this.#timer = setTimeout(() => this.#wait?.(), PATIENCE)
    const mine = this.#running = new AbortController()
    this.#subject = subject
    let show
    try {
      const answer = await this.#read(subject, mine.signal)
      show = () => this.#show(answer, subject)
    } catch (error) { show = () => this.#fail(error, subject) }
    if (this.#running !== mine) return
    clearTimeout(this.#timer)
    this.#running = null
    show()
    if (this.#isDirty) this.#timer = setTimeout(() => this.refresh(), PAUSE)
  }

  /** Reads again. A read that runs is finished first, so that a busy session cannot starve the page. */
  refresh() {
    if (this.#running) this.#isDirty = true
    else if (this.#subject !== undefined) this.ask(this.#subject)
  }

  stop() {
    clearTimeout(this.#timer)
    this.#isDirty = false
    this.#running?.abort()
    this.#running = null
  }
}

const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON in which every character that a terminal may obey or turn is an escape. Addresses are percent-encoded. */
const plainJSON = value => JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, found => (
  Array.from({length: found.length}, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')))

export function curlLine(method, path, body) {
  const url = `${base.href.replace(/\/$/, '')}${path}`
  return ['curl', isSignedIn() ? '-H "Authorization: Bearer $TRAITD_TOKEN"' : null,
    method === 'GET' || method === 'POST' && body !== undefined ? null : `-X ${method}`, quoted(url),
    body === undefined ? null : `--json ${quoted(plainJSON(body))}`].filter(Boolean).join(' ')
}

export function showCurl(method, path, body) { say(byId('curl'), curlLine(method, path, body)) }

byId('copy').addEventListener('click', async () => {
  const line = byId('curl')
  try {
    await navigator.clipboard.writeText(line.textContent)
    say(byId('note'), 'Copied')
  } catch {
    getSelection().selectAllChildren(line)
    say(byId('note'), 'Selected: copy it with the keyboard')
  }
})

export const escaped = encodeURIComponent

/** The text of a query. The server takes `+` for itself. */
export const queryOf = members => String(new URLSearchParams(members)).replaceAll('+', '%20')

const MEMBERS = ['trait', 'revision', 'caller', 'onNode', 'below', 'onTrait', 'kind', 'since', 'reason']

/** Null for a fragment that names no place. Without a revision the place is in the present. */
export function parse(fragment) {
  const [path, query] = fragment.slice(1).split('?'), [, session, node] = /^\/sessions\/([^/]+)(?:\/nodes\/([^/]+))?$/.exec(path) ?? []
  if (!session && !/^\/?(sessions)?$/.test(path)) return null
  const named = text => text ? decodeURIComponent(text) : null
  const search = new URLSearchParams(query)
  try { return {session: named(session), node: named(node), ...Object.fromEntries(MEMBERS.map(name => [name, search.get(name)]))} } catch { return null }
}

export function format({session, node, ...rest}) {
  if (!session) return '#/'
  const query = String(new URLSearchParams(Object.entries(rest).filter(([, value]) => value)))
  return `#/sessions/${escaped(session)}${node ? `/nodes/${escaped(node)}` : ''}${query && `?${query}`}`
}

const ADDRESS_PAUSE = 200
let writtenAt = 0, timer

/** Writes the address, in place of this one at most five times a second: browsers refuse more. */
export function visit(place, isNew) {
  const put = () => {
    writtenAt = performance.now()
    if (format(place) !== location.hash) history[isNew ? 'pushState' : 'replaceState'](null, '', format(place))
  }
  settle()
  timer = setTimeout(put, isNew ? 0 : writtenAt + ADDRESS_PAUSE - performance.now())
}

/** Forgets an address that is not written yet. */
export function settle() { clearTimeout(timer) }
