// A client of traitd: reads, writes, and a live cache of traits that the server's digests prove.
// traitd.d.ts describes each member, docs/clients.md what a watch promises, docs/streams.md the protocol.
// For browsers and Node 20. Times are in milliseconds.

const ANSWER_BYTES_MAX = 64 << 20, LINE_BYTES_MAX = 16 << 20, TARGET_BYTES_MAX = 4000, QUEUE_MAX = 10000, PAIR_BYTES = 64
const HEARTBEAT = 15000, HEARTBEAT_MAX = 3600000, TIMER_MAX = 2 ** 31 - 1, BYTES_PER_MS_MIN = 4
const CALL_WAIT_MAX = 60000, STREAM_WAIT_MAX = 300000 // of what a server names
const SILENT_MAX = 2 // connections without records, one after the other; then long polls
const POLL_TIME = 25000, POLL_TIME_MIN = 1000 // of a long poll; half as much after one that fails
const JSON_TYPE = 'application/json', NDJSON = 'application/x-ndjson', EVENTS = 'text/event-stream'
const VISIBLE = /^[\x21-\x7e]+$/
const now = () => performance.now()

export class TraitdError extends Error {
  constructor(code, status = null, problem = null, message = problem?.detail) {
    super(typeof message === 'string' ? message : code)
    this.name = 'TraitdError'
    this.code = code
    this.status = status
    this.problem = problem
  }
}

const fault = (code, message, status = null) => new TraitdError(code, status, null, message)

// --- The digest.

const mask = (1n << 64n) - 1n, bytes = new DataView(new ArrayBuffer(8)), encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
const digits = number => number.toString(16).padStart(16, '0')

// UTF-16 has the order of UTF-8 but where surrogates meet U+E000 to U+FFFF.
const rank = unit => unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800
function byBytes(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i))
  }
  return a.length - b.length
}

export function canonical(value) {
  if (typeof value === 'number') {
    bytes.setFloat64(0, value + 0)
    return digits(bytes.getBigUint64(0))
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical)}]`
  return `{${Object.keys(value).sort(byBytes).map(name => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`
}

const textOf = (node, trait, value) => encoder.encode(`${node}\n${trait}\n${canonical(value)}`)

export const pairHash = (node, trait, value) => hash(textOf(node, trait, value))

function hash(text) {
  let h = 0xcbf29ce484222325n
  for (const byte of text) h = (h ^ BigInt(byte)) * 0x100000001b3n & mask
  h = (h ^ h >> 33n) * 0xff51afd7ed558ccdn & mask
  h = (h ^ h >> 33n) * 0xc4ceb9fe1a85ec53n & mask
  return h ^ h >> 33n
}

// Values are frozen, so that a caller cannot change what the digest proved.
function frozen(value) {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

const changeOf = (node, trait, previous, current, revision) => Object.freeze({node, trait, previous, current, revision})

class Values {
  nodes = new Map()
  sum = 0n
  size = 0

  get(node, trait) { return this.nodes.get(node)?.get(trait) }

  /** The change, or null when the pair has this value already. Two hashes. */
  put(node, trait, value, revision) {
    const previous = this.get(node, trait)
    if (previous !== undefined) {
      if (canonical(previous) === canonical(value)) return null
      this.#count(-1, textOf(node, trait, previous))
    }
    this.#count(1, textOf(node, trait, value))
    if (!this.nodes.has(node)) this.nodes.set(node, new Map())
    this.nodes.get(node).set(trait, value)
    return changeOf(node, trait, previous, value, revision)
  }

  #count(sign, text) {
    this.sum = this.sum + BigInt(sign) * hash(text) & mask
    this.size += sign * (text.length + PAIR_BYTES)
  }

  * entries() { for (const [node, traits] of this.nodes) for (const [trait, value] of traits) yield [node, trait, value] }

  /** What turns these values into the others. Equal values stay the objects that they are here. */
  changesTo(other, revision) {
    const changes = []
    for (const [node, trait, value] of other.entries()) {
      const previous = this.get(node, trait)
      if (previous === undefined || canonical(previous) !== canonical(value)) {
        changes.push(changeOf(node, trait, previous, value, revision))
      } else other.nodes.get(node).set(trait, previous)
    }
    for (const [node, trait, value] of this.entries()) {
      if (other.get(node, trait) === undefined) changes.push(changeOf(node, trait, value, undefined, revision))
    }
    return changes
  }
}

/** The changes without the oldest of pairs that have later ones: at most `most` become a part of the next. */
function merged(changes, most) {
  const key = change => JSON.stringify([change.node, change.trait]), later = new Map(), held = new Map(), result = []
  for (const change of changes) later.set(key(change), (later.get(key(change)) ?? 0) + 1)
  for (let change of changes) {
    const pair = key(change), left = later.get(pair) - 1
    later.set(pair, left)
    if (held.has(pair)) {
      change = changeOf(change.node, change.trait, held.get(pair).previous, change.current, change.revision)
      held.delete(pair)
    }
    if (left && most-- > 0) held.set(pair, change)
    else if (canonical(change.previous) !== canonical(change.current)) result.push(change)
  }
  return result
}

// --- Names and addresses.

/** The name, unless an address cannot have it as a part. */
function nameOf(kind, name) {
  if (typeof name !== 'string' || /^\.{0,2}$/.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} is no name of a ${kind}: it is empty, . or ..`)
  }
  return name
}

