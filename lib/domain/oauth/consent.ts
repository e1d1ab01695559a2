/** The decision of a person about a program that wants to connect. */
import { randomBytes } from 'node:crypto'
import type { InteractionResults } from 'oidc-provider'
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { makeKey, retireKey } from '@/lib/domain/agents/credentials'
import { makeAgent } from '@/lib/domain/agents/make'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { readScopes, rightsOf, type Scope } from '@/lib/domain/agents/scopes'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireOwnProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { isBrowserOf } from './browser'
import { connectionDays, documentHostOf, keepClient } from './connection'
import { grantHashOf, recordHash } from './hashes'
import type { Consent, ConsentDecision, consentBody } from './schema'

type ConsentFailure = 'consent_not_found' | 'consent_decided' | ProofFailure

/** What the library keeps of a request of a program, as far as this reads it. */
interface Asked {
  id: string
  clientId: string
  clientName: string
  redirectUri: URL
  resources: string[]
  scopes: Scope[]
  /** Whether the program wants an ID token. */
  isOpenId: boolean
}

type ConsentRequest = z.infer<typeof consentBody>

/** Loaded with the first use: the library is large. */
const loadServer = async () => (await import('./provider')).authorizationServer()

/** Reads what a program asks. Throws `consent_not_found` for an unknown request, and for one of another browser. */
async function readAsked(
  context: DucklingContext<'consent_not_found'>,
  { request, browser }: ConsentRequest,
): Promise<Asked> {
  if (!isBrowserOf(request, browser)) throw context.fail('consent_not_found')
  const server = await loadServer()
  const interaction = await server.Interaction.find(request)
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = interaction?.params ?? {}
  const client = typeof clientId === 'string' ? await server.Client.find(clientId) : undefined
  if (client === undefined || typeof redirectUri !== 'string') throw context.fail('consent_not_found')
  return {
    id: request,
    clientId: client.clientId,
    clientName: client.clientName ?? documentHostOf(client.clientId) ?? client.clientId,
    redirectUri: new URL(redirectUri),
    resources: [resource].flat().map(String),
    scopes: readScopes(String(scope ?? '')),
    isOpenId: String(scope ?? '')
      .split(' ')
      .includes('openid'),
  }
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns the host that gets the code, as the person reads it. A program on this computer has no host. */
function returnHostOf({ hostname, host, protocol }: URL): string {
  if (protocol !== 'https:' && protocol !== 'http:') return protocol
  return loopbackHosts.has(hostname) ? 'localhost' : host
}

interface ConnectedAgent {
  id: string
  name: string
  status: (typeof liveStatuses)[number]
}

/** Returns the live agent that a program has already, or null. */
async function findConnected(tx: Tx, ducklingId: string, clientId: string): Promise<ConnectedAgent | null> {
  const connection = await tx.connection.findUnique({
    where: { ducklingId_clientId: { ducklingId, clientId } },
    select: { agent: { select: { id: true, name: true, status: true } } },
  })
  const agent = connection?.agent
  return agent !== undefined && liveStatuses.includes(agent.status) ? agent : null
}

/** Returns what a program asks. Throws `consent_not_found`. */
export async function viewConsent(
  context: DucklingContext<'consent_not_found'>,
  request: ConsentRequest,
): Promise<z.input<typeof Consent>> {
  const asked = await readAsked(context, request)
  const { id } = context.caller
  const connected = await findConnected(db(), id, asked.clientId)
  return {
    client_name: asked.clientName,
    document_host: documentHostOf(asked.clientId),
    return_host: returnHostOf(asked.redirectUri),
    scopes: asked.scopes,
    connected:
      connected === null
        ? null
        : { agent_id: connected.id, agent_name: connected.name, status: connected.status },
    agents: await db().agent.count({ where: { ducklingId: id, status: { in: liveStatuses } } }),
  }
}

/** Marks a request as decided. Of simultaneous decisions one succeeds, and the others throw `consent_decided`. */
async function spend(tx: Tx, context: DucklingContext<'consent_decided'>, id: string): Promise<void> {
  const spent = await tx.run`
    UPDATE "OAuthRecord" SET "consumedAt" = ${context.now}::timestamptz
    WHERE "hash" = ${recordHash('Interaction', id)} AND "consumedAt" IS NULL`
  if (spent === 0) throw context.fail('consent_decided')
}

/** Tells the authorization server the decision. Returns where the browser goes now. */
async function answerServer(id: string, result: InteractionResults): Promise<string> {
  const { Interaction } = await loadServer()
  const interaction = await Interaction.find(id)
  if (interaction === undefined) throw new Error('the request of the program expired during the decision')
  interaction.result = result
  await interaction.persist()
  return interaction.returnTo
}

/**
 * Allows a program what was ticked: gives it an agent, or again the agent that it had, which then has these capabilities. Its earlier tokens end.
 * Throws `too_many_agents`, `consent_not_found`, `consent_decided` or `ProofFailure`; a session of the device flow never has the proof.
 */
export async function allowConsent(
  context: DucklingContext<ConsentFailure | 'too_many_agents'>,
  request: ConsentRequest,
  allowed: readonly Scope[],
  agentName: string,
): Promise<z.input<typeof ConsentDecision>> {
  const { caller } = context
  const asked = await readAsked(context, request)
  const granted = readScopes(allowed.filter((scope) => asked.scopes.includes(scope)).join(' '))
  const server = await loadServer()
  const grant = new server.Grant({ accountId: caller.id, clientId: asked.clientId })
  grant.jti = randomBytes(32).toString('base64url')
  if (asked.isOpenId) grant.addOIDCScope('openid')
  const refused = asked.scopes.filter((scope) => !granted.includes(scope)).join(' ')
  for (const resource of asked.resources) {
    grant.addResourceScope(resource, granted.join(' '))
    grant.rejectResourceScope(resource, refused)
  }
  const agentId = await transaction(async (tx) => {
    await requireOwnProof(tx, context)
    await lockName(tx, `agents:${caller.id}`)
    await spend(tx, context, asked.id)
    return connect(tx, context, asked, granted, agentName, grantHashOf(grant.jti))
  })
  const grantId = await grant.save()
  await keepClient(asked.clientId, context.now)
  const next = await answerServer(asked.id, {
    login: {
      accountId: caller.id,
      ts: Math.floor(caller.authTime.getTime() / 1000),
      amr: caller.amr,
      remember: false,
    },
    consent: { grantId },
  })
  return { decision: 'allowed', agent_id: agentId, continue: next }
}

/** Connects the agent of a program to a grant, and makes the agent when the program has none. Returns its id. */
async function connect(
  tx: Tx,
  context: DucklingContext<'too_many_agents'>,
  { clientId, clientName, redirectUri }: Asked,
  granted: Scope[],
  name: string,
  grantHash: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { caller, now } = context
  const known = await findConnected(tx, caller.id, clientId)
  await tx.run`
    DELETE FROM "OAuthRecord" WHERE "grantHash" IN (
      SELECT "grantHash" FROM "Connection" WHERE "ducklingId" = ${caller.id} AND "clientId" = ${clientId})`
  const rights = rightsOf(granted)
  if (known === null) await tx.connection.deleteMany({ where: { ducklingId: caller.id, clientId } })
  else {
    await retireKey(tx, known.id, now)
    await tx.agent.update({ where: { id: known.id }, data: { name, ...rights } })
  }
  const { id: agentId } =
    known ??
    (await makeAgent(tx, context, {
      name,
      type: 'mcp-client',
      ...rights,
      allowQueryKey: false,
      status: 'registered',
    }))
  const key = await makeKey(tx, context, agentId, connectionDays)
  const connection = {
    clientName,
    returnHost: returnHostOf(redirectUri),
    grantHash,
    sessionId: caller.sessionId,
    createdAt: now,
  }
  await tx.connection.upsert({
    where: { agentId },
    create: { agentId, ducklingId: caller.id, clientId, ...connection },
    update: connection,
  })
  record(tx, context, 'agent.connected', {
    targets: [
      { type: 'agent', id: agentId },
      { type: 'key', id: key.keyId },
    ],
    metadata: {
      agent_name: name,
      client_name: clientName,
      document_host: documentHostOf(clientId),
      return_host: connection.returnHost,
      capabilities: rights.capabilities,
      asks_others: rights.asksOthers,
    },
  })
  announceChange(tx, context, 'agent_registered', name)
  return agentId
}

/** Refuses a program. Throws `consent_not_found` or `consent_decided`. */
export async function denyConsent(
  context: DucklingContext<'consent_not_found' | 'consent_decided'>,
  request: ConsentRequest,
): Promise<z.input<typeof ConsentDecision>> {
  const asked = await readAsked(context, request)
  await transaction(async (tx) => {
    await spend(tx, context, asked.id)
    record(tx, context, 'agent.connection_refused', {
      metadata: { client_name: asked.clientName, return_host: returnHostOf(asked.redirectUri) },
    })
  })
  return {
    decision: 'denied',
    agent_id: null,
    continue: await answerServer(asked.id, {
      error: 'access_denied',
      error_description: 'The person refused.',
    }),
  }
}
