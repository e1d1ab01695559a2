import type { PaletteData } from '@/app/_shell/palette/entry'
import { api } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/download'
import { rowOf } from '@/app/(account)/pecks/_inbox/make-row'
import { chosenZone } from '@/components/ui/zone'
import { inSlices } from '@/lib/kernel/runtime/slices'

/** A page may have 1,000 rows. */
const rowWeight = () => 200

/** Returns what the command palette knows besides pages: the viewer's newest agents and waiting requests. */
export const GET = sameOriginRoute(async () => {
  const [overview, agents, inbox] = await Promise.all([
    api('GET /beak/profile/overview'),
    api('GET /beak/agent/list', { query: { limit: '100' } }),
    api('GET /beak/peck/inbox', { query: { limit: '1000' } }),
  ])
  if (!overview.ok) return Response.json(overview.problem, { status: overview.problem.status })
  if (!agents.ok) return Response.json(agents.problem, { status: agents.problem.status })
  if (!inbox.ok) return Response.json(inbox.problem, { status: inbox.problem.status })
  const { duckling_id, require_passkey_for_pecks, builder } = overview.data.profile
  const { rules } = overview.data
  const zone = await chosenZone()
  return Response.json({
    isPasskeyRequired: require_passkey_for_pecks,
    isBuilder: builder,
    isPaused: rules.paused_at !== null,
    agents: agents.data.items.map(({ agent_id: id, agent_name: name, status }) => ({ id, name, status })),
    requests: await inSlices(inbox.data.items, rowWeight, (item) => rowOf(item, duckling_id, zone)),
  } satisfies PaletteData)
})
