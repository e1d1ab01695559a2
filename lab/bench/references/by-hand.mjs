/**
 * What some answers of Beak cost when they are written by hand: the same rows of the same database, the same JSON, headers and log line, on
 * node:http and pg alone. It uses the database and the secret of a Beak server, and it knows only the accounts and the rows that the benchmark makes.
 * The files `by-hand-*.mjs` are parts of it. Commands leave the rows that Beak leaves. The benchmark checks that at its start. Work that Beak
 * does at 0.7 of the speed by hand or faster is no longer here: `MEASURED.md` has its last figures.
 */
import { accountRoutes } from './by-hand-accounts.mjs'
import { pool, sessionOf } from './by-hand-parts.mjs'
import { peckRoutes } from './by-hand-pecks.mjs'
import { serve } from './by-hand-server.mjs'
import { agentList } from './by-hand-statements.mjs'

function agent(row) {
  return JSON.stringify({
    agent_id: row.id,
    agent_name: row.name,
    agent_type: row.type,
    capabilities: row.capabilities,
    status: row.status,
    allow_query_key: row.allowQueryKey,
    key: {
      key_id: row.keyId,
      start: `beak_${row.keyId.slice(0, 12)}`,
      tier_scope: row.tierScope,
      created_at: row.keyCreatedAt,
      expires_at: row.keyExpiresAt,
      last_used_at: row.lastUsedAt,
      retired_key_uses: row.uses,
    },
    created_at: row.createdAt,
    bonded_at: row.bondedAt,
    last_seen_at: row.lastSeenAt,
  })
}

async function listAgents(request) {
  const { rows } = await pool.query({ name: 'agents', text: agentList, values: await sessionOf(request) })
  if (rows.length === 0) throw new Error('no session, or no rows')
  const shown = rows.slice(0, 20)
  const cursor = rows.length > 20 ? Buffer.from(`k${shown[19].id}`).toString('base64url') : null
  return `{"items":[${shown.map(agent).join()}],"next_cursor":${JSON.stringify(cursor)}}`
}

/** The server is ready when it answers this path. */
const routes = { '/beak/': async () => '{}', '/beak/agent/list': listAgents }

/** Commands also get what the audit log says about the request. */
const commands = { ...accountRoutes, ...peckRoutes }

serve((request, path, query, about) => {
  const command = commands[path]
  return command ? command(request, about, query) : routes[path]?.(request)
})
