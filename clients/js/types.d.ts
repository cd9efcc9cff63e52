// Made by .ci/client-types from openapi.yaml.

/** A value of a trait, as JSON has it. */
export type Value = null | boolean | number | string | readonly Value[] | {readonly [name: string]: Value}

export type BeginRecord = {
  type: 'begin', revision: number, token: string, session: string, uid: string, oldestRevision: number,
  headRevision: number, heartbeatMs: number, maxLifetimeMs?: number, subtree?: string,
  registrations?: readonly string[], watches?: readonly WatchedNode[],
}
export type BookmarkRecord = {type: 'bookmark', revision: number, token: string, lagMs?: number, digest?: string}
export type Cause = {
  requestId?: string, manager?: string, expired?: boolean, traceparent?: string, caller?: CauseCaller, reason?: string,
  revert?: CauseRevert, apply?: CauseApply, copy?: CauseCopy, import?: CauseImport,
}
export type CauseApply = {manager?: string}
export type CauseCaller = {id: string, name?: string}
export type CauseCopy = {node?: string, to?: string, count?: number}
export type CauseImport = {session: string}
export type CauseRevert = {revision?: number, commit?: number}
export type ChainEntry = {
  node?: string, deleted?: boolean, layer: 'override' | 'supplied' | 'kept' | 'default', value?: Value,
  deprecated?: boolean, status: 'winner' | 'shadowed' | 'absent', revision?: number, assumed?: boolean, setBy?: string,
  expiresAt?: string, under?: CoveredValue,
}
export type ChangeRecord = {
  type: 'change', revision: number, token: string, registration?: string, node: string,
  changes: readonly TraitChange[], colors?: readonly ColorChange[], images?: readonly ImageChange[], part: number,
  last: boolean, cause?: Cause, time: string,
}
export type ChosenVariant = {index: number, when: {readonly [name: string]: Value}}
export type ClearOverrides = {op: 'clearOverrides', node: string}
export type ColorChange = {color: string, previous: unknown, current: unknown}
export type Commit = {
  session: string, uid: string, revision: number, notified: number, ended?: EndedParts,
  changes?: readonly Notification[], invalidations?: readonly Invalidation[], truncated?: boolean, unchanged?: boolean,
  dryRun?: boolean,
}
export type CommitRecord = {
  type: 'commit', revision: number, token: string, operations: OperationCounts | readonly CommittedOperation[],
  notified: number, part: number, last: boolean, cause?: Cause, time: string,
}
export type CommittedOperation = {op: string, previous?: unknown}
export type CopyNode = {
  op: 'copyNode', node: string, to?: string, prefix?: readonly string[], parent?: string | null, before?: string,
  after?: string, registrations?: boolean, depth?: number,
}
export type CoveredTuples = {all: number, covered: number, impossible: number}
export type CoveredValue = {value: Value, expiresAt?: string, setBy?: string}
export type CreateNode = {
  kind: 'windowScene' | 'window' | 'presentationController' | 'viewController' | 'view' | 'environment',
  parent?: string | null, controller?: string | null, label?: string | null,
  overrides?: {readonly [name: string]: Value}, supplied?: {readonly [name: string]: Value}, op: 'createNode',
  node: string,
}
export type DefineColor = {op: 'defineColor', color: string, definition: NewDynamic}
export type DefineEnvironmentKey = {op: 'defineEnvironmentKey', key: string, definition: NewEnvironmentKey}
export type DefineImage = {op: 'defineImage', image: string, definition: NewDynamic}
export type DefineTrait = {op: 'defineTrait', trait: string, definition: NewTraitDefinition}
export type DeleteColor = {op: 'deleteColor', color: string}
export type DeleteEnvironmentKey = {op: 'deleteEnvironmentKey', key: string}
export type DeleteImage = {op: 'deleteImage', image: string}
export type DeleteNode = {op: 'deleteNode', node: string}
export type DeleteTrait = {op: 'deleteTrait', trait: string}
export type DeviceAxis = {
  name: string, devices: readonly string[], at: string, orientation?: string, split?: string,
  settings?: readonly string[],
}
export type EndRecord = {
  type: 'end', revision: number, token: string, reason: EndReason, resume?: boolean, retryAfterMs?: number,
  problem?: Problem,
}
export type EndedParts = {
  nodes: number, overrides: number, scopes: number, registrations: readonly string[], truncated?: boolean,
}
export type EnvironmentPair = {environment: Value, trait: Value}
export type ExplainedValue = {value: Value, source: Source, chain: readonly ChainEntry[]}
export type GapRecord = {type: 'gap', revision: number, token: string, fromRevision: number, toRevision: number}
export type ImageChange = {image: string, previous: unknown, current: unknown}
export type InvalidateRecord = {
  type: 'invalidate', revision: number, token: string, node: string, scope: string, invalidation: string,
  changed: readonly string[], part: number, last: boolean, cause?: Cause, time: string,
}
export type Invalidation = {node: string, scope: string, invalidation: string, changed: readonly string[]}
export type ManagedField = {pointer: string, manager?: string}
export type MoveNode = {op: 'moveNode', node: string, parent?: string | null, before?: string, after?: string}
export type NewDynamic = {variants: readonly Variant[]}
export type NewEnvironmentKey = {
  key?: string, type: 'bool' | 'int' | 'double' | 'string' | 'enum' | 'struct' | 'json', default: Value,
  cases?: {readonly [name: string]: number},
  fields?: {readonly [name: string]: 'bool' | 'int' | 'double' | 'string' | 'json'}, nullable?: boolean,
  bridgedTrait?: string, map?: {readonly [name: string]: Value} | readonly EnvironmentPair[],
}
export type NewTraitDefinition = {
  key?: string, type: 'bool' | 'int' | 'double' | 'string' | 'enum' | 'struct' | 'json', default: Value,
  identifier?: string, name?: string, cases?: {readonly [name: string]: number},
  fields?: {readonly [name: string]: 'bool' | 'int' | 'double' | 'string' | 'json'}, nullable?: boolean,
  deprecated?: boolean | readonly string[], affectsColorAppearance?: boolean, unit?: Unit, css?: boolean,
  since?: {readonly [name: string]: string},
}
export type Notification = {
  registration: string, node: string, changes: readonly TraitChange[], colors?: readonly ColorChange[],
  images?: readonly ImageChange[],
}
export type OperationAxis = {name: string, values: {readonly [name: string]: readonly Operation[]}}
export type OperationCounts = {count: number, kinds: {readonly [name: string]: number}}
export type Plan = {
  session: string, uid: string, revision: number, unchanged?: boolean, dryRun: boolean, planToken: string,
  counts: {readonly [name: string]: number}, operations: readonly Operation[], operationsTruncated?: boolean,
  notified: number, ended?: EndedParts, changes: readonly ({readonly [name: string]: unknown})[],
  invalidations?: readonly ({readonly [name: string]: unknown})[], truncated?: boolean,
}
export type Problem = {
  type: string, title: string, status: number, detail: string, instance: string, code: ProblemCode, pointer?: string,
  parameter?: string, didYouMean?: string, names?: readonly string[], errors?: readonly ProblemPart[],
  fields?: readonly ManagedField[], places?: readonly TraitPlace[], count?: number, limit?: string, value?: number,
  current?: number, option?: string, retryAfter?: number, minRevision?: number, offset?: number, line?: number,
  column?: number, id?: string, currentRevision?: number, oldestRevision?: number, oldestTime?: string,
  operation?: {readonly [name: string]: unknown}, restart?: string,
}
export type ProblemPart = {
  code: ProblemCode, detail: string, pointer?: string, didYouMean?: string, line?: number, column?: number,
  id?: string,
}
export type PutNode = {
  op: 'putNode', node: string,
  kind?: 'windowScene' | 'window' | 'presentationController' | 'viewController' | 'view' | 'environment',
  parent?: string | null, controller?: string | null, label?: string | null,
  overrides?: {readonly [name: string]: Value}, supplied?: {readonly [name: string]: Value},
}
export type PutTrait = {op: 'putTrait', trait: string, definition: NewTraitDefinition}
export type Register = {
  op: 'register', registration: string, node: string, traits?: readonly string[], set?: string,
  colors?: readonly string[], images?: readonly string[], label?: string, ttl?: number,
}
export type RemoveEnvironment = {op: 'removeEnvironment', node: string, key: string}
export type RemoveOverride = {op: 'removeOverride', node: string, trait: string, under?: boolean}
export type RemoveScope = {op: 'removeScope', node: string, scope: string}
export type RemoveSupplied = {op: 'removeSupplied', node: string, trait: string}
export type RenameNode = {op: 'renameNode', node: string, to: string}
export type RenameTrait = {op: 'renameTrait', trait: string, to: string}
export type RenamedRecord = {
  type: 'renamed', revision: number, token: string, node?: string, trait?: string, to: string, part: number,
  last: boolean, cause?: Cause, time: string,
}
export type ResetRecord = {
  type: 'reset', revision: number, token: string,
  reason: 'sessionReplaced' | 'historyGone' | 'revisionAhead' | 'filterChanged' | 'setChanged', uid: string,
  previousUid?: string,
}
export type ResolvedNode = {
  node: string, state: 'current' | 'pending' | 'detached',
  traits: {readonly [name: string]: ExplainedValue} | {readonly [name: string]: Value},
  colors?: {readonly [name: string]: ResolvedValue}, images?: {readonly [name: string]: ResolvedValue},
  environment?: {readonly [name: string]: unknown},
  previous?: {readonly [name: string]: ExplainedValue} | {readonly [name: string]: Value}, new?: boolean,
}
export type ResolvedValue = {value: unknown, variant: ChosenVariant, dependsOn: readonly string[]}
export type RunLayout = {op: 'layout'}
export type SetDevice = {
  op: 'setDevice', node: string, device: string, orientation?: 'portrait' | 'landscape',
  split?: 'full' | '1/2' | '1/3' | '2/3' | 'slideOver', settings?: readonly string[],
}
export type SetEnvironment = {op: 'setEnvironment', node: string, key: string, value: Value}
export type SetOverride = {
  op: 'setOverride', node: string, trait: string, value: Value, expiresAt?: string, ttl?: number, over?: boolean,
  under?: boolean,
}
export type SetScope = {op: 'setScope', node: string, scope: string, reads: readonly string[]}
export type SetSupplied = {op: 'setSupplied', node: string, trait: string, value: Value}
export type ShownAxis = {name: string, values: readonly Value[]}
export type Source = {
  kind: 'override' | 'supplied' | 'kept' | 'default', node?: string, deleted?: boolean, revision?: number,
  assumed?: boolean,
}
export type StateRecord = {
  type: 'state', revision: number, token: string, registration?: string, node: string,
  traits: {readonly [name: string]: Value}, colors?: {readonly [name: string]: unknown},
  images?: {readonly [name: string]: unknown},
}
export type SyncRecord = {type: 'sync', revision: number, token: string, count: number, digest: string}
export type TraitAxis = {name: string, trait: string, at: string, cases?: readonly Value[]}
export type TraitChange = {trait: string, previous: Value, current: Value, source: Source}
export type TraitPatch = {
  name?: string | null, type?: 'bool' | 'int' | 'double' | 'string' | 'enum' | 'struct' | 'json', default?: Value,
  cases?: {readonly [name: string]: number | null} | null,
  fields?: {readonly [name: string]: 'bool' | 'int' | 'double' | 'string' | 'json' | null} | null,
  nullable?: boolean | null, affectsColorAppearance?: boolean | null, unit?: Unit | null, css?: boolean | null,
  since?: {readonly [name: string]: string | null} | null, deprecated?: boolean | readonly string[] | null,
}
export type TraitPlace = {
  node?: string, trait?: string, member?: 'parent' | 'controller' | 'label' | 'order' | 'name', under?: boolean,
  revision?: number, layer?: 'override' | 'supplied' | 'kept' | 'default', shown?: boolean, parent?: string | null,
  environmentKey?: string, color?: string, image?: string, variant?: number, default?: boolean,
}
export type Unregister = {op: 'unregister', registration: string}
export type UpdateNode = {
  op: 'updateNode', node: string, parent?: string | null, controller?: string | null, label?: string | null,
}
export type UpdateTrait = {op: 'updateTrait', trait: string, patch: TraitPatch}
export type UpdateTraits = {op: 'updateTraitsIfNeeded', node: string}
export type Variant = {when?: {readonly [name: string]: Value}, value: unknown}
export type VariantRow = {
  row: number, labels: {readonly [name: string]: Value}, combinations?: number, nodes: readonly ResolvedNode[],
}
export type VariantsEnd = {
  end: boolean, rows: number, combinations: number, pairs?: CoveredTuples, triples?: CoveredTuples,
}
export type VariantsHead = {
  uid: string, revision: number, assumed: boolean, axes: readonly ShownAxis[], strength: 0 | 2 | 3,
  combinations?: number, rows: number,
}
export type VariantsRequest = {
  nodes: readonly string[], reads?: 'recorded' | readonly string[], colors?: 'all' | readonly string[],
  images?: 'all' | readonly string[], axes: readonly (TraitAxis | DeviceAxis | OperationAxis)[], strength?: 0 | 2 | 3,
  except?: readonly ({readonly [name: string]: unknown})[], distinct?: boolean,
}
export type WatchedNode = {node: string, traits: readonly string[]}
export type EndReason = 'sessionDeleted' | 'registrationRemoved' | 'nodeDeleted' | 'drain' | 'slowConsumer' | 'timeout'
  | 'limit' | 'error' | 'revoked'
