/** Calls whose cost could depend on the number of rows of one account. Lists have 10 rows, of which both accounts have enough. */
import type { Client, HttpRequest } from '../drive/connection'
import { signedIn } from './beak'
import { bearer, type Member } from './world'

interface AccountCall {
  title: string
  request: (member: Member) => HttpRequest
}

const api = (path: string): AccountCall => ({
  title: path,
  request: (member) => ({ path: `/beak/${path}`, headers: bearer(member) }),
})
const page = (path: string): AccountCall => ({
  title: `page ${path}`,
  request: (member) => signedIn(path, member),
})

export const accountCalls: AccountCall[] = [
  api('profile'),
  api('session/list'),
  api('agent/list'),
  api('agent/activity'),
  api('cert/view'),
  api('cert/list'),
  api('contact/list'),
  api('invitation/list'),
  api('notifications'),
  api('channel/list'),
  api('rule/list'),
  api('rule/budgets'),
  api('peck/history?limit=10'),
  api('peck/history?limit=10&direction=received'),
  api('peck/history?limit=10&direction=sent'),
  api('peck/history?limit=10&status=pending'),
  api('peck/history?limit=10&status=rejected'),
  api('peck/history?limit=10&direction=received&grant_status=active'),
  api('peck/history?limit=10&direction=received&grant_status=expired'),
  api('peck/history?limit=10&direction=received&grant_status=revoked'),
  api('peck/askers'),
  api('peck/blocks'),
  api('peck/inbox?limit=10&sort=asker'),
  api('peck/inbox?limit=3&sort=risk'),
  api('profile/overview'),
  api('audit?limit=10'),
  api('audit?limit=10&action=peck.consumed'),
  api('audit?limit=10&action=duckling.registered'),
  api('audit?limit=10&outcome=denied'),
  api('audit/head'),
  api('webhook/list'),
  api('webhook/deliveries?limit=10'),
  api('webhook/deliveries?limit=10&status=failed'),
  api('webhook/deliveries?limit=10&status=pending'),
  api('account/delete/preview'),
  page('/home'),
  page('/pecks'),
  page('/pecks/history'),
  page('/pecks/sent'),
  page('/pecks/contacts'),
  page('/allowed'),
  page('/certificate'),
  page('/security'),
  page('/profile'),
  page('/audit'),
  page('/webhooks'),
]

/** Gives a member a certificate and an agent. */
export async function prepareAccount(client: Client, member: Member): Promise<void> {
  await client.post('/beak/cert/issue', {}, bearer(member))
  const agent = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:profile'] }
  await client.post('/beak/agent/register', agent, bearer(member))
}
