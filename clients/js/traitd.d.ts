// Types of traitd.js. docs/clients.md describes the client. Operations, records and answers are in types.d.ts.

import type {
  Commit, Operation, Plan, Problem, StreamRecord, Value, VariantRow, VariantsEnd, VariantsHead, VariantsRequest,
} from './types.js'
export * from './types.js'

declare global {
  // TypeScript 5.2 has it in `esnext.disposable`.
  interface SymbolConstructor { readonly asyncDispose: unique symbol }
}

export type State = 'syncing' | 'ready' | 'stale' | 'closed'

/** A refusal, or `unreachable`. */
export class TraitdError extends Error {
  constructor(code: string, status?: number | null, problem?: Partial<Problem> | null, message?: string)
  /** The problem's code; `unreachable` without an answer, `redirected`, `answer-too-large`, `incomplete-answer` or
   * `malformed-answer` of rows, or `http-STATUS` for an answer that is not traitd's. For a closed watch: its reason;
   * `timeout` of `synced`. */
  readonly code: string
  readonly status: number | null
  readonly problem: Partial<Problem> | null
}

/** A pair of node and trait whose value differs. */
export interface Change {
  readonly node: string
  readonly trait: string
  /** undefined when the pair was not there. */
  readonly previous: Value | undefined
  /** undefined when the pair is not there any more. */
  readonly current: Value | undefined
  readonly revision: number
}

/** Times are in milliseconds. */
export interface ClientOptions {
  /** Sent in the field `Authorization`, and nowhere else. */
  token?: string | null
  /** How long to wait for the head of an answer, and between parts of its body. 10,000 by default. */
  timeout?: number
  /** How often a request is repeated. 4 by default. */
  retries?: number
  /** The first and the longest wait between attempts. [500, 30000] by default. */
  backoff?: readonly [first: number, most: number]
  /** How many bytes the values of a watch may have; with more it is closed. 64 MiB by default. */
  stateBytesMax?: number
  fetch?: typeof globalThis.fetch
  /** Whether the tabs of an origin share one stream for equal watches. */
  shared?: boolean
}

export class Client {
  /** @throws TypeError when the url or the token cannot be used. */
  constructor(url: string | URL, options?: ClientOptions)
  session(name: string): Session
  /** Any route of the server, as `/v1/sessions`. Only methods that read are repeated. */
  request(method: string, path: string, body?: unknown, options?: ConditionalOptions): Promise<unknown>
}

export interface RequestOptions {
  /** Why it is written. The history shows it. */
  reason?: string
  signal?: AbortSignal
}

export interface ConditionalOptions extends RequestOptions {
  /** The entity tag that the session has to have, as `"uid.revision"` in quotes; else the answer is 412. */
  ifMatch?: string
}

export interface WriteOptions extends RequestOptions {
  dryRun?: boolean
  /** Made for the call when it is left out. */
  idempotencyKey?: string
}

export interface ApplyOptions extends WriteOptions {
  manager: string
  prune?: boolean
  force?: boolean
  plan?: string
}

/** Values by node and trait. */
export interface NodeValues { [node: string]: {[trait: string]: Value} }

export interface Query {
  nodes?: readonly string[]
  /** This node and all below it. */
  under?: string
  traits?: readonly string[]
  /** The answer is what would be shown after these operations, which are not carried out. */
  assume?: readonly Operation[]
}

/** Rows that are read as they are asked for. Each iteration is a request, repeated only until its head has come. An
 * answer that lacks rows or its end is an error after the rows that came. */
export interface Variants extends AsyncIterable<VariantRow> {
  /** There with the first row. */
  readonly head: VariantsHead | null
  /** There after the last row. */
  readonly end: VariantsEnd | null
}

/** A session of a server, by its name. Creating the object makes no request. */
export interface Session {
  readonly name: string
  /** What traits of nodes, or of a node and all below it, resolve to, at one revision. With `changed` the nodes that
   * would differ after `assume`, what they show now, which is nothing for a new one, and how many they are. */
  resolve(query: Query & {changed: true}, options?: {signal?: AbortSignal}):
    Promise<{revision: number, values: NodeValues, previous: NodeValues, count: number}>
  resolve(query: Query & {changed?: false}, options?: {signal?: AbortSignal}): Promise<{revision: number, values: NodeValues}>
  /** What nodes would show under combinations of assumptions. docs/whatif.md has the query. */
  variants(query: VariantsRequest, options?: {signal?: AbortSignal}): Variants
  /** Operations as one commit, which is the answer. */
  transaction(operations: readonly Operation[], options?: WriteOptions & {ifRevision?: number}): Promise<Commit>
  /** One value as one commit. */
  setOverride(node: string, trait: string, value: Value, options?: WriteOptions & {ifRevision?: number}): Promise<Commit>
  removeOverride(node: string, trait: string, options?: WriteOptions & {ifRevision?: number}): Promise<Commit>
  /** Makes the session match a document: the commit, or with `dryRun` the plan. */
  apply(document: object, options: ApplyOptions & {dryRun: true}): Promise<Plan>
  apply(document: object, options: ApplyOptions & {dryRun?: false}): Promise<Commit>
  /** Any other route below the session. Only methods that read are repeated. */
  request(method: string, path: string, body?: unknown, options?: ConditionalOptions): Promise<unknown>
  /** A live cache of traits of nodes, and of registrations. */
  watch(watches: {readonly [node: string]: readonly string[] | string}, options?: {
    onChange?: (change: Change) => unknown
    onState?: (state: State) => unknown
    registrations?: readonly string[]
  }): Watch
  /** The session's stream as it is, without a cache. After a lost connection it goes on where it was. */
  records(options: {operations?: boolean} | undefined, callbacks: {
    onRecord?: (record: StreamRecord) => unknown
    onState?: (state: State) => unknown
  }): Records
}

export interface Stream {
  readonly state: State
  /** Why it is closed, or why the last connection was lost; `polling` while `ready` by long polls. Else null. */
  readonly reason: string | null
  /** The revision of the last record. */
  readonly revision: number
  /** Resolves at the first `ready`; rejects with a TraitdError when it is closed before. Called, it waits no longer
   * than `timeout`, and then rejects with the code `timeout` and says why. */
  readonly synced: PromiseLike<void> & Pick<Promise<void>, 'catch' | 'finally'> & ((options?: {timeout?: number}) => Promise<void>)
  /** Ends the connection at once. */
  close(): void
  /** Closes it, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The records of a session's stream, in order. Between two connections a record is missing only when `begin` has a
 * higher revision than the record before: the server no longer had what was between. */
export interface Records extends Stream {}

/** A live cache. It shows a complete state or, before the first one, nothing. Iteration gives the changes since the watch
 * was made, each to one iterator, and ends when the watch is closed. */
export interface Watch extends Stream, AsyncIterable<Change> {
  /** The value of a pair; undefined when there is none. O(1). */
  get(node: string, trait: string): Value | undefined
  /** All values, by node and trait. O(values). */
  snapshot(): {[node: string]: {[trait: string]: Value}}
}

/** JSON as the digest has it: no white space, members sorted, numbers as the 16 digits of their double. */
export function canonical(value: unknown): string
/** The hash of a pair, 64 bits: FNV-1a with MurmurHash3's finalizer. O(bytes). */
export function pairHash(node: string, trait: string, value: unknown): bigint
