// The records of a session for all tabs of an origin. A browser opens six connections to an origin, and a stream holds one as long as it
// lasts. So one tab, which a lock elects, reads for the tabs of a session and informs the others by a channel. At most three such tabs hold
// a stream, and the others ask for pages. A page that is left ends its stream, which the back-forward cache would keep.

const STREAMS_MAX = 3, POLL = 2000, PAGE_MAX = 1000

const pause = (time, signal) => new Promise(resolve => {
  const timer = setTimeout(resolve, time)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
})

/** `source` has `name`, a promise of what the tabs with the same records have in common, or of null where tabs cannot agree; `stream`,
 * which opens a stream; `page`, which asks for the records after a token; and `read`, which reads the session. */
export class Feed {
  #source
  #callbacks
  #over = new AbortController()
  #shown = new AbortController()
  /** How another tab can begin: the session and the revision of the last record; null before the first one. */
  #place = null
  state = 'syncing'
  reason = null

  constructor(source, callbacks) {
    this.#source = source
    this.#callbacks = callbacks
    const {signal} = this.#over, canAgree = navigator.locks !== undefined
    addEventListener('pagehide', () => this.#shown.abort(), {signal})
    addEventListener('pageshow', ({persisted}) => { if (persisted) this.#show() }, {signal})
    document.addEventListener('visibilitychange', () => {
      if (canAgree) return
      if (document.hidden) this.#shown.abort()
      else this.#show()
    }, {signal})
    this.#show()
  }

  close() {
    this.#over.abort()
    this.#shown.abort()
  }

  #enter(state, reason = null) {
    if (state === this.state || this.state === 'closed') return
    this.state = state
    this.reason = reason
    this.#callbacks.onState(state)
  }

  #take(record) {
    const {type, uid, revision} = record
    if (type === 'begin') this.#place = {type, uid, revision, headRevision: revision}
    else if (this.#place && typeof revision === 'number') Object.assign(this.#place, {revision, headRevision: revision})
    this.#callbacks.onRecord(record)
  }

  async #show() {
    this.#shown.abort()
    const {signal} = this.#shown = new AbortController()
    if (this.state !== 'syncing') this.#enter('stale')
    const name = await this.#source.name
    if (signal.aborted) return
    let tell = () => {}
    const take = record => {
      if (signal.aborted) return
      this.#take(record)
      tell({record})
    }
    const enter = (state, reason) => {
      if (signal.aborted) return
      this.#enter(state, reason)
      tell({state, reason})
    }
    if (name === null) return this.#stream(signal, take, enter)
    const channel = new BroadcastChannel(name), me = String(Math.random())
    let isFirst = false, hasBegun = false
    signal.addEventListener('abort', () => channel.close())
    channel.onmessage = ({data: {wants, to, record, state, reason}}) => {
      if (wants && isFirst && this.#place) tell({to: wants, record: this.#place, state: this.state})
      if (isFirst || wants || to && (to !== me || hasBegun)) return
      hasBegun ||= record?.type === 'begin'
      if (record && hasBegun) this.#take(record)
      if (state) this.#enter(state, reason)
    }
    tell = message => channel.postMessage(message)
    tell({wants: me})
    navigator.locks.request(name, {signal}, () => {
      isFirst = true
      return this.state === 'closed' ? null : this.#lead(signal, take, enter)
    }).catch(() => {})
  }

  /** Holds a stream as soon as few enough tabs do, and asks for pages until then. */
  async #lead(signal, take, enter) {
    let next = null
    while (!signal.aborted && this.state !== 'closed') {
      for (let number = 0; number < STREAMS_MAX; number++) {
        const isOver = await navigator.locks.request(`traitd stream ${number}`, {ifAvailable: true},
          lock => lock && !signal.aborted && this.#stream(signal, take, enter))
        if (isOver || signal.aborted) return
      }
      let isFull = false
      try {
        const page = await this.#source.page(next, PAGE_MAX, signal)
        if (next === null) {
          const {uid} = await this.#source.read(signal)
          take({type: 'begin', uid, revision: page.revision, headRevision: page.revision})
        }
        next = page.next
        isFull = page.records.length === PAGE_MAX
        page.records.forEach(take)
        enter('ready')
      } catch (error) {
        if ([401, 403, 404].includes(error.status)) return enter('closed', error.code)
        if ([400, 409, 410].includes(error.status)) next = null
        enter('stale')
      }
      if (!isFull) await pause(POLL, signal)
    }
  }

  /** Resolves to true when the stream is over. */
  #stream(signal, take, enter) {
    return new Promise(resolve => {
      const stream = this.#source.stream({onRecord: take, onState: state => {
        enter(state, stream.reason)
        if (state === 'closed') resolve(true)
      }})
      signal.addEventListener('abort', () => {
        stream.close()
        resolve(true)
      })
    })
  }
}