const namesOf = (kind, names) => Array.from(names, name => nameOf(kind, name))

/** The path and query, when each part of the path stays what it is. */
function pathOf(text) {
  const path = String(text).split('?', 1)[0]
  if (path && path[0] !== '/' || /\/(\.|%2e){0,2}(\/|$)/i.test(path) || /[#\\\x00-\x1f]/.test(text)) {
    throw new TypeError(`${JSON.stringify(text)} is no path: it begins with /, and no part is empty, . or ..`)
  }
  return text
}

/** The address of a target, from its parts. It has the origin of the client, whatever the target is. */
function addressOf(context, target) {
  const [, path, query] = /^([^?]*)(.*)$/s.exec(target), url = new URL(context.base)
  url.pathname = path
  url.search = query
  if (url.origin !== context.base || path && url.pathname.split('/').length !== path.split('/').length) {
    throw new TypeError(`${JSON.stringify(target)} is no path`)
  }
  return url.href
}

// --- One request and its answer.

/** Sends a request. The exchange ends with `end`, by `signal`, or when nothing comes within the time set last. */
async function exchange(context, method, address, fields, body, signal, {time: first = context.timeout, onLate} = {}) {
  const controller = new AbortController(), stop = () => controller.abort(signal.reason)
  let timer
  const within = time => {
    clearTimeout(timer)
    if (time === undefined) return
    // In two parts: after a pause of the program, what has come is read before the second part ends.
    const over = () => {
      onLate?.()
      controller.abort(new Error(`nothing came in time`))
    }
    const late = () => { timer = setTimeout(over, Math.min(time, TIMER_MAX) / 10) }
    timer = setTimeout(late, Math.min(time, TIMER_MAX) * 0.9)
  }
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    controller.abort()
  }
  signal?.throwIfAborted()
  signal?.addEventListener('abort', stop)
  within(first)
  try {
    const response = await context.fetch(address, {
      method, body, headers: context.fields(fields), signal: controller.signal, redirect: 'manual', cache: 'no-store',
    })
    return {
      response, signal, within, end, size: 0, at: now(), from: 0, status: response.status,
      mark() {
        this.at = now()
        this.from = this.size
      },
      media: (response.headers.get('Content-Type') ?? '').split(';')[0].trim().toLowerCase(),
    }
  } catch (error) {
    end()
    throw error
  }
}

/** The parts of a body. Since `mark` they have a least speed: a body that trickles would hold the caller for years. */
async function* parts(given, idle) {
  const reader = given.response.body?.getReader()
  while (reader) {
    const time = idle()
    given.within(Math.min(time, time + (given.size - given.from) / BYTES_PER_MS_MIN - now() + given.at))
    const {done, value} = await reader.read()
    if (done) return
    given.size += value.length
    yield value
  }
}

class Bytes {
  #all = new Uint8Array(1024)
  size = 0