export type Operation = CreateNode | UpdateNode | MoveNode | PutNode | PutTrait | ClearOverrides | RenameNode |
  RenameTrait | CopyNode | SetDevice | DeleteNode | SetOverride | SetSupplied | RemoveOverride | RemoveSupplied |
  DefineTrait | DeleteTrait | UpdateTrait | Register | Unregister | UpdateTraits | DeleteImage | DefineImage |
  DeleteColor | DefineColor | RemoveEnvironment | SetEnvironment | DeleteEnvironmentKey | DefineEnvironmentKey |
  RemoveScope | SetScope | RunLayout
export type ProblemCode = 'malformed-json' | 'malformed-body' | 'unknown-member' | 'missing-member' |
  'unknown-parameter' | 'repeated-parameter' | 'malformed-parameter' | 'malformed-identifier' | 'malformed-token' |
  'malformed-idempotency-key' | 'malformed-reason' | 'token-mismatch' | 'malformed-request' | 'unknown-route' |
  'unknown-session' | 'unknown-node' | 'unknown-trait' | 'unknown-registration' | 'unknown-scope' |
  'unknown-environment-key' | 'unknown-device' | 'unknown-color' | 'unknown-image' | 'unknown-problem' | 'no-override' |
  'method-not-allowed' | 'not-acceptable' | 'request-timeout' | 'unsupported-media-type' | 'expectation-failed' |
  'unauthenticated' | 'forbidden' | 'cross-origin' | 'unknown-host' | 'exists' | 'kind-immutable' | 'cycle' |
  'second-root-view' | 'in-use' | 'changed-since' | 'trait-immutable' | 'environment-key-immutable' | 'system-trait' |
  'duplicate-identifier' | 'session-differs' | 'revision-ahead' | 'managed' | 'idempotency-in-flight' | 'history-gone' |
  'session-replaced' | 'revision-mismatch' | 'body-too-large' | 'transaction-too-large' | 'too-many-variants' |
  'target-too-long' | 'too-many-streams' | 'too-many-reads' | 'too-many-connections' |
  'too-many-connections-from-address' | 'too-much-input' | 'too-much-output' | 'out-of-memory' | 'headers-too-large' |
  'quota' | 'memory-full' | 'storage-full' | 'value-too-large' | 'type-mismatch' | 'unknown-parent' |
  'unknown-controller' | 'kind-mismatch' | 'empty-trait-list' | 'private-trait' | 'invalid-definition' |
  'invalid-variants' | 'nothing-recorded' | 'unsupported-mode' | 'not-siblings' | 'idempotency-key-reused' |
  'internal-error' | 'not-implemented' | 'log-unavailable' | 'outcome-unknown' | 'log-refused' | 'session-diverged' |
  'starting' | 'draining' | 'http-version-not-supported'
export type StreamRecord = BeginRecord | StateRecord | SyncRecord | ChangeRecord | CommitRecord | InvalidateRecord |
  RenamedRecord | BookmarkRecord | ResetRecord | GapRecord | EndRecord
export type Unit = 'px' | 'rem' | 'em' | '%' | 'ms' | 's' | 'deg' | 'rad' | 'grad' | 'turn' | 'ex' | 'ch' | 'cap' | 'ic'
  | 'lh' | 'rex' | 'rch' | 'rcap' | 'ric' | 'rlh' | 'vw' | 'vh' | 'vi' | 'vb' | 'vmin' | 'vmax' | 'svw' | 'svh' | 'svi'
  | 'svb' | 'svmin' | 'svmax' | 'lvw' | 'lvh' | 'lvi' | 'lvb' | 'lvmin' | 'lvmax' | 'dvw' | 'dvh' | 'dvi' | 'dvb' |
  'dvmin' | 'dvmax' | 'cqw' | 'cqh' | 'cqi' | 'cqb' | 'cqmin' | 'cqmax' | 'cm' | 'mm' | 'Q' | 'in' | 'pt' | 'pc' | 'Hz'
  | 'kHz' | 'dpi' | 'dpcm' | 'dppx' | 'x' | 'fr'
