// The list of sessions.

import {bdi, byId, h, say} from './dom.js'
import {format} from './place.js'
import {Latest, curlLine, request} from './server.js'

const COLUMNS = ['Name', 'Nodes', 'Revision', 'Created', 'Durability', 'Propagation']
const PAGE = 100, EMPTY_PAGES_MAX = 20

export class Sessions {
  #onShown
  #token = null
  #latest = new Latest((subject, signal) => this.#read(subject, signal), page => this.#show(page), error => this.#failed(error))
  #timer = 0
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
    this.#ask(null)
  }

  stop() {
    this.#latest.stop()
    clearTimeout(this.#timer)
    clearTimeout(this.#typing)
  }

  #ask(token) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#note('Loading'), 150)
    this.#latest.ask({q: byId('session-filter').value.trim(), token})
  }

  /** A page of the list. The server may answer pages without a match on the way to one. */
  async #read({q, token}, signal) {
    let page, next = token
    for (let tries = 0; tries < EMPTY_PAGES_MAX; tries++) {
      const query = new URLSearchParams({pageSize: PAGE, ...q ? {q} : {}, ...next ? {pageToken: next} : {}})
      page = await request('GET', `/v1/sessions?${query}`, undefined, signal)
      next = page.nextPageToken
      if (page.sessions.length || !next) break
    }
    return {...page, q, isFirst: token === null}
  }

  #note(...content) {
    byId('session-note').hidden = !content.length
    byId('session-note').replaceChildren(...content)
  }

  #show({sessions, nextPageToken, q, isFirst}) {
    clearTimeout(this.#timer)
    this.#token = nextPageToken
    byId('session-next').hidden = !nextPageToken
    byId('session-first').hidden = isFirst
    if (sessions.length) this.#note()
    else if (q || !isFirst) this.#note('No session matches')
    else this.#note('No sessions yet. Make one:', h('pre', {tabindex: 0}, h('code', {'data-curl': true}, curlLine('PUT', '/v1/sessions/mine',
      {nodes: [{id: 'scene', kind: 'windowScene', overrides: {userInterfaceStyle: 'dark'}}, {id: 'window', kind: 'window', parent: 'scene'}]}))))
    say(byId('session-count'), sessions.length ? `${sessions.length}${nextPageToken ? ' and more' : ''}` : '')
    byId('session-list').replaceChildren(...sessions.length ? [h('table', {}, h('thead', {}, h('tr', {}, COLUMNS.map(name => h('th', {scope: 'col'}, name)))),
      h('tbody', {}, sessions.map(({name, nodes, revision, createdAt, durability, propagation}) => h('tr', {},
        h('td', {}, h('a', {href: format({session: name}), 'data-session': name}, bdi(name))), h('td', {class: 'number'}, nodes.toLocaleString('en')),
        h('td', {class: 'number'}, revision.toLocaleString('en')), h('td', {}, h('time', {datetime: createdAt}, createdAt.slice(0, 16).replace('T', ' '))),
        h('td', {}, durability), h('td', {}, propagation)))))] : [])
    this.#onShown()
  }

  #failed(error) {
    clearTimeout(this.#timer)
    this.#note(h('span', {role: 'alert'}, error.message), ' ', h('button', {on: {click: () => this.#ask(null)}}, 'Retry'))
    this.#onShown()
  }
}
