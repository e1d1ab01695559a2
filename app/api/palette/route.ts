import { api } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/same-origin-route'

/** Returns what the command palette leads to besides pages: the viewer's newest agents and waiting requests. */
export const GET = sameOriginRoute(async () => {
  const [agents, inbox] = await Promise.all([
    api('GET /beak/agent/list', { query: { limit: '100' } }),
    api('GET /beak/peck/inbox', { query: { limit: '1000' } }),
  ])
  if (!agents.ok) return Response.json(agents.problem, { status: agents.problem.status })
  if (!inbox.ok) return Response.json(inbox.problem, { status: inbox.problem.status })
  return Response.json({
    agents: agents.data.items.map(({ agent_id: id, agent_name: name, status }) => ({ id, name, status })),
    requests: inbox.data.items.map(({ peck_id: id, action, requester, value }) => ({
      id,
      action,
      asker: requester.agent_name ?? requester.display_name,
      value: value?.text.slice(0, 80) ?? null,
    })),
  })
})
