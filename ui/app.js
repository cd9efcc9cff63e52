// The views by the address, the list of sessions, and the sign-in.

import {bdi, byId, h, say, set, timeElement} from './dom.js'
import {listen} from './keys.js'
import {importSession, newSession} from './make.js'
import {Latest, curlLine, format, isSignedIn, onRefused, parse, queryOf, request, settle, signIn} from './server.js'
import {SessionView} from './session.js'

const COLUMNS = ['Name', 'Nodes', 'Revision', 'Created', 'Durability', 'Propagation']
const PAGE = 100, EMPTY_PAGES_MAX = 20

class Sessions {
  #onShown
  #token = null
  #latest = new Latest((subject, signal) => this.#read(subject, signal), page => this.#show(page),
    error => this.#failed(error), () => this.#note('Loading'))
  #typing = 0

  constructor(onShown) {
    this.#onShown = onShown
    byId('session-filter').value = ''
    byId('session-filter').oninput = () => {
      clearTimeout(this.#typing)
      this.#typing = setTimeout(() => this.#ask(null), 120)
    }
    byId('session-next').onclick = () => this.#ask(this.#token)
    byId('session-first').onclick = () => this.#ask(null)
    byId('session-list').replaceChildren()
    byId('new-session').onclick = newSession
    byId('import').onclick = importSession
    this.#ask(null)
  }

  stop() {
    this.#latest.stop()
    clearTimeout(this.#typing)
  }

  #ask(token) { this.#latest.ask({q: byId('session-filter').value.trim(), token}) }

  /** The server may answer pages without a match on the way to one. */
  async #read({q, token}, signal) {
    let page = {nextPageToken: token}
    for (let tries = 0; !page.sessions?.length && (!tries || page.nextPageToken) && tries < EMPTY_PAGES_MAX; tries++) {
      const query = queryOf({pageSize: PAGE, ...q && {q}, ...page.nextPageToken && {pageToken: page.nextPageToken}})
      page = await request('GET', `/v1/sessions?${query}`, undefined, signal)
    }
    return {...page, q, isFirst: token === null}
  }

  #note(...content) {
    byId('session-note').hidden = !content.length
    byId('session-note').replaceChildren(...content)
  }

  #show({sessions, nextPageToken, q, isFirst}) {
    this.#token = nextPageToken
    byId('session-next').hidden = !nextPageToken
    byId('session-first').hidden = isFirst
    if (sessions.length) this.#note()
    else if (q || !isFirst) this.#note('No session matches')
    else this.#note('No sessions yet. Make one with New session or Import, or with curl:', h('pre', {tabindex: 0}, h('code', {'data-curl': true}, curlLine('PUT', '/v1/sessions/mine',
      {nodes: [{id: 'scene', kind: 'windowScene', overrides: {userInterfaceStyle: 'dark'}}, {id: 'window', kind: 'window', parent: 'scene'}]}))))
    say(byId('session-count'), sessions.length ? `${sessions.length}${nextPageToken ? ' and more' : ''}` : '')
    byId('session-list').replaceChildren(...sessions.length ? [h('table', {}, h('thead', {}, h('tr', {}, COLUMNS.map(name => h('th', {scope: 'col'}, name)))),
      h('tbody', {}, sessions.map(({name, nodes, revision, createdAt, durability, propagation}) => h('tr', {},
        h('td', {}, h('a', {href: format({session: name}), 'data-session': name}, bdi(name))), [nodes.toLocaleString('en'), revision.toLocaleString('en'), timeElement(createdAt),
          durability, propagation].map((value, at) => h('td', {'data-label': COLUMNS[at + 1]}, value))))))] : [])
    this.#onShown()
  }

  #failed(error) {
    this.#note(h('span', {role: 'alert'}, error.message, ' '), h('button', {on: {click: () => this.#latest.refresh()}}, 'Retry'))
    this.#onShown()
  }
}

/** The server's version, and who is signed in. They stand at the top of the view that is shown. */
async function meet() {
  const [{version}, {name, caller}] = await Promise.all([request('GET', '/'), request('GET', '/v1/whoami')])
  say(byId('version'), `traitd ${version}`)
  say(byId('who'), name ?? caller ? `Signed in as ${name ?? caller}` : '')
  byId('sign-out').hidden = !isSignedIn()
}

const VIEWS = ['sign-in', 'sessions', 'session', 'error']
let view = null

function enter(name) {
  for (const id of VIEWS) byId(id).hidden = id !== name
  byId(name).querySelector('.slot')?.append(byId('server'))
  byId('server').hidden = !byId(name).querySelector('.slot')
  set(document.body, {'data-view': name, 'data-ready': 'false'})
}

/** Places focus, once, unless the user has placed it already. */
function ready(focus) {
  if (document.body.dataset.ready === 'true') return
  if (document.activeElement === document.body) focus.focus({preventScroll: true})
  set(document.body, {'data-ready': 'true'})
}

function leave() {
  view?.stop()
  view = null
  set(document.body, {'data-mode': 'edit', 'data-connection': 'connecting'})
}

function failed(error) {
  if (error.status === 401) return
  leave()
  enter('error')
  say(byId('error-detail'), error.status === 404 ? `${error.message} It may have been deleted.` : error.message)
  say(byId('error-code'), error.code ?? '')
  byId('error-retry').hidden = error.status === 404
  ready(byId('error').querySelector('a'))
}

function route() {
  settle()
  const place = parse(location.hash)
  if (!place) return failed({status: 404, code: 'unknown-place', message: 'The address names no place of this page.'})
  if (view && place.session !== null && view.live?.name === place.session) return view.go(place)
  leave()
  if (place.session === null) {
    enter('sessions')
    view = new Sessions(() => ready(byId('session-list').querySelector('a') ?? byId('session-filter')))
  } else {
    enter('session')
    view = new SessionView(place, {ready: () => ready(byId('tree')), failed})
  }
}

function again() {
  leave()
  route()
  // Whoever is not signed in is asked for a token.
  meet().catch(() => {})
}

byId('sign-out').addEventListener('click', () => {
  signIn(null)
  say(byId('who'), '')
  byId('sign-out').hidden = true
  again()
})

onRefused(() => {
  if (document.body.dataset.view === 'sign-in') return
  leave()
  enter('sign-in')
  say(byId('token-problem'), isSignedIn() ? 'This token is not valid.' : '')
  ready(byId('token'))
})

byId('token-form').addEventListener('submit', async event => {
  event.preventDefault()
  const field = byId('token')
  try {
    signIn(field.value.trim())
    await request('GET', '/v1/whoami')
    field.value = ''
    say(byId('token-problem'), '')
    again()
  } catch (error) {
    say(byId('token-problem'), error.status === 401 || error instanceof TypeError ? 'This token is not valid.' : error.message)
    field.focus()
  }
})
byId('error-retry').addEventListener('click', again)
addEventListener('popstate', route)
listen(() => view instanceof SessionView ? view : null)
again()