  add(piece, most) {
    const size = this.size + piece.length
    if (size > most) throw new Error(`more than ${most} bytes`)
    if (size > this.#all.length) {
      const all = new Uint8Array(2 * size)
      all.set(this.#all)
      this.#all = all
    }
    this.#all.set(piece, this.size)
    this.size = size
  }

  take() {
    const text = decoder.decode(this.#all.subarray(0, this.size))
    if (this.size > 1 << 20) this.#all = new Uint8Array(1024)
    this.size = 0
    return text
  }
}

/** Complete lines. What comes after the last line feed is no line. */
async function* lines(given, idle) {
  const held = new Bytes()
  for await (const part of parts(given, idle)) {
    let from = 0
    for (let at; (at = part.indexOf(10, from)) >= 0; from = at + 1) {
      held.add(part.subarray(from, at), LINE_BYTES_MAX)
      yield held.take()
    }
    held.add(part.subarray(from), LINE_BYTES_MAX)
  }
}

async function* texts(given, idle) {
  let data = [], size = 0
  for await (const line of lines(given, idle)) {
    if (given.media !== EVENTS) yield line
    else if (line.startsWith('data:')) {
      data.push(line.slice(5).trim())
      size += line.length
      if (size > LINE_BYTES_MAX) throw new Error('an event is too long')
    } else if (!line.trim() && size) {
      const text = data.join('\n')
      data = []
      size = 0
      yield text
    }
  }
}

async function result(given, timeout) {
  const {status, response} = given, isGood = status >= 200 && status < 300
  if (response.type === 'opaqueredirect' || status >= 300 && status < 400) {
    throw fault('redirected', 'the server redirects, which is refused', status || null)
  }
  const held = new Bytes()
  let value
  for await (const part of parts(given, () => timeout)) {
    if (given.size > ANSWER_BYTES_MAX) throw fault('answer-too-large', `more than ${ANSWER_BYTES_MAX} bytes`, status)
    held.add(part)
  }
  given.end()
  if (isGood && !held.size) return null
  try { value = JSON.parse(held.take()) } catch { value = undefined }
  if (isGood && value !== undefined) return value
  const problem = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
  throw new TraitdError(typeof problem?.code === 'string' ? problem.code : `http-${status}`, status, problem,
    problem ? problem.detail : `an answer with status ${status} that is not traitd's`)
}

function retryAfter({response}) {
  const text = response.headers.get('Retry-After')?.trim() ?? ''
  if (/^[0-9]+$/.test(text)) return text * 1000
  const date = /^[A-Z]/i.test(text) ? Date.parse(text) : NaN // Two fields, as in `1, 2`, would be a date.
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

const sleep = (time, signal) => new Promise(resolve => {
  const done = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', done)
    resolve()
  }
  const timer = setTimeout(done, time)
  signal?.addEventListener('abort', done)
  if (signal?.aborted) done()
})

const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
const randomKey = () => crypto.randomUUID?.() ?? hex(crypto.getRandomValues(new Uint8Array(16)))

const READS = /^(GET|HEAD|OPTIONS)$/i

/** Sends a request, and again when that is safe, and gives what `read` makes of its answer. */
async function send(context, method, target, body, {repeats, key, reason, ifMatch, signal, accept = JSON_TYPE, read = result}) {
  const fields = {Accept: accept}, address = addressOf(context, target)
  const text = body == null ? undefined : JSON.stringify(body)
  if (text !== undefined) fields['Content-Type'] = JSON_TYPE
  if (key !== undefined) fields['Idempotency-Key'] = key
  if (ifMatch != null) fields['If-Match'] = ifMatch
  // A field takes characters of one byte: those of UTF-8.
  if (reason != null) fields['Traitd-Reason'] = String.fromCharCode(...encoder.encode(reason))
  for (let attempt = 0; ; attempt++) {
    let named = null, given, error
    try {
      given = await exchange(context, method, address, fields, text, signal)
      named = retryAfter(given)
      return await read(given, context.timeout)
    } catch (thrown) {
      given?.end()
      signal?.throwIfAborted()
      error = thrown instanceof TraitdError ? thrown
        : fault('unreachable', `no answer: ${thrown?.cause?.message ?? thrown?.message}`)
    }
    const again = [null, 429, 502, 503, 504].includes(error.status) && error.code !== 'redirected'
      || error.status === 409 && error.code === 'idempotency-in-flight'
    if (!again || !repeats || attempt >= context.retries || named > CALL_WAIT_MAX) throw error
    await sleep(context.wait(attempt, named), signal)
    signal?.throwIfAborted()
  }
}

export class Client {
  #context

  constructor(url, {token = null, timeout = 10000, retries = 4, backoff = [500, 30000], stateBytesMax = 64 << 20, fetch, shared = false} = {}) {
    const base = new URL(url, globalThis.location?.href)
    if (!/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash) {
      throw new TypeError('the url has to be http://host:port or https://host:port, and maybe a path')
    }
    if (token !== null && !VISIBLE.test(token)) throw new TypeError('the token has characters that no field can have')
    this.#context = {
      base: base.origin, prefix: base.pathname.replace(/\/+$/, ''), timeout, retries, shared, stateBytesMax,
      fetch: fetch ?? ((...given) => globalThis.fetch(...given)),
      // The token stands in these two closures alone, so that no log of an object shows it.
      fields: given => token === null ? given : {...given, Authorization: `Bearer ${token}`},
      seal: text => crypto.subtle.digest('SHA-256', encoder.encode(`${token}\n${text}`)),
      // How long to wait before an attempt (from 0), or after a time that the server named.
      wait: (attempt, named) => Math.min(TIMER_MAX, named === null
        ? Math.min(backoff[0] * 2 ** attempt, backoff[1]) * (0.5 + Math.random() / 2)
        : named + Math.min(named / 10, 1000) * Math.random()),
      first: backoff[0],
    }
  }

  session(name) { return new Session(this.#context, name) }

  async request(method, path, body, {reason, ifMatch, signal} = {}) {
    const target = this.#context.prefix + (path === '/' ? path : pathOf(path))
    return send(this.#context, method, target, body, {repeats: READS.test(method), reason, ifMatch, signal})
  }
}

class Session {
  #context
  #path

  constructor(context, name) {
    this.#context = context
    this.#path = `${context.prefix}/v1/sessions/${encodeURIComponent(nameOf('session', name))}`
    this.name = name
  }

  async resolve({nodes, under, traits, assume, changed} = {}, {signal} = {}) {
    const answer = await send(this.#context, 'POST', `${this.#path}/resolve`, {
      nodes: nodes && namesOf('node', nodes), under: under == null ? undefined : nameOf('node', under),
      traits: traits && namesOf('trait', traits), assume: assume ?? undefined, changed: changed ?? undefined,
    }, {repeats: true, signal})
    const all = member => Object.fromEntries(answer.nodes.map(node => [node.node, node[member] ?? {}]))
    return {revision: answer.revision, values: all('traits'), ...changed && {previous: all('previous'), count: answer.count}}
  }

  variants(query, {signal} = {}) {
    namesOf('node', query.nodes)
    return new Variants(read => send(this.#context, 'POST', `${this.#path}/variants`, query, {repeats: true, signal, accept: NDJSON, read}))
  }

  transaction(operations, {ifRevision, dryRun, reason, idempotencyKey, signal} = {}) {
    return this.#write('POST', '/transactions', {dryRun}, {operations, ifRevision: ifRevision ?? undefined, reason: reason ?? undefined},
      {key: idempotencyKey, signal})
  }

  async setOverride(node, trait, value, options) { return this.#one({op: 'setOverride', node, trait, value}, options) }

  async removeOverride(node, trait, options) { return this.#one({op: 'removeOverride', node, trait}, options) }

  apply(document, {manager, prune, force, plan, dryRun, reason, idempotencyKey, signal} = {}) {
    return this.#write('PUT', '/apply', {manager, prune, force, plan, dryRun}, document, {key: idempotencyKey, reason, signal})
  }

  async request(method, path, body, {reason, ifMatch, signal} = {}) {
    return send(this.#context, method, this.#path + pathOf(path), body, {repeats: READS.test(method), reason, ifMatch, signal})
  }

  watch(watches, {onChange, onState, registrations = []} = {}) {
    return new Watch(this.#context, this.#path, watches, registrations, onChange, onState)
  }

  records({operations = false} = {}, {onRecord, onState} = {}) {
    return new Records(this.#context, {path: this.#path, operations}, onRecord, onState)
  }

  #one(operation, options) {
    nameOf('node', operation.node)
    nameOf('trait', operation.trait)
    return this.transaction([operation], options)
  }

  async #write(method, path, query, body, {key: given, reason, signal}) {
    const key = given ?? randomKey()
    if (!/^[\x20-\x7e]+$/.test(key)) throw new TypeError('an idempotency key is printable ASCII')
    const named = Object.entries(query).filter(([, value]) => value != null && value !== false)
    return send(this.#context, method, this.#path + path + (named.length ? `?${new URLSearchParams(named)}` : ''), body,
      {repeats: true, key, reason, signal})
  }
}

/** Rows that are read as they are asked for. Each iteration is a request. */
class Variants {
  head = null
  end = null
  #send

  constructor(send) { this.#send = send }

  async * [Symbol.asyncIterator]() {
    let given, rows = 0, combinations = 0, why = 'without its end'
    const malformed = () => fault('malformed-answer', `row ${rows} is not what it should be`, given.status)
    const parsed = text => {
      try { return JSON.parse(text) ?? {} } catch { throw malformed() }
    }
    this.head = this.end = null
    // The request is repeated only until the head has come.
    const texts = await this.#send(async (answer, timeout) => {
      given = answer
      if (given.status !== 200 || given.media !== NDJSON) {
        await result(given, timeout)
        throw malformed()
      }
      const texts = lines(given, () => timeout), {done, value} = await texts.next()
      if (done) throw new Error(why)
      this.head = parsed(value)
      return texts
    })
    try {
      for await (const text of texts) {
        const row = parsed(text)
        if (row.end && row.rows === rows && row.combinations === combinations) {
          this.end = row
          return
        }
        if (row.row !== rows) throw malformed()
        rows++
        combinations += row.combinations ?? 1
        given.within() // The caller takes its time.
        yield row
        given.mark()
      }
    } catch (error) {
      given.signal?.throwIfAborted()
      if (error instanceof TraitdError) throw error
      why = error.message
    } finally { given.end() }
    throw fault('incomplete-answer', `the answer ended after ${rows} rows: ${why}`, given.status)
  }
}

class Again extends Error {
  constructor(code, {named = null, forget = false} = {}) {
    super(code)
    Object.assign(this, {code, named: named === null ? null : Math.min(named, STREAM_WAIT_MAX), forget})
  }
}

const isTime = value => typeof value === 'number' && value >= 0 && value < 1e9
const FINAL = ['sessionDeleted', 'nodeDeleted', 'registrationRemoved', 'revoked']

/** The request that opens a stream or, with `wait`, asks for a page of it. A long one has a body. */
function requestOf({path, members, registrations, operations}, wait) {
  const events = `${path}/events?`
  const page = wait === undefined ? '' : `wait=${wait}ms`
  if (!members) return {method: 'GET', target: events + [operations && 'operations=true', page].filter(Boolean).join('&')}
  const flags = `initial=true&resync=auto&${page || 'overflow=coalesce'}`
  const query = members.map(({node, traits}) => `watch=${encodeURIComponent(node)}:${traits.map(encodeURIComponent)}&`).join('')
    + (registrations.length ? `registrations=${registrations.map(encodeURIComponent)}&` : '')
  if (events.length + query.length + flags.length <= TARGET_BYTES_MAX) return {method: 'GET', target: events + query + flags}
  return {method: 'POST', target: events + flags, body: JSON.stringify({
    watches: members.length ? members : undefined, registrations: registrations.length ? registrations : undefined,
  })}
}

/** Holds one stream until `signal` aborts, and connects again. `keeper` gets the records: it has `token`, `polls`,
 * `state`, `connect`, `take`, `lost` and `finish`. */
async function follow(context, request, keeper, signal) {
  let last = 0, heartbeat = HEARTBEAT, silent = 0, pollTime = POLL_TIME, began, isLate, isMute, before

  function judge(record) {
    const {type, revision, part} = record ?? {}
    if (typeof type !== 'string') throw new Again('malformed-record')
    if (type === 'end') {
      if (FINAL.includes(record.reason)) throw fault(record.reason)
      began = true
      throw new Again(String(record.reason),
        {named: isTime(record.retryAfterMs) ? record.retryAfterMs : null, forget: record.resume !== true})
    }
    const place = `${type} ${revision} ${part}`
    if (typeof revision === 'number') {
      if (type !== 'begin' && type !== 'reset') {
        if (revision < last) throw new Again('malformed-record', {forget: true})
        if (part !== undefined && place === before) return
      }
      last = revision
    }
    if (type === 'begin') heartbeat = Math.min(isTime(record.heartbeatMs) && record.heartbeatMs || HEARTBEAT, HEARTBEAT_MAX)
    try { keeper.take(record, last) } catch (error) {
      throw error instanceof Again || error instanceof TraitdError ? error : new Again('malformed-record')
    }
    began = true
    before = place
  }

  async function open(sent, accept, wait) {
    const {method, target, body} = requestOf(request, wait), fields = {Accept: accept}
    if (sent !== null) fields['Last-Event-ID'] = sent
    if (body !== undefined) fields['Content-Type'] = JSON_TYPE
    const given = await exchange(context, method, addressOf(context, target), fields, body, signal,
      {time: context.timeout + (wait ?? 0), onLate: () => { isLate = true }})
    try {
      const {status, media} = given
      if (sent !== null && [400, 409, 410].includes(status)) throw new Again(`http-${status}`, {forget: true})
      if ([400, 401, 403, 404, 421, 422].includes(status) && media !== 'text/html') await result(given, context.timeout)
      if (status !== 200 || !media || !accept.includes(media)) {
        throw new Again(`http-${status}`, {named: [429, 503].includes(status) ? retryAfter(given) : null})
      }
      return given
    } catch (error) {
      given.end()
      // The server takes no such poll.
      throw wait !== undefined && error.problem?.parameter === 'wait' ? new Again(error.code) : error
    }
  }

  async function connection(sent) {
    const given = await open(sent, `${EVENTS}, ${NDJSON};q=0.5`), opened = given.at
    try {
      for await (const text of texts(given, () => began ? 2.5 * heartbeat : context.timeout)) {
        if (signal.aborted) return
        if (!text.trim()) continue
        let record
        try { record = JSON.parse(text) } catch { throw new Again('malformed-record') }
        judge(record)
        given.mark()
        if (given.at - opened >= heartbeat / 2) isMute = false
      }
    } finally { given.end() }
  }

  /** One page of records. Whether the next one may follow at once. */
  async function poll(sent) {
    const wait = keeper.state() === 'ready' ? pollTime : 0, started = now(), given = await open(sent, JSON_TYPE, wait)
    const page = await result(given, context.timeout).catch(error => {
      throw error.status ? new Again(error.code) : error // A proxy's.
    })
    if (!Array.isArray(page?.records)) throw new Again('malformed-record')
    for (const record of page.records) {
      if (signal.aborted) return true
      judge(record)
    }
    const {revision, next: token, digest} = page
    if (revision >= last) judge({type: 'bookmark', revision, token, ...digest === undefined ? {} : {digest}})
    else keeper.token = tokenOf(page.next) ?? keeper.token
    return page.records.length > 0 || wait > 0 && now() - started > wait / 2
  }

  for (let attempt = 0; !signal.aborted; attempt++) {
    const started = now(), isPoll = keeper.polls
    let named = null, why = 'ended'
    began = isLate = before = undefined
    isMute = true
    try {
      const sent = keeper.token
      keeper.connect()
      if (!isPoll) await connection(sent)
      else {
        if (await poll(sent)) {
          attempt = -1
          continue
        }
        why = 'polling'
      }
    } catch (error) {
      if (error instanceof TraitdError) return keeper.finish(error)
      why = error instanceof Again ? error.code : isLate ? 'silent' : 'unreachable'
      named = error?.named ?? null
      if (error?.forget) keeper.token = null
      if (isPoll) {
        // One more silent connection leads back.
        keeper.polls = false
        silent = SILENT_MAX - 1
        pollTime = Math.max(pollTime >> 1, POLL_TIME_MIN)
      } else if (isLate) {
        // A proxy that keeps small pieces gives a head and a few records.
        silent = isMute ? silent + 1 : 0
        keeper.polls = silent >= SILENT_MAX
      }
    }
    if (signal.aborted) return
    if (why !== 'polling') keeper.lost(why)
    if (began) attempt = 0
    // A server that ends each stream at once is not asked all the time.
    if (named === 0 && now() - started < context.first) named = null
    await sleep(context.wait(attempt, named), signal)
  }
}

/** An error of the client itself ends the stream, and is no unhandled rejection. */
function guard(promise, finish) {
  promise.catch(error => {
    console.error(error)
    finish(fault('client-error', String(error)))
  })
}

/** Calls back. What goes wrong there is reported and changes nothing. */
function call(callback, argument) {
  try {
    const answer = callback?.(argument)
    if (typeof answer?.then === 'function') answer.then(undefined, error => console.error(error))
  } catch (error) { console.error(error) }
}

/** `state`, `reason` and the end, which both kinds of stream have. */
class Stream {
  #state = 'syncing'
  #reason = null
  #error = null
  #onState
  #over = new AbortController()
  #settle

  constructor(onState) {
    this.#onState = onState
    const first = new Promise((resolve, reject) => { this.#settle = {resolve, reject} })
    first.catch(() => {})
    // A promise that can be called.
    this.synced = Object.assign(({timeout} = {}) => this.#within(first, timeout),
      Object.fromEntries(['then', 'catch', 'finally'].map(name => [name, first[name].bind(first)])))
  }

  async #within(first, timeout = TIMER_MAX) {
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(fault('timeout', `${this.#state} after ${timeout} ms: ${this.reason ?? 'no answer'}`)), Math.min(timeout, TIMER_MAX))
    })
    try { await Promise.race([first, late]) } finally { clearTimeout(timer) }
  }

  get state() { return this.#state }
  get reason() { return this.#error?.code ?? this.#reason }

  close() { this.#finish(fault('closed')) }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() { this.close() }

  #finish(error) {
    if (this.#error) return
    this.#error = error
    this.#over.abort(error)
    this.#settle.reject(error)
    this.#enter('closed')
  }

  #enter(state, reason = null) {
    if (this.#state === 'closed') return
    this.#reason = reason
    if (this.#state === state) return
    this.#state = state
    if (state === 'ready') this.#settle.resolve()
    call(this.#onState, state)
  }

  /** What a subclass may do to its base, which callers cannot. */
  static open(stream) {
    return {enter: (state, reason) => stream.#enter(state, reason), finish: error => stream.#finish(error), signal: stream.#over.signal}
  }
}

const tokenOf = token => typeof token === 'string' && token.length <= 1000 && VISIBLE.test(token) ? token : null

const lost = (state, enter, why) => enter(state === 'syncing' ? state : 'stale', why)
const READY = keeper => ['ready', keeper.polls ? 'polling' : null]

class Records extends Stream {
  #revision = 0

  constructor(context, request, onRecord, onState) {
    super(onState)
    const {enter, finish, signal} = Stream.open(this)
    const keeper = {
      token: null, polls: false, state: () => this.state, finish, connect() {}, lost: why => lost(this.state, enter, why),
      take: (record, last) => {
        keeper.token = tokenOf(record.token) ?? keeper.token
        this.#revision = last
        if (record.type === 'begin' || keeper.polls) enter(...READY(keeper))
        if (!signal.aborted) call(onRecord, record)
      },
    }
    guard(follow(context, request, keeper, signal), finish)
  }

  get revision() { return this.#revision }
}

/** What records do to the values that a watch shows, its `view`. */
class Cache {
  token = null
  polls = false
  #view
  #collected = null // a state that is being read
  #resumes = false
  #uid
  #bytesMax

  constructor(view, bytesMax) {
    this.#view = view
    this.#bytesMax = bytesMax
    this.finish = view.finish
    this.state = view.state
  }

  connect() {
    this.#resumes = this.token !== null
    this.#collect()
  }

  lost(why) { lost(this.#view.state(), this.#view.enter, why) }

  #collect() {
    this.#collected = this.#resumes ? null : new Values()
    if (this.#resumes) return
    this.token = null
    if (this.#view.state() === 'ready') this.lost()
  }

  take(record, last) {
    const {type} = record, view = this.#view
    // A state that nothing announced, as behind a proxy that drops Last-Event-ID, is collected like any other.
    if (type === 'begin' || type === 'reset' || type === 'gap' || type === 'state' && !this.#collected) {
      const uid = record.uid ?? this.#uid, isOther = uid !== this.#uid
      this.#uid = uid
      if (type !== 'begin') this.#resumes = false
      this.#collect()
      if (this.#resumes && !isOther) view.enter(...READY(this))
      if (type !== 'state') return
    }
    const values = this.#collected ?? view.values()
    let changes = []
    if (type === 'state' || type === 'change') {
      const pairs = type === 'state' ? Object.entries(record.traits) : record.changes.map(({trait, current}) => [trait, current])
      if (typeof record.node !== 'string') throw new Again('malformed-record')
      for (const [trait, value] of pairs) {
        if (typeof trait !== 'string' || value === undefined) throw new Again('malformed-record')
        canonical(frozen(value)) // Throws for what is nested too deep, before anything is applied.
      }
      changes = pairs.map(([trait, value]) => values.put(record.node, trait, value, last)).filter(change => change && !this.#collected)
      if (values.size > this.#bytesMax) {
        throw fault('state-too-large', `the values have more than ${this.#bytesMax} bytes`)
      }
    } else if (type === 'sync' || type === 'bookmark' && (!this.#collected || 'digest' in record)) {
      if (record.digest !== undefined && record.digest !== digits(values.sum)) {
        throw new Again('digest-differs', {forget: true})
      }
      if (this.#collected) {
        this.#collected = null
        this.token = tokenOf(record.token)
        view.replace(values, last)
      }
    }
    if (type === 'renamed' && record.to) view.ask(view.request.members.map(({node, traits}) => (
      {node: node === record.node ? record.to : node, traits: traits.map(name => name === record.trait ? record.to : name)})))
    if (this.#collected) return
    this.token = tokenOf(record.token) ?? this.token
    view.report(changes, last)
    if (type === 'sync' || type === 'bookmark') view.enter(...READY(this))
  }
}

class Watch extends Stream {
  #values = new Values()
  #isComplete = false
  #revision = 0
  #onChange
  #queue = []
  #queueMax = QUEUE_MAX
  #waiting = []
  #signal

  constructor(context, path, watches, registrations, onChange, onState) {
    super(onState)
    this.#onChange = onChange
    const base = Stream.open(this)
    this.#signal = base.signal
    this.#signal.addEventListener('abort', () => this.#wake())
    const view = {
      ...base, state: () => this.state, reason: () => this.reason, values: () => this.#values, revision: () => this.#revision,
      isComplete: () => this.#isComplete,
      report: (changes, revision) => this.#report(changes, revision),
      replace: (values, revision) => {
        const changes = this.#isComplete ? this.#values.changesTo(values, revision) : []
        this.#values = values
        this.#isComplete = true
        this.#report(changes, revision)
      },
    }
    const request = view.request = {path, registrations: namesOf('registration', registrations), members: Object.entries(watches).map(
      ([node, traits]) => ({node: nameOf('node', node), traits: namesOf('trait', typeof traits === 'string' ? [traits] : traits)}))}
    view.ask = members => { request.members = members }
    const isShared = context.shared && globalThis.navigator?.locks && globalThis.BroadcastChannel && globalThis.crypto?.subtle
    guard(isShared ? share(context, request, view) : follow(context, request, new Cache(view, context.stateBytesMax), base.signal), base.finish)
  }

  get revision() { return this.#revision }

  get(node, trait) { return this.#values.get(node, trait) }

  snapshot() { return Object.fromEntries([...this.#values.nodes].map(([node, traits]) => [node, Object.fromEntries(traits)])) }

  [Symbol.asyncIterator]() {
    return {
      next: () => new Promise(resolve => {
        this.#waiting.push(resolve)
        this.#wake()
      }),
      return: async () => ({done: true, value: undefined}),
    }
  }

  #wake() {
    while (this.#waiting.length && (this.#queue.length || this.#signal.aborted)) {
      this.#waiting.shift()(this.#queue.length ? {done: false, value: this.#queue.shift()} : {done: true, value: undefined})
    }
  }

  #report(changes, revision) {
    this.#revision = revision
    for (const change of changes) this.#queue.push(change)
    if (this.#queue.length > this.#queueMax) {
      this.#queue = merged(this.#queue, this.#queue.length - QUEUE_MAX * 0.9)
      this.#queueMax = Math.max(QUEUE_MAX, this.#queue.length * 1.1)
    }
    this.#wake()
    for (const change of changes) if (!this.#signal.aborted) call(this.#onChange, change)
  }
}

// --- One stream for all tabs of an origin.

/** The tabs with the same request elect one by a lock. It holds the stream and tells the others by a channel: each
 * message has the `epoch` of the one that holds it and a number, and after a gap the others ask for all. */
async function share(context, request, view) {
  const {signal} = view
  const seal = await context.seal(JSON.stringify([context.base, request]))
  if (signal.aborted) return
  const name = `traitd ${hex(new Uint8Array(seal))}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  let epoch = null, number = 0, isFirst = false, isFresh = false
  const tell = message => { if (!signal.aborted) channel.postMessage({epoch, number, ...message}) }
  const tellNext = message => {
    number++
    tell(message)
  }
  const tellAll = () => tell({
    state: view.state(), reason: view.reason(), revision: view.revision(), members: request.members, values: isFresh ? [...view.values().entries()] : null,
  })

  function hear(message) {
    if (isFirst || message.wants) {
      if (isFirst && message.wants) tellAll()
      return
    }
    const isNext = message.epoch === epoch && message.number === number + 1
    if (message.closed) return view.finish(new TraitdError(...message.closed))
    if (message.values === undefined && !isNext) {
      if (message.epoch !== epoch || message.number > number) channel.postMessage({wants: true})
      return
    }
    if (message.values !== undefined && message.epoch === epoch && message.number < number) return
    ({epoch, number} = message)
    if (message.members) view.ask(message.members)
    if (message.values) {
      const values = new Values()
      for (const [node, trait, value] of message.values) values.put(node, trait, frozen(value), message.revision)
      view.replace(values, message.revision)
    } else if (message.changes) {
      const {changes, revision} = message
      view.report(changes.map(({node, trait, current}) => view.values().put(node, trait, frozen(current), revision)).filter(Boolean), revision)
    }
    if (message.state) view.enter(message.state === 'ready' || !view.isComplete() ? message.state : 'stale', message.reason)
  }

  channel.onmessage = ({data}) => hear(data)
  channel.postMessage({wants: true})
  const first = {
    ...view,
    enter: (state, reason = null) => {
      if (state === view.state() && reason === view.reason()) return
      view.enter(state, reason)
      tellNext({state, reason})
    },
    report: (changes, revision) => {
      view.report(changes, revision)
      tellNext({changes: changes.map(({node, trait, current}) => ({node, trait, current})), revision})
    },
    ask: members => {
      view.ask(members)
      tellNext({members})
    },
    replace: (values, revision) => {
      isFresh = true
      view.replace(values, revision)
      number++
      tellAll()
    },
    finish: error => {
      tellNext({closed: [error.code, error.status, error.problem, error.message]})
      view.finish(error)
    },
  }
  const lead = async () => {
    if (signal.aborted) return
    isFirst = true
    epoch = randomKey()
    number = 0
    if (view.state() === 'ready') view.enter('stale')
    tellNext({state: view.state()})
    await follow(context, request, new Cache(first, context.stateBytesMax), signal)
  }
  try { await navigator.locks.request(name, {signal}, lead) } catch {
    // Without a lock, as in a page of no origin, the page holds a stream of its own.
    if (!signal.aborted) await lead()
  }
}
