// What operations would do: the nodes whose resolved values would differ, then the registrations that would be notified.

import {bdi, brief, counted, h} from './dom.js'
import {request} from './server.js'

export const SHOWN = 200
/** Of more nodes than these the places in the tree are not asked for: all nodes are looked at. */
const PLACES_MAX = 20, ROOTS_MAX = 100, TRIES = 3
const VALUES = new Set(['setOverride', 'removeOverride', 'setSupplied', 'removeSupplied'])

let devices

/** The server's table of devices, which never changes while it runs. */
export const deviceTable = signal => devices ??= request('GET', '/v1/devices', undefined, signal).catch(error => {
  devices = undefined
  throw error
})

/** The traits that operations can change; null for any. */
async function traitsOf(operations, signal) {
  const traits = new Set()
  for (const {op, trait, device, settings: wanted = []} of operations) {
    if (VALUES.has(op)) traits.add(trait)
    else if (op === 'setDevice') {
      const {devices, settings} = await deviceTable(signal)
      const members = devices.find(({name}) => name === device) ?? {}
      for (const member of ['userInterfaceIdiom', 'displayScale', 'displayGamut', 'forceTouchCapability']) if (member in members) traits.add(member)
      traits.add('horizontalSizeClass').add('verticalSizeClass')
      for (const {name, trait} of settings) if (wanted.includes(name)) traits.add(trait)
    } else return null
  }
  return [...traits]
}

/** Nodes whose subtrees have all that operations can change, none of them within another. */
async function placesOf(live, operations, signal) {
  const nodes = [...new Set(operations.map(({node}) => node).filter(Boolean))]
  if (nodes.length === 1 && operations.every(({op}) => VALUES.has(op) || op === 'setDevice')) return nodes
  if (nodes.length <= PLACES_MAX) {
    const rows = await Promise.all(nodes.map(at => live.request('POST', '/rows', signal, {at, depth: 0, count: 1}).catch(error => {
      if (error.status === 404) return null
      throw error
    })))
    // A node that is not there yet appears below some root.
    if (rows.every(Boolean)) return nodes.filter((_, index) => !(rows[index].hidden ?? []).some(above => nodes.includes(above)))
  }
  const {rows, total} = await live.request('POST', '/rows', signal, {depth: 0, count: ROOTS_MAX})
  if (total > ROOTS_MAX) throw new Error(`The session has ${total.toLocaleString('en')} roots, more than are looked at.`)
  return rows.map(({id}) => id)
}

/** The nodes whose resolved values would differ: `count`, the first of them, and the revision that was looked at. */
async function affectedBy(live, operations, signal) {
  const traits = await traitsOf(operations, signal), places = await placesOf(live, operations, signal)
  const answers = await Promise.all(places.map(under => (
    live.request('POST', `/resolve?pageSize=${SHOWN}`, signal, {under, assume: operations, changed: true, ...traits && {traits}}))))
  return {
    count: answers.reduce((sum, {count}) => sum + count, 0), nodes: answers.flatMap(({nodes}) => nodes).slice(0, SHOWN),
    revision: answers.length ? Math.min(...answers.map(({revision}) => revision)) : null,
  }
}

/** The revision that a dry run was decided on. */
export const baseOf = ({revision, unchanged}) => unchanged ? revision : revision - 1

/** A dry run with the values that would differ, both of one revision where commits leave time for it. `run` asks for the dry run. */
export async function effectsOf(live, run, operationsOf, signal) {
  for (let tries = 1; ; tries++) {
    const answer = await run(signal), operations = operationsOf(answer)
    let affected
    try {
      affected = operations === undefined ? null : !operations ? {error: new Error('There are more operations than are looked at.')} : operations.length ? await affectedBy(live, operations, signal) : {count: 0, nodes: []}
    } catch (error) {
      signal?.throwIfAborted()
      affected = {error}
    }
    if (!affected || affected.error || !operations.length || affected.revision === baseOf(answer) || tries === TRIES) return {answer, affected}
  }
}

/** The elements of effects. `mark` shows nodes in the tree, and `link` is the address of a node. */
export function effectElements({answer, affected}, {link, mark}) {
  const effects = (answer.changes ?? []).flatMap(({registration, node, changes}) => changes.map(change => ({registration, node, change})))
  const values = (affected?.nodes ?? []).flatMap(({node, traits, previous = {}}) => Object.entries(traits).map(([trait, value]) => ({node, trait, value, previous: previous[trait]})))
  const ended = answer.ended ?? {}, ends = [['nodes', 'node'], ['overrides', 'override'], ['scopes', 'scope']].filter(([name]) => ended[name]).map(([name, noun]) => counted(ended[name], noun))
  return [
    ends.length ? h('p', {class: 'planned', 'data-ended': true}, `Deletes ${ends.join(', ')}`) : null,
    ended.registrations?.length ? h('p', {class: 'planned'}, 'Ends ', counted(ended.registrations.length, 'registration'), ': ', bdi(ended.registrations.slice(0, 20).map(one => one.registration ?? one).join(', '))) : null,
    !affected ? null : affected.error ? h('p', {class: 'problem'}, `The values that would differ are unknown: ${affected.error.message}`)
      : h('p', {class: 'total', 'data-affected-total': affected.count}, h('b', {}, affected.count ? `${counted(affected.count, 'node')} would show other values` : 'No node would show another value'),
        affected.count > affected.nodes.length ? `; the first ${affected.nodes.length}:` : '', ' ',
        mark && affected.count ? h('button', {class: 'link', on: {click: () => mark(affected.nodes.map(({node}) => node))}}, 'Mark in tree') : ''),
    affected && h('ul', {class: 'effects', 'aria-label': 'Values that would differ'}, values.slice(0, SHOWN).map(({node, trait, value, previous}) => (
      h('li', {'data-affected': trait, 'data-node': node, 'data-before': previous === undefined ? null : JSON.stringify(previous), 'data-after': JSON.stringify(value)},
        h('a', {href: link(node, trait)}, bdi(node)), ' ', bdi(trait), ' ', previous === undefined ? 'new' : h('s', {}, bdi(brief(previous))), ' → ', bdi(brief(value)))))),
    h('p', {class: 'total'}, answer.notified || effects.length ? [h('b', {}, `${counted(answer.notified, 'registration')} would be notified`),
      answer.truncated || effects.length > SHOWN ? '; the first changes:' : ''] : 'No registration would be notified'),
    h('ul', {class: 'effects', 'aria-label': 'Effects'}, effects.slice(0, SHOWN).map(({registration, node, change}) => (
      h('li', {'data-effect': change.trait, 'data-node': node, 'data-registration': registration}, bdi(registration), ' at ', bdi(node), ' ', bdi(change.trait), ' ',
        h('s', {}, bdi(brief(change.previous))), ' → ', bdi(brief(change.current))))),
    (answer.invalidations ?? []).slice(0, SHOWN).map(({node, scope}) => h('li', {}, 'scope ', bdi(scope), ' of ', bdi(node), ' goes stale'))),
  ].filter(Boolean)
}

export const dryRun = (live, operations) => signal => live.request('POST', '/transactions?dryRun=true&changes=true', signal, {operations})
