/** The people, agents, certificates and tokens that the scenarios of one Beak server use. */
import type { Client } from '../drive/connection'

export interface Member {
  id: string
  email: string
  token: string
}

export interface AgentOwner extends Member {
  agentId: string
  beakKey: string
  certificateId: string
}

export interface World {
  people: AgentOwner[]
  /** People with at least 20 rows in each list. */
  rich: Member[]
}

export const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })

const agentsOfRich = 22
const sessionsOfRich = 22
const pecksOfRich = 24
/** The password of rich members, who sign in often and without codes. */
export const richPassword = 'a long passphrase of a duckling'

/** Registers an agent for a member, bonds it, and issues a certificate. */
async function withAgent(client: Client, member: Member): Promise<AgentOwner> {
  const headers = bearer(member)
  const agent = await client.post<{ agent_id: string; beak_key: string; handshake_token: string }>(
    '/beak/agent/register',
    {
      agent_name: 'Scout',
      agent_type: 'assistant',
      capabilities: ['read:profile', 'request:peck', 'read:peck'],
    },
    headers,
  )
  await client.post(
    '/beak/agent/bond',
    { agent_id: agent.agent_id, handshake_token: agent.handshake_token },
    { 'X-Beak-Key': agent.beak_key },
  )
  const certificate = await client.post<{ cert_id: string }>('/beak/cert/issue', {}, headers)
  return { ...member, agentId: agent.agent_id, beakKey: agent.beak_key, certificateId: certificate.cert_id }
}

/** Fills every list of a member: agents, sessions, received pecks, and with them the audit log. */
async function enrich(client: Client, member: Member, others: Member[]): Promise<void> {
  for (let index = 0; index < agentsOfRich; index++)
    await client.post(
      '/beak/agent/register',
      { agent_name: `Scout ${index}`, agent_type: 'assistant', capabilities: ['read:profile'] },
      bearer(member),
    )
  for (let index = 1; index < sessionsOfRich; index++)
    await client.post('/beak/signin', { email: member.email, password: richPassword })
  for (let index = 0; index < pecksOfRich; index++) {
    const asker = others[index % others.length]
    if (asker)
      await client.post(
        '/beak/peck/request',
        { target_duckling_id: member.id, action: `read:list${index}`, scope: 'limited' },
        bearer(asker),
      )
  }
}

/** Prepares a server over its API. `members` and `rich` have signed up and verified their addresses. */
export async function prepareWorld(client: Client, members: Member[], rich: Member[]): Promise<World> {
  const people: AgentOwner[] = []
  for (const member of members) people.push(await withAgent(client, member))
  for (const member of rich) await enrich(client, member, people)
  return { people, rich }
}
