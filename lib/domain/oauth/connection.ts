/**
 * Connections: agents of programs that came by OAuth. The key of the agent is the connection, so what ends an agent or its key ends
 * its tokens too: an access token acts only while the agent has the key, and so does a refresh token.
 */

import { parseUrl } from '@beak/decision/parse-url'
import type { z } from 'zod'
import { batched } from '@/lib/db/batch'
import { db, type Tx } from '@/lib/db/client'
import { joinRow } from '@/lib/db/sql'
import { lockName, transaction } from '@/lib/db/transaction'
import { admitKey, type KeyAuthenticated, type KeyRow, keyColumns } from '@/lib/domain/agents/beak-key'
import { retireKey } from '@/lib/domain/agents/credentials'
import { lockAgent } from '@/lib/domain/agents/read'
import { agentFacts } from '@/lib/domain/agents/schema'
import { type Scope, scopesOf } from '@/lib/domain/agents/scopes'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import type { ProofFailure } from '@/lib/domain/sessions/proof'
import { revoke } from '@/lib/domain/sessions/revoke'
import type { RevokedThing } from '@/lib/domain/sessions/schema'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import {
  type Context,
  type DucklingContext,
  type Fails,
  type KeyContext,
  systemContext,
} from '@/lib/kernel/request/context'
import { type ResourceName, resourceUrl } from '@/lib/kernel/request/oauth-paths'
import type { Origin } from '@/lib/kernel/request/origin'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { recordHash } from './hashes'
import { spendSignIn } from './site-sign-ins'

/** A connection lasts 90 days. Then the person allows it again. */
export const connectionDays = 90
export const connectionSeconds = connectionDays * day

/** A program that nobody allows is forgotten after a day. */
export const programSeconds = day

/** What an access token looks like: 256 random bits. */
const accessTokenForm = /^[\w-]{43}$/

interface AccessRow extends KeyRow {
  hash: Uint8Array
  /** The resource that the token opens. */
  audience: string
}

const hexOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex')

const findAccess = batched<AccessRow>(
  ({ hash }) => hexOf(hash),
  (hashes) => db().rows`
    SELECT o."hash", o."payload"->>'aud' AS "audience", ${keyColumns}
    FROM "OAuthRecord" o ${joinRow('Connection', 'c', 'o."grantHash"', 'grantHash')}
    ${joinRow('BeakKey', 'k', 'c."agentId"', 'activeFor')}
    ${joinRow('Agent', 'a', 'k."agentId"')} ${joinRow('Duckling', 'd', 'a."ducklingId"')}
    WHERE o."hash" = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[]) AND o."kind" = 'AccessToken'
      AND o."expiresAt" > ${readClock()}::timestamptz`,
)

/** Whether a bearer token has the form of an access token. A session token has dots, and a beak key begins with its name. */
export function isAccessToken(token: string): boolean {
  return accessTokenForm.test(token)
}

/** Returns the caller of an access token for a resource. Throws `beak_key_invalid`, the same for every cause, and `account_suspended`. */
export async function authenticateAccess(
  token: string,
  resource: ResourceName,
  context: Origin & Fails<'beak_key_invalid' | 'account_suspended'>,
): Promise<KeyAuthenticated> {
  const row = await findAccess(hexOf(recordHash('AccessToken', token)))
  const isLive = row !== null && row.deletedAt === null && row.expiresAt > context.now
  if (!isLive || row.audience !== resourceUrl(resource)) throw context.fail('beak_key_invalid')
  return admitKey(row, context)
}

interface OpeningRow {
  agentId: string
  ducklingId: string
  keyId: string
  tierScope: KeyRow['tierScope']
}

/**
 * Spends an authorization code. That of a site signs its person in. The first code of a program bonds its agent: showing the code and the secret
 * behind it, over two ways, is the ceremony of bonding. Returns false when the code was used, or when the session that allowed it has ended since.
 */
export function openConnection(codeHash: Uint8Array, now: Date): Promise<boolean> {
  return transaction(async (tx) => {
    const [code] = await tx.rows<{ grantHash: Uint8Array }>`
      UPDATE "OAuthRecord" SET "consumedAt" = ${now}::timestamptz
      WHERE "hash" = ${codeHash} AND "consumedAt" IS NULL AND "expiresAt" > ${now}::timestamptz RETURNING "grantHash"`
    if (code === undefined) return false
    const connection = await findOpening(tx, code.grantHash, now)
    if (connection === null) return spendSignIn(tx, code.grantHash, now)
    const { agentId, ducklingId, keyId, tierScope: tier } = connection
    const caller = { type: 'key', id: ducklingId, agentId, keyId, tier, isBonded: false } as const
    const context: KeyContext<'agent_not_found'> = { ...systemContext(now), caller }
    const agent = await lockAgent(tx, context, agentId)
    if (agent.status !== 'registered') return agent.status !== 'deregistered'
    await tx.agent.update({
      where: { id: agentId },
      data: { status: 'bonded', bondedAt: now, lastSeenAt: now },
    })
    record(tx, context, 'agent.bonded', {
      targets: [
        { type: 'agent', id: agentId },
        { type: 'key', id: keyId },
      ],
      counts: { bonded_agents: 1 },
      data: agentFacts({ ...agent, status: 'bonded' }),
    })
    return true
  })
}

