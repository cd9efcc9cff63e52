// The place in the page is the fragment: #/sessions/{s}/nodes/{n}?trait={t}. So back, reload and links work.

/** The place of a fragment; null when it names none. */
export function parse(fragment) {
  const [path, query] = fragment.slice(1).split('?'), [, session, node] = /^\/sessions\/([^/]+)(?:\/nodes\/([^/]+))?$/.exec(path) ?? []
  if (!session && !/^\/?(sessions)?$/.test(path)) return null
  const named = text => text ? decodeURIComponent(text) : null
  try { return {session: named(session), node: named(node), trait: new URLSearchParams(query).get('trait')} } catch { return null }
}

export function format({session, node, trait}) {
  if (!session) return '#/'
  return `#/sessions/${encodeURIComponent(session)}${node ? `/nodes/${encodeURIComponent(node)}` : ''}${trait ? `?trait=${encodeURIComponent(trait)}` : ''}`
}

const PAUSE = 200
let writtenAt = 0, timer

/** Writes a place into the address: as a new entry, or in place of this one, then at most five times a second, as browsers refuse more. */
export function write(place, isNew) {
  const put = () => {
    writtenAt = performance.now()
    if (format(place) !== location.hash) history[isNew ? 'pushState' : 'replaceState'](null, '', format(place))
  }
  settle()
  timer = setTimeout(put, isNew ? 0 : writtenAt + PAUSE - performance.now())
}

/** Forgets an address that is not written yet: the browser has gone to another place. */
export function settle() { clearTimeout(timer) }
