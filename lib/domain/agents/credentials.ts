import type { Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, passkeyOfOwner, preparesOnly, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { enqueueEnded } from '@/lib/domain/tlog/enqueue'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { DucklingContext, KeyContext } from '@/lib/kernel/request/context'
import { day, hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { mintToken, readToken } from '@/lib/kernel/secrets/secret-token'
import { mintBeakKey } from './beak-key'
import { makeAgent, notePasskey, type Registration } from './make'
import { lockAgent, lockAgentWithKey, readAgent, wrongState } from './read'
import { refuseKey } from './refusals'
import { type AgentInput, agentFacts } from './schema'

/** Spec section 4: "expires after 90 days by default". */
export const keyLifetimeDays = 90

interface MadeKey {
  keyId: string
  /** The key itself. Shown once, never stored. */
  beakKey: string
  expiresAt: Date
}

/**
 * Creates the live key of an agent that has none. Its tier scope is the operator's current tier. Who has the key is the agent, so an agent
 * whose key no passkey made is no longer made by one.
 */
export async function makeKey(
  tx: Tx,
  context: DucklingContext,
  agentId: string,
  lifetimeDays: number,
): Promise<MadeKey> {
  const { caller, now } = context
  const { keyId, beakKey, secretHash } = mintBeakKey(now)
  const expiresAt = secondsAfter(now, lifetimeDays * day)
  await notePasskey(tx, agentId, await passkeyOfOwner(tx, context))
  await tx.beakKey.create({
    data: {
      id: keyId,
      agentId,
      activeFor: agentId,
      secretHash,
      tierScope: caller.tier,
      createdAt: now,
      expiresAt,
      sessionId: caller.sessionId,
    },
  })
  return { keyId, beakKey, expiresAt }
}

/** Retires an agent's live key, ends its long polls and returns its id, or null when the agent has none. */
export async function retireKey(tx: Tx, agentId: string, now: Date): Promise<string | null> {
  const [retired] = await tx.beakKey.updateManyAndReturn({
    where: { activeFor: agentId },
    data: { activeFor: null, retiredAt: now },
    select: { id: true },
  })
  if (retired !== undefined) {
    enqueueEnded(tx, { key_id: retired.id })
    signal(tx, agentId)
  }
  return retired?.id ?? null
}

/**
 * Handshake tokens: the second secret that bonding needs. An agent has at most one, which is valid for an hour. It is spent by deleting
 * its row, so only one of several simultaneous tries succeeds.
 */

const lifetimeSeconds = hour

interface MintedHandshake {
  handshake_token: string
  handshake_expires_at: Date
}

/** Creates the handshake token of an agent and deletes the earlier one. The agent must be new or locked (`lockAgent`). */
async function makeHandshake(
  tx: Tx,
  { caller, now }: DucklingContext,
  agentId: string,
): Promise<MintedHandshake> {
  const { id, token, secretHash } = mintToken('handshake', now)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  await tx.handshake.deleteMany({ where: { agentId } })
  await tx.handshake.create({
    data: { id, agentId, secretHash, createdAt: now, expiresAt, sessionId: caller.sessionId },
  })
  return { handshake_token: token, handshake_expires_at: expiresAt }
}

/** Spends the handshake token of an agent. Returns false when the token is malformed, wrong, expired or spent. */
async function spendHandshake(tx: Tx, agentId: string, token: string, now: Date): Promise<boolean> {
  const parts = readToken(token)
  if (parts === null) return false
  const { count } = await tx.handshake.deleteMany({ where: { ...parts, agentId, expiresAt: { gt: now } } })
  return count === 1
}

export interface Registered extends MintedHandshake {
  agent_id: string
  agent_name: string
  agent_type: string
  capabilities: string[]
  status: 'registered' | 'suspended'
  beak_key: string
  key_id: string
  key_expires_at: Date
}

/**
 * Registers an agent of the caller. The plain key and handshake token are only in the answer. The key's tier scope is the caller's
 * current tier. A session of the device flow only prepares the agent: it is suspended, and bonds only after its owner has resumed it
 * (contract F, Sensitive changes). Throws `too_many_agents` and the failures of `requireProof`.
 */
export function registerAgent(
  context: DucklingContext<'too_many_agents' | ProofFailure>,
  input: Registration,
): Promise<Registered> {
  const { caller } = context
  return transaction(async (tx) => {
    const isPrepared = await preparesOnly(tx, context)
    await lockName(tx, `agents:${caller.id}`)
    const status = isPrepared ? 'suspended' : 'registered'
    const agent = await makeAgent(tx, context, { ...input, status })
    const { id } = agent
    const { keyId, beakKey, expiresAt } = await makeKey(tx, context, id, keyLifetimeDays)
    const handshake = await makeHandshake(tx, context, id)
    record(tx, context, 'agent.registered', {
      targets: [
        { type: 'agent', id },
        { type: 'key', id: keyId },
      ],
      metadata: {
        agent_name: agent.name,
        agent_type: agent.type,
        capabilities: agent.capabilities,
        asks_others: agent.asksOthers,
        ...(isPrepared ? { prepared: true } : {}),
      },
      data: agentFacts(agent),
    })
    announceChange(tx, context, isPrepared ? 'agent_prepared' : 'agent_registered', { id, name: agent.name })
    return {
      agent_id: id,
      agent_name: agent.name,
      agent_type: agent.type,
      capabilities: agent.capabilities,
      status,
      beak_key: beakKey,
      key_id: keyId,
      key_expires_at: expiresAt,
      ...handshake,
    }
  })
}

/**
 * Bonds an agent that shows its key and the handshake token from its operator. Throws `beak_key_invalid` when the key belongs to
 * another agent, `agent_not_found`, `agent_status_conflict` when the agent is not `registered`, or `handshake_token_invalid`.
 */
export function bondAgent(
  context: KeyContext<
    'beak_key_invalid' | 'agent_not_found' | 'agent_status_conflict' | 'handshake_token_invalid'
  >,
  agentId: string,
  handshakeToken: string,
): Promise<AgentInput> {
  const { caller, now } = context
  const key = { ...caller, ducklingId: caller.id }
  if (agentId !== caller.agentId) throw refuseKey(context, key, 'other_agent')
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, context, agentId)
    if (agent.status !== 'registered') throw wrongState(context, agent)
    // Checked again under the lock of the agent, because the key may have been rotated since it was authenticated.
    const live = await tx.beakKey.findFirst({ where: { id: caller.keyId, activeFor: agentId } })
    if (!live) throw refuseKey(context, key, 'revoked')
    if (!(await spendHandshake(tx, agentId, handshakeToken, now)))
      throw context.fail('handshake_token_invalid')
    const { count } = await tx.agent.updateMany({
      where: { id: agentId, status: 'registered' },
      data: { status: 'bonded', bondedAt: now, lastSeenAt: now },
    })
    if (count !== 1) throw wrongState(context, agent)
    record(tx, context, 'agent.bonded', {
      targets: [
        { type: 'agent', id: agentId },
        { type: 'key', id: caller.keyId },
      ],
      counts: { bonded_agents: 1 },
      data: agentFacts({ ...agent, status: 'bonded' }),
    })
    return readAgent(tx, agentId)
  })
}

