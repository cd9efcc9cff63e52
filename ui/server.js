// Requests: the one client of the page, the order of its answers, and the curl line of the last action. The token stands in this
// module alone.

import {Client} from '../client.js'
import {byId, say} from './dom.js'

/** Where the server's interface begins. The page is `ui` below it, whatever path a proxy adds. */
export const base = new URL('.', document.baseURI)

let token = null, client = new Client(base, {retries: 2}), refuse = () => {}

/** Calls back for each answer that refuses the token, or the lack of one. */
export function onRefused(callback) { refuse = callback }

/** Throws a TypeError for a token that no header can hold. */
export function signIn(given) {
  client = new Client(base, {retries: 2, token: given})
  token = given
}

export const isSignedIn = () => token !== null

async function watched(promise) {
  try { return await promise } catch (error) {
    if (error.status === 401) refuse(error)
    throw error
  }
}

export const request = (method, path, body, signal) => watched(client.request(method, path, body, {signal}))

export function session(name) {
  const inner = client.session(name)
  return {
    read: (path, signal) => watched(inner.request('GET', path, undefined, {signal})),
    ask: (path, body, signal) => watched(inner.request('POST', path, body, {signal})),
    write: (operations, options) => watched(inner.transaction(operations, options)),
    records: callbacks => inner.records({operations: true}, callbacks),
  }
}

export const name = text => encodeURIComponent(text)

const PAUSE = 50

/** One place of the page and the read that fills it. */
export class Latest {
  #read
  #show
  #fail
  #running = null
  #subject
  #isDirty = false
  #timer

  constructor(read, show, fail) {
    this.#read = read
    this.#show = show
    this.#fail = fail
  }

  /** Reads at once, for another subject than before perhaps. The answer to the question before is dropped. */
  async ask(subject) {
    this.stop()
    const mine = this.#running = new AbortController()
    this.#subject = subject
    let show
    try {
      const answer = await this.#read(subject, mine.signal)
      show = () => this.#show(answer, subject)
    } catch (error) { show = () => this.#fail(error, subject) }
    if (this.#running !== mine) return
    this.#running = null
    show()
    if (this.#isDirty) this.#timer = setTimeout(() => this.refresh(), PAUSE)
  }

  /** Reads the same subject again. While a read runs, it is finished first, so that a busy session cannot starve the page. */
  refresh() {
    clearTimeout(this.#timer)
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

/** The line of a request. The token stays in the page: the line names a variable. */
export function curlLine(method, path, body) {
  const url = `${base.href.replace(/\/$/, '')}${path}`
  return ['curl', isSignedIn() ? '-H "Authorization: Bearer $TRAITD_TOKEN"' : null,
    method === 'GET' || method === 'POST' && body !== undefined ? null : `-X ${method}`, quoted(url),
    body === undefined ? null : `--json ${quoted(JSON.stringify(body))}`].filter(Boolean).join(' ')
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
