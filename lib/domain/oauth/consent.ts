/** The decision of a person about a program that wants to connect. */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { makeKey, retireKey } from '@/lib/domain/agents/credentials'
import { hasRoomForAgent, liveAgentsMax, makeAgent } from '@/lib/domain/agents/make'
import { agentName, liveStatuses } from '@/lib/domain/agents/schema'
import { readScopes, rightsOf, type Scope, scopesOf } from '@/lib/domain/agents/scopes'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireOwnProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { labelMax } from '@/lib/kernel/request/fields'
import { narrowedResources } from '@/lib/kernel/request/oauth-paths'
import { connectionDays, documentHostOf, keepClient } from './connection'
import { grantHashOf } from './hashes'
import { answerServer, type ConsentRequest, loadServer, readInteraction, spend } from './interaction'
import type { Consent, ConsentDecision } from './schema'
import { isSiteId } from './site-client'
import { viewSite } from './site-consents'
import { isLoopbackHost } from './site-schema'

type ConsentFailure = 'consent_not_found' | 'consent_decided' | ProofFailure

/** What the library keeps of a request of a program, as far as this reads it. */
interface Asked {
  id: string
  clientId: string
  clientName: string
  redirectUri: URL
  resources: string[]
  /** All scopes as the program wrote them. */
  names: string
  scopes: Scope[]
}

/** Reads what a program asks. Throws `consent_not_found` for an unknown request, for one of another browser, and for one of a site. */
async function readAsked(
  context: DucklingContext<'consent_not_found'>,
  request: ConsentRequest,
): Promise<Asked> {
  const { client, interaction } = await readInteraction(context, request)
  const { redirect_uri: redirectUri, scope, resource } = interaction.params
  if (isSiteId(client.clientId) || typeof redirectUri !== 'string') throw context.fail('consent_not_found')
  return {
    id: request.request,
    clientId: client.clientId,
    clientName: client.clientName ?? documentHostOf(client.clientId) ?? client.clientId,
    redirectUri: new URL(redirectUri),
    resources: [resource].flat().map(String),
    names: String(scope ?? ''),
    scopes: readScopes(String(scope ?? '')),
  }
}

/** Returns the host that gets the code, as the person reads it. A program on this computer has no host. */
function returnHostOf({ hostname, host, protocol }: URL): string {
  if (protocol !== 'https:' && protocol !== 'http:') return protocol
  return isLoopbackHost(hostname) ? 'localhost' : host
}

interface ConnectedAgent {
  id: string
  name: string
  status: (typeof liveStatuses)[number]
  scopes: Scope[]
}

/**
 * Returns the live agent that a program has already, or null. A program with a document has the same id on all devices, so only the name tells its
 * agents apart. Without a name: the newest.
 */
async function findConnected(
  tx: Tx,
  ducklingId: string,
  clientId: string,
  name?: string,
): Promise<ConnectedAgent | null> {
  const isOfName = name === undefined || documentHostOf(clientId) === null ? {} : { name }
  const connection = await tx.connection.findFirst({
    where: { ducklingId, clientId, agent: { status: { in: liveStatuses }, ...isOfName } },
    orderBy: { createdAt: 'desc' },
    select: {
      agent: { select: { id: true, name: true, status: true, capabilities: true, asksOthers: true } },
    },
  })
  if (connection === null) return null
  const { id, status, ...agent } = connection.agent
  return { id, name: agent.name, status, scopes: scopesOf(agent) }
}

/** Returns a name for the agent of a program, or null. Some programs add the name of the server, which an agent must not have. */
function nameFor(clientName: string): string | null {
  const name = clientName.replace(/\s*\([^()]*\)\s*$/, '').slice(0, labelMax)
  return agentName.safeParse(name).data ?? null
}

/** Returns what a program asks. Throws `consent_not_found`. */
export async function viewConsent(
  context: DucklingContext<'consent_not_found'>,
  request: ConsentRequest,
): Promise<z.input<typeof Consent>> {
  const { client } = await readInteraction(context, request)
  if (isSiteId(client.clientId)) {
    const site = await viewSite(context, request)
    return {
      client_name: site.name,
      document_host: null,
      return_host: site.host,
      scopes: [],
      connected: null,
      agent_name: null,
      agents_max: null,
      site,
    }
  }
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
        : {
            agent_id: connected.id,
            agent_name: connected.name,
            status: connected.status,
            scopes: connected.scopes,
          },
    agent_name: connected?.name ?? nameFor(asked.clientName),
    agents_max: connected !== null || (await hasRoomForAgent(db(), id)) ? null : liveAgentsMax,
    site: null,
  }
}

/**
 * Allows a program what was ticked: gives it an agent, or again the agent that it had (with a document: under this name), which may then do
 * this. Its earlier tokens end.
 * Throws `too_many_agents`, `consent_not_found`, `consent_decided` or `ProofFailure`; a session of the device flow never has the proof.
 */
export async function allowConsent(
  context: DucklingContext<ConsentFailure | 'too_many_agents'>,
  request: ConsentRequest,
  allowed: readonly Scope[],
  name: string,
): Promise<z.input<typeof ConsentDecision>> {
  const { caller } = context
  const asked = await readAsked(context, request)
  const granted = readScopes(allowed.filter((scope) => asked.scopes.includes(scope)).join(' '))
  const server = await loadServer()
  const grant = new server.Grant({ accountId: caller.id, clientId: asked.clientId })
  grant.jti = randomBytes(32).toString('base64url')
  // A program learns who somebody is only from what is ticked, so it gets no ID token.
  grant.rejectOIDCScope(asked.names)
  const refused = asked.scopes.filter((scope) => !granted.includes(scope)).join(' ')
  for (const resource of narrowedResources(asked.resources)) {
    grant.addResourceScope(resource, granted.join(' '))
    grant.rejectResourceScope(resource, refused)
  }
  const agentId = await transaction(async (tx) => {
    await requireOwnProof(tx, context)
    await lockName(tx, `agents:${caller.id}`)
    await spend(tx, context, asked.id)
    return connect(tx, context, asked, granted, name, grantHashOf(grant.jti))
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
  const known = await findConnected(tx, caller.id, clientId, name)
  const rights = rightsOf(granted)
  if (known !== null) {
    await tx.run`
      DELETE FROM "OAuthRecord" WHERE "grantHash" IN (SELECT "grantHash" FROM "Connection" WHERE "agentId" = ${known.id})`
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
  announceChange(tx, context, 'agent_registered', { id: agentId, name })
  return agentId
}

/** Refuses a program or a site. Throws `consent_not_found` or `consent_decided`. */
export async function denyConsent(
  context: DucklingContext<'consent_not_found' | 'consent_decided'>,
  request: ConsentRequest,
): Promise<z.input<typeof ConsentDecision>> {
  const { client_name, return_host, site } = await viewConsent(context, request)
  await transaction(async (tx) => {
    await spend(tx, context, request.request)
    if (site === null)
      record(tx, context, 'agent.connection_refused', { metadata: { client_name, return_host } })
    else record(tx, context, 'site.refused', { metadata: { site_name: site.name, host: site.host } })
  })
  return {
    decision: 'denied',
    agent_id: null,
    continue: await answerServer(request.request, {
      error: 'access_denied',
      error_description: 'The person refused.',
    }),
  }
}