/** Finds the connection of a grant while its key lives and the session that allowed it, or null. */
async function findOpening(tx: Tx, grantHash: Uint8Array, now: Date): Promise<OpeningRow | null> {
  const [row] = await tx.rows<OpeningRow>`
    SELECT c."agentId", c."ducklingId", k."id" AS "keyId", k."tierScope"
    FROM "Connection" c ${joinRow('BeakKey', 'k', 'c."agentId"', 'activeFor')} ${joinRow('Session', 's', 'c."sessionId"')}
    ${joinRow('Duckling', 'd', 'c."ducklingId"')}
    WHERE c."grantHash" = ${grantHash} AND s."revokedAt" IS NULL AND s."expiresAt" > ${now}::timestamptz
      AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL`
  return row ?? null
}

/** Returns the host of the document that describes a program, or null for a program that registered. */
export function documentHostOf(clientId: string): string | null {
  return clientId.startsWith('https://') ? (parseUrl(clientId)?.host ?? null) : null
}

/** Keeps what is stored of a program: for good when it registered, and the copy of a document for as long as the connection. */
export async function keepClient(clientId: string, now: Date): Promise<void> {
  const expiresAt = documentHostOf(clientId) === null ? null : secondsAfter(now, connectionSeconds)
  await db().run`
    UPDATE "OAuthRecord" SET "expiresAt" = ${expiresAt}::timestamptz WHERE "hash" = ${recordHash('Client', clientId)}`
}

/** Whether anybody has allowed a program. Until then, what is stored of it expires within a day. */
export async function isAllowedClient(clientId: string): Promise<boolean> {
  const [row] = await db().rows`
    SELECT 1 FROM "OAuthRecord" WHERE "hash" = ${recordHash('Client', clientId)}
      AND ("expiresAt" IS NULL OR "expiresAt" > ${secondsAfter(readClock(), programSeconds)}::timestamptz)`
  return row !== undefined
}

/** Returns the scopes of the agent of a grant while its connection has its key, so that its tokens may be refreshed. Else null. */
export async function findConnectedScopes(grantHash: Uint8Array): Promise<Scope[] | null> {
  const [row] = await db().rows<{ capabilities: string[]; asksOthers: boolean }>`
    SELECT a."capabilities", a."asksOthers"
    FROM "Connection" c ${joinRow('BeakKey', 'k', 'c."agentId"', 'activeFor')} ${joinRow('Agent', 'a', 'c."agentId"')}
    ${joinRow('Duckling', 'd', 'c."ducklingId"')}
    WHERE c."grantHash" = ${grantHash} AND k."expiresAt" > ${readClock()}::timestamptz AND d."deletedAt" IS NULL`
  return row === undefined ? null : scopesOf(row)
}

/** Why the service itself ends a connection: its program gave the tokens back, or one was used twice, which a thief may have done. */
export type EndReason = 'given_back' | 'token_reused'

interface Ending {
  agentId: string
  ducklingId: string
  /** Null when the owner ends it. */
  reason: EndReason | null
}

/** Ends the connection of an agent, which stays and works again when its owner allows the program again. Returns false when it had ended. */
async function disconnect(
  tx: Tx,
  context: Context,
  { agentId, ducklingId, reason }: Ending,
): Promise<boolean> {
  const keyId = await retireKey(tx, agentId, context.now)
  if (keyId === null) return false
  record(tx, context, 'agent.disconnected', {
    concerning: [ducklingId],
    targets: [
      { type: 'agent', id: agentId },
      { type: 'key', id: keyId },
    ],
    ...(reason === null ? {} : { actor: systemActor, metadata: { reason } }),
  })
  return true
}

/** Ends the connection of a grant. Tells the owner by mail when a token was used twice. */
export function endConnection(grantHash: Uint8Array, reason: EndReason, now: Date): Promise<void> {
  return transaction(async (tx) => {
    const [connection] = await tx.rows<{ agentId: string; ducklingId: string; name: string }>`
      SELECT c."agentId", c."ducklingId", a."name" FROM "Connection" c ${joinRow('Agent', 'a', 'c."agentId"')}
      WHERE c."grantHash" = ${grantHash} FOR UPDATE OF c`
    if (connection === undefined) return
    const { agentId, ducklingId, name } = connection
    const hasEnded = await disconnect(tx, systemContext(now), { agentId, ducklingId, reason })
    if (hasEnded && reason === 'token_reused')
      enqueueNotice(tx, now, ducklingId, 'connection_ended', {
        agent: name,
        agent_id: agentId,
        at: now.toISOString(),
      })
  })
}

/** Ends what `revoke` ends and, with `connected_agents`, the connections of all agents of the caller in the same transaction. */
export function revokeAll(
  context: DucklingContext<'session_not_found' | ProofFailure>,
  { connected_agents: withAgents, ...thing }: z.output<typeof RevokedThing>,
) {
  return revoke(context, thing, withAgents ? (tx) => endConnections(tx, context) : undefined)
}

/** Ends the connections of all agents of the caller. Returns the ids of these agents. */
async function endConnections(tx: Tx, context: DucklingContext): Promise<string[]> {
  const { id: ducklingId } = context.caller
  // A program that is being allowed is among them, or comes after.
  await lockName(tx, `agents:${ducklingId}`)
  const connections = await tx.rows<{ agentId: string }>`
    SELECT "agentId" FROM "Connection" WHERE "ducklingId" = ${ducklingId} ORDER BY "agentId" FOR UPDATE`
  const ended: string[] = []
  for (const { agentId } of connections)
    if (await disconnect(tx, context, { agentId, ducklingId, reason: null })) ended.push(agentId)
  if (ended.length > 0) announceChange(tx, context, 'connections_ended')
  return ended
}
