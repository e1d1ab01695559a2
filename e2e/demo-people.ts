/** A server with the demo world: people at every tier, certificates, agents and pecks in every state. */
import { execFileSync } from 'node:child_process'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { codeAfter, outboxCookieOf } from './outbox'
import { newDataDir, type RunningServer, type StartOptions, send, serviceEnv, startServer } from './server'

export interface DemoWorld {
  /** Session tokens by name. */
  tokens: Record<string, string>
  /** The cookie of a browser that may open the outbox. */
  outboxCookie: string
  /** The ids in the addresses of pages, by the names that the visits use. */
  ids: Record<string, string>
}

interface WorldOptions extends StartOptions {
  /** The path of the base address, such as `/prod`. */
  path?: string
}

async function startSeeded({ path = '', ...options }: WorldOptions): Promise<RunningServer> {
  const [port, dataDir] = [await freePort(), newDataDir()]
  const url = `http://localhost:${port}${path}`
  const env = { ...options.env, ...(path === '' ? {} : { BASE_URL: url }) }
  execFileSync(process.execPath, ['scripts/run.mjs', 'operator.ts', 'seed'], {
    env: serviceEnv({ ...env, DATA_DIR: dataDir, PORT: String(port) }),
  })
  return { ...(await startServer({ ...options, env, port, dataDir })), url }
}

async function signIn(server: RunningServer, name: string): Promise<string> {
  const email = `${name}@pond.example`
  const otp = await codeAfter(server, email, () => send(server, 'POST /beak/signin/otp', { body: { email } }))
  return (await send(server, 'POST /beak/signin', { body: { email, otp } })).body.token
}

async function findIds(server: RunningServer, tokens: Record<string, string>) {
  const get = async (path: string, name = 'mallard') =>
    (await send(server, `GET /beak/${path}`, { token: tokens[name] ?? '' })).body
  const pecks: { status: string; peck_id: string }[] = (await get('peck/history?limit=100')).items
  const peckWith = (wanted: string) => pecks.find(({ status }) => status === wanted)?.peck_id ?? ''
  const share = async () => {
    const body = { peck_id: peckWith('rejected'), values: true }
    const answer = await send(server, 'POST /beak/peck/share', { token: tokens.mallard ?? '', body })
    return answer.body.share_id
  }
  const { duckling_id: mallard } = await get('profile')
  const rules: { rule_id: string; status: string; rule: { mode: string } }[] = (
    await get('rule/list', 'eider')
  ).items
  const ruleWith = (isWanted: (rule: (typeof rules)[number]) => boolean) =>
    rules.find(isWanted)?.rule_id ?? ''
  const waiting: { peck_id: string; action: string }[] = (await get('peck/inbox', 'eider')).items
  const askers: { asker: string; duckling_id: string }[] = (await get('peck/askers')).items
  return {
    asker: askers.find(({ duckling_id }) => duckling_id !== mallard)?.asker ?? '',
    rule: ruleWith(({ status, rule }) => status === 'on' && rule.mode === 'on'),
    paused: ruleWith(({ status }) => status === 'paused'),
    watching: ruleWith(({ rule }) => rule.mode === 'watch'),
    // The newest one for which nothing was left.
    spent:
      waiting
        .filter(({ action }) => action === 'pay:invoice')
        .map(({ peck_id }) => peck_id)
        .sort()
        .at(-1) ?? '',
    steward: (await get('agent/list', 'eider')).items[0].agent_id,
    cert: (await get('cert/view')).cert_id,
    revoked: (await get('cert/view', 'pintail')).cert_id,
    agent: (await get('agent/list')).items[0].agent_id,
    invitation: (await get('invitation/list')).items[0].url.split('/').at(-1),
    webhook: (await get('webhook/list')).items[0].webhook_id,
    pending: peckWith('pending'),
    approved: peckWith('approved'),
    rejected: peckWith('rejected'),
    shared: await share(),
  }
}

/** Starts a server with the demo world, and signs its people in. `options`: what to start instead of our own server. */
export async function startDemoWorld(
  options: WorldOptions = {},
): Promise<DemoWorld & { server: RunningServer }> {
  const server = await startSeeded(options)
  const outboxCookie = await outboxCookieOf(server)
  const tokens: Record<string, string> = {}
  for (const name of ['mallard', 'eider', 'pintail', 'newcomer', 'gadwall'])
    tokens[name] = await signIn(server, name)
  return { server, tokens, outboxCookie, ids: await findIds(server, tokens) }
}
