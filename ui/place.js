// The place in the page is the fragment: #/sessions/{s}/nodes/{n}?trait={t}. So back, reload and links work.

/** The place of a fragment; null when it names none. */
export function parse(fragment) {
  const [path, query = ''] = fragment.replace(/^#/, '').split('?')
  let names
  try { names = path.split('/').filter(Boolean).map(decodeURIComponent) } catch { return null }
  if (!names.length || names.length === 1 && names[0] === 'sessions') return {session: null, node: null, trait: null}
  if (names[0] !== 'sessions' || names.length > 4 || names.length === 3 || names.length === 4 && names[2] !== 'nodes') return null
  return {session: names[1], node: names[3] ?? null, trait: new URLSearchParams(query).get('trait')}
}

export function format({session, node, trait}) {
  if (!session) return '#/'
  return `#/sessions/${encodeURIComponent(session)}${node ? `/nodes/${encodeURIComponent(node)}` : ''}${trait ? `?trait=${encodeURIComponent(trait)}` : ''}`
}

let later

/** Writes a place into the address. Keys that are held replace the entry, at most five times a second, as browsers refuse more. */
export function write(place, {push = false} = {}) {
  clearTimeout(later)
  if (format(place) === location.hash) return
  if (push) history.pushState(null, '', format(place))
  else later = setTimeout(() => history.replaceState(null, '', format(place)), 200)
}

/** Forgets an address that is not written yet: the browser has gone to another place. */
export function settle() { clearTimeout(later) }
