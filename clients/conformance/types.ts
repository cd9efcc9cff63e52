// A program as users write it, for the compiler alone: what docs/clients.md shows has types, and wrong uses have none.
import {Client, TraitdError, Value, canonical, pairHash} from '../js/traitd.js'

const mail = new Client(new URL('http://127.0.0.1:8080'), {token: null, backoff: [500, 30_000], shared: true}).session('ipad-mail')
const watch = mail.watch({scene: ['theme'], 'attachment.photo': 'all'}, {
  onChange: ({node, trait, previous, current, revision}) => console.log(node, trait, previous, current, revision.toFixed()),
  onState: state => console.log(state === 'ready'),
  registrations: ['subject'],
})
await watch.synced
await watch.synced({timeout: 5_000})
await watch[Symbol.asyncDispose]()
const theme: Value | undefined = watch.get('scene', 'theme')
const json: Value = {list: [1, 'two', {three: null}]}
await mail.transaction([{op: 'setOverride', node: 'scene', trait: 'theme', value: theme ?? null}], {ifRevision: watch.revision, dryRun: true})
for await (const change of watch) if (change.current === undefined) watch.close()
const {values} = await mail.resolve({under: 'scene', traits: ['theme']})
const assumed = await mail.resolve({nodes: ['scene'], assume: [{op: 'setDevice', node: 'scene', device: 'iPhone SE'}], changed: true})
console.log(assumed.count, assumed.previous.scene?.displayScale)
const variants = mail.variants({nodes: ['scene'], reads: 'recorded', axes: [{name: 'style', trait: 'userInterfaceStyle', at: 'scene'}], distinct: true})
for await (const row of variants) console.log(row.labels.style, row.nodes[0]?.traits.theme, variants.head?.rows)
console.log(variants.end?.pairs?.covered)
const text: string = canonical(values.scene?.theme ?? json)
const hash: bigint = pairHash('scene', 'theme', text)
mail.records({operations: true}, {onRecord: record => console.log(record.type === 'change' && record.changes[0]?.trait, hash)}).close()
const commit = await mail.setOverride('scene', 'theme', 'bold', {reason: 'TICKET-17'})
await mail.removeOverride('scene', 'theme', {ifRevision: commit.revision})
await mail.request('DELETE', '/nodes/scene', undefined, {reason: 'TICKET-18'})
const plan = await mail.apply({nodes: []}, {manager: 'ci', dryRun: true})
try {
  const {revision, notified} = await mail.apply({nodes: []}, {manager: 'ci', prune: true, plan: plan.planToken})
  console.log(revision + notified)
} catch (error) {
  if (error instanceof TraitdError) console.log(error.code, error.status)
}

// @ts-expect-error: a state is one of four words.
const wrong = watch.state === 'open'
// @ts-expect-error: an apply names its manager.
await mail.apply({}, {})
// @ts-expect-error: the values of a watch are not to be changed.
watch.revision = 1
// @ts-expect-error: there is no such operation.
await mail.transaction([{op: 'setOveride', node: 'scene', trait: 'theme', value: 'bold'}])
// @ts-expect-error: an operation has all its members.
await mail.transaction([{op: 'setOverride', node: 'scene', trait: 'theme'}])
// @ts-expect-error: and no others.
await mail.transaction([{op: 'deleteNode', node: 'scene', trait: 'theme'}])
// @ts-expect-error: what any other route answers is not known.
console.log((await mail.request('GET', '/history')).commits)
// @ts-expect-error: only what would change has values of before.
console.log((await mail.resolve({nodes: ['scene']})).previous)
// @ts-expect-error: an axis has a node.
mail.variants({nodes: ['scene'], axes: [{name: 'style', trait: 'userInterfaceStyle'}]})
// @ts-expect-error: a commit has no such member.
console.log(commit.revison)
