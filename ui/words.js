// Operations, causes and ends in words for people.

import {bdi, brief, counted, h} from './dom.js'

const part = (value, most) => bdi(brief(value, most))

/** What an operation does, by its name; others stand as they are. `from` is `previous` where the server knows it. */
const WORDS = {
  setOverride: op => [part(op.trait), ' = ', part(op.value), ' at ', part(op.node)],
  removeOverride: op => [part(op.trait), ' inherits at ', part(op.node)],
  setSupplied: op => [part(op.trait), ' supplied as ', part(op.value), ' at ', part(op.node)],
  removeSupplied: op => [part(op.trait), ' no longer supplied at ', part(op.node)],
  setDevice: op => [part(op.node), ' on ', part(op.device), op.orientation ? ` in ${op.orientation}` : '', (op.settings ?? []).map(setting => `, ${setting}`).join('')],
  createNode: op => ['made ', part(op.node), op.parent ? [' under ', part(op.parent)] : ''].flat(),
  putNode: op => ['made or changed ', part(op.node)],
  updateNode: op => ['changed ', part(op.node)],
  moveNode: op => ['moved ', part(op.node), op.parent ? [' under ', part(op.parent)] : ''].flat(),
  deleteNode: op => ['deleted ', part(op.node)],
  defineTrait: op => ['defined the trait ', part(op.trait)],
  putTrait: op => ['defined the trait ', part(op.trait)],
  updateTrait: op => ['changed the trait ', part(op.trait)],
  deleteTrait: op => ['deleted the trait ', part(op.trait)],
  register: op => ['registered ', part(op.registration), ' at ', part(op.node)],
  unregister: op => ['ended the registration ', part(op.registration)],
  setEnvironment: op => [part(op.key), ' = ', part(op.value), ' at ', part(op.node)],
  removeEnvironment: op => [part(op.key), ' inherits at ', part(op.node)],
  clearOverrides: op => ['removed all overrides at ', part(op.node)],
  renameNode: op => ['renamed ', part(op.node), ' to ', part(op.to)],
  renameTrait: op => ['renamed the trait ', part(op.trait), ' to ', part(op.to)],
  copyNode: op => ['copied ', part(op.node)],
  layout: () => ['ran an update pass'],
}

const KINDS = {
  setOverride: 'override set', removeOverride: 'override removed', setSupplied: 'value supplied', removeSupplied: 'value no longer supplied', createNode: 'node made',
  putNode: 'node put', updateNode: 'node changed', moveNode: 'node moved', deleteNode: 'node deleted', defineTrait: 'trait defined', putTrait: 'trait put',
  deleteTrait: 'trait deleted', register: 'registration made', unregister: 'registration ended',
}

export const KIND_NAMES = Object.keys(KINDS)

export const operationElements = op => Object.hasOwn(WORDS, op.op) ? WORDS[op.op](op)
  : [`${op.op} `, ...[op.node, op.trait, op.key, op.registration, op.scope, op.color, op.image].filter(Boolean).map(name => [part(name), ' ']).flat()]

/** What a commit did, in short: its operations where they are known, else how many of each kind. */
export function commitElements(operations) {
  if (Array.isArray(operations)) {
    if (!operations.length) return ['nothing']
    return [...operationElements(operations[0]), operations.length > 1 ? `, ${operations.length - 1} more` : '']
  }
  return [Object.entries(operations?.kinds ?? {}).map(([kind, count]) => {
    const [noun, ...rest] = (KINDS[kind] ?? kind).split(' ')
    return `${counted(count, noun)} ${rest.join(' ')}`.trim()
  }).join(', ')]
}

export const callerOf = ({caller, manager, session} = {}) => caller?.name ?? caller?.id ?? manager ?? session ?? null

/** What else a commit says of where it is from. */
export function originWords({reason, caller, requestId, traceparent, ...rest} = {}) {
  return Object.entries(rest).filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${brief(value, 120)}`).join(', ')
}

const ENDS = {
  sessionDeleted: 'the session was deleted', 'unknown-session': 'the session was deleted', registrationRemoved: 'the registration was removed',
  nodeDeleted: 'the node was deleted', drain: 'the server is shutting down', slowConsumer: 'this page read too slowly', timeout: 'the time of the stream is over',
  limit: 'the server has too many streams', error: 'the server has a fault', revoked: 'the token is no longer valid', unauthenticated: 'a token is needed',
  forbidden: 'the token may not read this session', unreachable: 'the server does not answer', silent: 'nothing comes from the server',
  ended: 'the server has ended the connection', polling: 'by asking again and again, since something between holds streams back',
  'malformed-record': 'the server sent what cannot be read',
}

/** Why a stream ended, or how it goes on. */
export const endWords = reason => Object.hasOwn(ENDS, reason) ? ENDS[reason] : reason?.replace(/^http-(\d+)$/, 'the server answers $1') ?? 'for an unknown reason'

export const notifiedWords = count => `${counted(count, 'registration')} notified`

export const changeElements = (changes, most = 5) => [...changes.slice(0, most).flatMap(({trait, previous, current}, index) =>
  [index ? ', ' : '', bdi(trait), ' ', h('s', {}, bdi(brief(previous))), ' → ', bdi(brief(current))]), changes.length > most ? ` and ${changes.length - most} more` : '']
