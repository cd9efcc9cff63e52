// The page: which view is shown, by the fragment of the address, and the sign-in when an answer asks for a token.

import {byId, say, set} from './dom.js'
import {listen} from './keys.js'
import {parse, settle} from './place.js'
import {isSignedIn, onRefused, request, signIn} from './server.js'
import {SessionView} from './session.js'
import {Sessions} from './sessions.js'

const VIEWS = ['sign-in', 'sessions', 'session', 'error']
let view = null

/** Shows a view, not ready yet; `data-view` and `data-ready` are for tests and scripts. */
function enter(name) {
  for (const id of VIEWS) byId(id).hidden = id !== name
  set(document.body, {'data-view': name, 'data-ready': 'false'})
}

/** Places focus, once, unless the user has placed it already. */
function ready(focus) {
  if (document.body.dataset.ready === 'true') return
  if (document.activeElement === document.body || document.activeElement === null) focus.focus({preventScroll: true})
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
  if (view && place.session !== null && view.session === place.session) return view.go(place)
  leave()
  if (place.session === null) {
    enter('sessions')
    view = new Sessions(() => ready(byId('session-list').querySelector('a') ?? byId('session-filter')))
  } else {
    enter('session')
    view = new SessionView(place, {ready: () => ready(byId('tree')), failed, replaced: again})
  }
  return undefined
}

/** Opens the same place anew. */
function again() {
  leave()
  route()
}

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
route()
