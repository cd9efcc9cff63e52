// The runner of the JavaScript client; README.md has the protocol.

import {createInterface} from 'node:readline'
import {pathToFileURL} from 'node:url'

const folder = process.env.TRAITD_CLIENT ?? new URL('../../js', import.meta.url).pathname
const {Client, TraitdError, pairHash} = await import(pathToFileURL(`${folder}/traitd.js`))

const write = members => process.stdout.write(`${JSON.stringify(members)}\n`)
process.on('unhandledRejection', error => write({event: 'fault', text: `an unhandled rejection: ${error?.stack ?? error}`}))
process.on('uncaughtException', error => write({event: 'fault', text: `an uncaught exception: ${error?.stack ?? error}`}))

let client, session, watch, iterating, throws

function called() {
  if (throws) throw new Error('as the script says')
}

async function writeAll(watch) {
  for await (const change of watch) write({event: 'next', ...change})
}

function failed(error) {
  if (error instanceof TypeError) return {refused: error.message}
  if (!(error instanceof TraitdError)) throw error
  return {error: {code: error.code, status: error.status, message: error.message}}
}

async function variants({query, take, pauseMs}) {
  const rows = []
  try {
    const found = session.variants(query)
    for await (const row of found) {
      rows.push(row)
      if (rows.length === take) break
      if (pauseMs) await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    return {result: {head: found.head, rows, end: found.end}}
  } catch (error) { return {...failed(error), rows: rows.length} }
}

const commands = {
  open({url, session: name, token, timeoutMs: timeout, retries, backoffMs: backoff, watches, registrations, iterates = true, stateBytesMax}) {
    client = new Client(url, {token, timeout, retries, backoff, stateBytesMax})
    throws = false
    watch = undefined
    try {
      session = client.session(name)
      if (watches === null) return {}
      const made = session.watch(watches, {
        registrations,
        onState(state) {
          write({event: 'state', state, reason: made.reason, values: made.snapshot()})
          called()
        },
        onChange(change) {
          write({event: 'change', ...change})
          called()
        },
      })
      watch = made
    } catch (error) { return failed(error) }
    return iterates ? commands.iterate() : {}
  },
  iterate() {
    iterating = writeAll(watch)
    return {}
  },
  look: () => ({state: watch.state, reason: watch.reason, revision: watch.revision, values: watch.snapshot()}),
  throw() {
    throws = true
    return {}
  },
  async close() {
    watch?.close()
    await iterating
    return {}
  },
  async call({name, arguments: given}) {
    if (name === 'variants') return variants(given)
    const {operations, document, method, path, body, node, trait, value, ...options} = given
    const calls = {
      transaction: () => session.transaction(operations, options),
      setOverride: () => session.setOverride(node, trait, value, options),
      removeOverride: () => session.removeOverride(node, trait, options),
      apply: () => session.apply(document, options),
      resolve: () => session.resolve(given),
      request: () => session.request(method, path, body, options),
      serverRequest: () => client.request(method, path, body, options),
    }
    try {
      return {result: await calls[name]()}
    } catch (error) { return failed(error) }
  },
  async synced({timeoutMs}) {
    const ready = await watch.synced({timeout: timeoutMs}).then(() => true, () => false)
    return {ready, reason: watch.reason}
  },
  hash: ({node, trait, value}) => ({hash: pairHash(node, trait, value).toString(16).padStart(16, '0')}),
}

for await (const line of createInterface({input: process.stdin})) {
  const {id, do: name, ...given} = JSON.parse(line)
  let answer
  try {
    answer = await commands[name](given)
  } catch (error) {
    answer = {fault: String(error?.stack ?? error)}
  }
  write({id, ...answer})
}
watch?.close()
