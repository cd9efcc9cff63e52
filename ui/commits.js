// Commits that the page writes, and those that it plans.

const UNDO_MAX = 100
const UNDO_TRIES = 5

const setting = (node, trait, value) => value === undefined ? {op: 'removeOverride', node, trait} : {op: 'setOverride', node, trait, value}
const keyOf = ({node, trait, op}) => JSON.stringify([node, trait ?? op])

export class Writing {
  #done = []
  #send
  #check
  #revert
  #onChange
  #plan = new Map()

  isPlanning = false
  /** Why it is written, until the page is closed. Whatever asks for a reason begins with it. */
  reason = ''

  /** `check` says what of the values that operations have made is another one now, and at which revision. `revert` takes back a commit, unless
   * something of it has changed since. */
  constructor(send, check, revert, onChange) {
    this.#send = send
    this.#check = check
    this.#revert = revert
    this.#onChange = onChange
  }

  /** The reason that goes with a write; undefined for none. */
  get given() { return this.reason.trim() || undefined }

  get canUndo() { return this.#done.length > 0 }

  get planned() { return [...this.#plan.values()] }

  plannedFor(node, trait) { return this.isPlanning ? this.#plan.get(keyOf({node, trait})) : undefined }

  /** Sets an override; undefined is none. `before` is what the node set. */
  async put(node, trait, value, before) {
    const entry = {operation: setting(node, trait, value), inverse: setting(node, trait, before)}
    if (!this.isPlanning) return this.#write([entry], {reason: this.given})
    const key = keyOf({node, trait})
    this.#plan.delete(key)
    if (JSON.stringify(entry.operation) !== JSON.stringify(entry.inverse)) this.#plan.set(key, entry)
    this.#onChange()
  }

  /** Plans an operation of another kind. */
  plan(operation) {
    this.#plan.set(keyOf(operation), {operation, inverse: null})
    this.#onChange()
  }

  drop(operation) {
    this.#plan.delete(keyOf(operation))
    this.#onChange()
  }

  mode(isPlanning) {
    this.isPlanning = isPlanning
    this.#onChange()
  }

  /** Empties the plan. The page goes on planning, so that the next click writes nothing either. */
  discard() {
    this.#plan.clear()
    this.#onChange()
  }

  /** Writes the plan as one transaction, if the session is still at the revision of its effects. */
  async apply(ifRevision) {
    await this.#write(this.planned, {ifRevision, reason: this.given})
    this.#plan.clear()
    this.mode(false)
  }

  /** Takes the page's last write back. `ask` gets the values that are no longer the page's, and says whether to go on. */
  async undo(ask) {
    const last = this.#done.pop()
    if (!last) return
    this.#onChange()
    let isUndone = false
    try { isUndone = await this.#undo(last, ask) } finally {
      if (!isUndone) this.#done.push(last)
      this.#onChange()
    }
  }

  async #undo({entries, revision: written}, ask) {
    if (entries.some(({inverse}) => !inverse)) {
      await this.#revert(written)
      return true
    }
    const inverse = entries.map(entry => entry.inverse).reverse()
    for (let tries = 1; ; tries++) {
      const {revision, changes} = await this.#check(entries.map(entry => entry.operation))
      if (changes.length && !await ask(changes)) return false
      try {
        await this.#send(inverse, {ifRevision: revision})
        return true
      } catch (error) { if (error.status !== 412 || tries === UNDO_TRIES) throw error }
    }
  }

  async #write(entries, options) {
    const commit = await this.#send(entries.map(entry => entry.operation), options)
    if (commit.unchanged) return
    this.#done.push({entries, revision: commit.revision})
    if (this.#done.length > UNDO_MAX) this.#done.shift()
    this.#onChange()
  }
}
