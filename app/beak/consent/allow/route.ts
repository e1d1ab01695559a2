import { z } from 'zod'
import { agentName } from '@/lib/domain/agents/schema'
import { scopes } from '@/lib/domain/agents/scopes'
import { allowConsent } from '@/lib/domain/oauth/consent'
import { ConsentDecision, consentBody } from '@/lib/domain/oauth/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'allowConsent',
  summary: 'Connect a program as an agent of yours',
  description:
    'Gives the program an agent, or again the agent that it had, with the capabilities of `scopes`. It always may ask for permission. Needs a recent proof of you and a confirmed email address; a session of the device flow cannot do it. Then send the browser to `continue`.',
  remarks: [
    'Of simultaneous decisions one succeeds, and the others are 409. The earlier tokens of the program end. The agent is bonded when the program exchanges its code, which it can do only while your session lasts.',
  ],
  auth: 'session',
  limit: 'authenticated',
  tier: 'T1',
  body: consentBody.extend({ agent_name: agentName, scopes: z.array(z.enum(scopes)).max(scopes.length) }),
  response: ConsentDecision,
  failures: [
    'fresh_passkey_needed',
    'fresh_sign_in_needed',
    'too_many_agents',
    'consent_not_found',
    'consent_decided',
  ],
  attempt: 'agent.connected',
  handle: (context, { body }) => allowConsent(context, body, body.scopes, body.agent_name),
})
