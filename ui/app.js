// The list of sessions, 100 a page. It follows the links of the answers, so a proxy's path needs no setting.

const status = document.querySelector('[role=status]'), table = document.querySelector('table')

function row({name, nodes, revision, createdAt, durability, propagation}) {
  const line = document.createElement('tr'), isolated = document.createElement('bdi')
  isolated.textContent = name
  const texts = [nodes, revision, createdAt, durability, propagation]
  for (const content of [isolated, ...texts]) line.insertCell().append(content)
  return line
}

async function show() {
  status.textContent = 'Loading'
  const answer = await fetch(new URL('v1/sessions?pageSize=100', document.baseURI))
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.detail)
  table.tBodies[0].replaceChildren(...body.sessions.map(row))
  table.hidden = body.sessions.length === 0
  status.textContent = table.hidden ? 'No sessions yet' : ''
  document.body.dataset.ready = 'true'
}

show().catch(error => { status.textContent = error.message })
