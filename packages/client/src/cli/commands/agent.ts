import { setTimeout as sleep } from 'node:timers/promises'
import type { Beak } from '../../beak'
import { BeakError } from '../../errors'
import type { Agent } from '../../generated/schemas'
import { command } from '../command'
import { numberOf, timeText } from '../duration'
import { Exit, exitCodes, usageFault } from '../exit'
import { readText, reserveSecrets } from '../files'
import { openBrowser } from '../open-browser'
import { limitOf, listOptions, readItems } from '../pages'
import type { Session } from '../session'
import { notValidForTest } from '../trust'

const save = {
  type: 'string',
  value: 'file',
  summary: 'Write BEAK_URL and BEAK_KEY to a new file that only you can read, instead of printing the key.',
} as const

export const agentRegister = command({
  name: 'agent register',
  summary: 'Register an agent and get its key.',
  details:
    'The key is shown once. After "beak login" you confirm the agent in your browser. With --bond the command waits for that, and the agent can be used immediately.',
  args: [{ name: 'name', summary: 'The name that people see, such as Scout.' }],
  options: {
    type: { type: 'string', value: 'type', summary: 'What it is. Default: assistant.' },
    can: {
      type: 'string',
      multiple: true,
      value: 'capability',
      summary: 'What it may do, such as request:peck. Repeat it. Default: request:peck and read:peck.',
    },
    bond: { type: 'boolean', summary: 'Bond the agent with its key.' },
    save,
  },
  async run({ options, args: [name = ''], session }) {
    const beak = await session.beak('registerAgent')
    const registered = await savingKey(options.save, beak, () =>
      beak.registerAgent({
        agent_name: name,
        agent_type: options.type ?? 'assistant',
        capabilities: options.can.length > 0 ? options.can : ['request:peck', 'read:peck'],
      }),
    )
    const { agent_id, beak_key, handshake_token } = registered
    const page = `${beak.url}/agents/manage/${agent_id}`
    if (registered.status === 'suspended') {
      session.output.note(`Confirm the agent in your browser: ${page}`)
      if (process.stdin.isTTY) await openBrowser(page, session.env)
    }
    const bonded = options.bond
      ? await bondWhenConfirmed(beak.with({ key: beak_key }), { agent_id, handshake_token }, session.signal)
      : null
    const status = bonded?.status ?? registered.status
    session.output.facts({ ...registered, status }, `Agent ${registered.agent_name} is ${status}`, {
      id: agent_id,
      capabilities: registered.capabilities.join(', '),
      key: options.save === undefined ? beak_key : `in ${options.save}`,
      'key until': timeText(registered.key_expires_at),
      handshake: bonded ? '' : handshake_token,
      confirm: registered.status === 'suspended' && !bonded ? page : '',
      next: bonded ? '' : `BEAK_KEY=<key> beak agent bond ${agent_id} -`,
    })
  },
})

/** Seconds between two tries to bond, and how long the handshake token of a new agent is valid. */
const bondSeconds = 3
const handshakeSeconds = 3600