/**
 * Creates a new handshake token for an agent that has not bonded, and deletes the old one. Throws `agent_not_found`, or
 * `agent_status_conflict` when the agent has bonded. Throws `ProofFailure` when another session registered the agent and the caller has no
 * recent proof.
 */
export function renewHandshake(
  context: DucklingContext<ProofFailure | 'agent_not_found' | 'agent_status_conflict' | 'agent_connected'>,
  agentId: string,
): Promise<MintedHandshake & { agent_id: string }> {
  return transaction(async (tx) => {
    const agent = await lockAgentWithKey(tx, context, agentId)
    const isOther = agent.sessionId !== context.caller.sessionId
    if (isOther) await requireProof(tx, context)
    if (agent.bondedAt !== null) throw wrongState(context, agent)
    const handshake = await makeHandshake(tx, context, agentId)
    record(tx, context, 'agent.handshake_made', { targets: [{ type: 'agent', id: agentId }] })
    if (isOther) announceChange(tx, context, 'handshake_made', agent)
    return { agent_id: agentId, ...handshake }
  })
}

export interface Rotated extends Partial<MintedHandshake> {
  agent_id: string
  key_id: string
  beak_key: string
  expires_at: Date
}

/**
 * Creates a new key for an agent and retires the old one in the same transaction. An agent that has not bonded also gets a new
 * handshake token, because somebody who has the old key may have the old token too. Throws `agent_not_found`, `agent_status_conflict`,
 * `agent_connected` for the agent of a connected program, or `ProofFailure`.
 */
export function rotateKey(
  context: DucklingContext<ProofFailure | 'agent_not_found' | 'agent_status_conflict' | 'agent_connected'>,
  agentId: string,
  lifetimeDays: number,
): Promise<Rotated> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const agent = await lockAgentWithKey(tx, context, agentId)
    const retiredKeyId = await retireKey(tx, agentId, now)
    const { keyId, beakKey, expiresAt } = await makeKey(tx, context, agentId, lifetimeDays)
    const handshake = agent.bondedAt === null ? await makeHandshake(tx, context, agentId) : {}
    record(tx, context, 'key.rotated', {
      targets: [
        { type: 'agent', id: agentId },
        { type: 'key', id: keyId },
      ],
      metadata: { retired_key_id: retiredKeyId },
      data: {
        agent_id: agentId,
        key_id: keyId,
        retired_key_id: retiredKeyId,
        expires_at: expiresAt,
      },
    })
    rememberChange(tx, context, 'key_rotated', agent.name, agentId)
    enqueueNotice(tx, now, caller.id, 'key_rotated', {
      agent: agent.name,
      at: now.toISOString(),
      session: caller.sessionId,
    })
    return { agent_id: agentId, key_id: keyId, beak_key: beakKey, expires_at: expiresAt, ...handshake }
  })
}