/** Bonds an agent. One that this device only prepared bonds as soon as its owner has confirmed it. */
export async function bondWhenConfirmed(
  beak: Beak,
  body: { agent_id: string; handshake_token: string },
  signal: AbortSignal,
): Promise<Agent> {
  const end = performance.now() + handshakeSeconds * 1000
  while (true) {
    try {
      return await beak.bondAgent(body, { signal })
    } catch (error) {
      const isWaiting = error instanceof BeakError && error.problem.current_status === 'suspended'
      if (!isWaiting || performance.now() > end) throw error
    }
    await sleep(bondSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Makes a key, and saves it in a new file when one is named. */
async function savingKey<T extends { beak_key: string }>(
  path: string | undefined,
  beak: Beak,
  make: () => Promise<T>,
): Promise<T> {
  const file = path === undefined ? null : await reserveSecrets(path)
  try {
    const made = await make()
    await file?.fill({ BEAK_URL: beak.url, BEAK_KEY: made.beak_key })
    return made
  } catch (error) {
    await file?.discard()
    throw error
  }
}

export const agentBond = command({
  name: 'agent bond',
  summary: 'Bond an agent with its key (BEAK_KEY) and its handshake token.',
  args: [
    { name: 'agent-id', summary: 'The id of the agent: AGT-….' },
    { name: 'handshake', summary: 'The handshake token, or - to read it from standard input.' },
  ],
  async run({ args: [agent_id = '', handshake = ''], session }) {
    if (!session.env.BEAK_KEY)
      throw new Exit(exitCodes.notSignedIn, 'Bonding needs the key of the agent.', 'Set BEAK_KEY.')
    const handshake_token = handshake === '-' ? (await readText('-')).trim() : handshake
    const beak = await session.beak('bondAgent')
    const agent = await beak.bondAgent({ agent_id, handshake_token })
    session.output.facts(agent, `Agent ${agent.agent_name} is ${agent.status}`, { id: agent.agent_id })
  },
})

export const agentRotate = command({
  name: 'agent rotate',
  summary: 'Give an agent a new key, which ends the old key immediately.',
  details:
    'Needs a fresh sign-in: a session of "beak login" does not count as one, so it sends you to the page of the agent. Works with BEAK_TOKEN of a session that signed in within ten minutes.',
  args: [{ name: 'agent-id', summary: 'The id of the agent: AGT-….' }],
  options: {
    days: { type: 'string', value: 'number', summary: 'Lifetime of the key, 1 to 365. Default: 90.' },
    save,
  },
  async run({ options, args: [agent_id = ''], session }) {
    const beak = await session.beak('rotateKey')
    const rotate = () => beak.rotateKey({ agent_id, expires_in_days: numberOf('days', options.days) })
    const rotated = await savingKey(options.save, beak, rotate).catch((error: unknown) => {
      throw atPage(error, `${beak.url}/agents/manage/${agent_id}`)
    })
    session.output.facts(rotated, 'The agent has a new key', {
      id: rotated.agent_id,
      key: options.save === undefined ? rotated.beak_key : `in ${options.save}`,
      'key until': timeText(rotated.expires_at),
      handshake: rotated.handshake_token,
    })
  },
})

/** Returns the error with the page where a person can do the same after a fresh sign-in. */
export function atPage(error: unknown, page: string): unknown {
  if (!(error instanceof BeakError) || error.code !== 'E4009') return error
  return new Exit(exitCodes.refused, `${error.message} (${error.code})`, `Do it in your browser: ${page}`)
}

export const agentList = command({
  name: 'agent list',
  summary: 'List your agents.',
  options: { all: { type: 'boolean', summary: 'Also agents that were deregistered.' }, ...listOptions },
  async run({ options, session }) {
    const beak = await session.beak('listAgents')
    const include = options.all ? ('deregistered' as const) : undefined
    const agents = await readItems<Agent>(limitOf(options.limit), options.cursor, (query) =>
      beak.listAgents({ ...query, include }),
    )
    session.output.list(
      agents,
      {
        id: ({ agent_id }) => agent_id,
        name: ({ agent_name }) => agent_name,
        status: ({ status }) => status,
        'key until': ({ key }) => timeText(key.expires_at),
        'last seen': ({ last_seen_at }) => timeText(last_seen_at) || 'never',
      },
      'You have no agents. Register one with: beak agent register <name>',
    )
  },
})

export const agentVerify = command({
  name: 'agent verify',
  summary: 'Check an agent by its id, or a token that it gave you.',
  args: [
    {
      name: 'agent',
      summary: 'AGT-…, a token of POST /beak/agent/token, or - for a token on standard input.',
    },
  ],
  options: {
    audience: { type: 'string', value: 'name', summary: 'Your own name, which the token must be for.' },
  },
  async run({ options, args: [given = ''], session }) {
    if (given.startsWith('AGT-')) return verifyById(session, given)
    if (options.audience === undefined) throw usageFault('A token needs --audience, your own name.')
    const token = given === '-' ? (await readText('-')).trim() : given
    const { verifyAgentToken } = await import('@beak/proofs/agent-token')
    const verdict = await verifyAgentToken(token, {
      issuer: await session.url(),
      audience: options.audience,
      allowTest: session.allowTest,
    })
    if (!verdict.ok) {
      if (session.output.isJson) session.output.result(verdict, () => '')
      const code = verdict.fault.reason === 'keys_unavailable' ? exitCodes.unreachable : exitCodes.notValid
      throw new Exit(code, verdict.fault.message)
    }
    const { facts } = verdict
    session.output.facts(verdict, 'The token is valid', {
      agent: facts.agentId,
      operator: facts.operatorId,
      tier: facts.trustTier,
      capabilities: facts.capabilities.join(', '),
      'valid until': timeText(facts.expiresAt.toISOString()),
    })
  },
})

async function verifyById(session: Session, agent_id: string): Promise<void> {
  const beak = await session.anonymous()
  const agent = await beak.verifyAgent({ agent_id }).catch(notValidForTest)
  session.output.facts(agent, `Agent ${agent.agent_name} is ${agent.status}`, {
    id: agent.agent_id,
    type: agent.agent_type,
    operator: `${agent.operator.full_name ?? agent.operator.display_name} (${agent.operator.trust_tier})`,
    capabilities: agent.capabilities.join(', '),
    certificate: agent.operator.cert_id,
  })
  if (!agent.valid) throw new Exit(exitCodes.notValid, 'Do not trust this agent now.')
}
