/** The request of a program or a site that waits for the decision of a person. */
import type { Client, Interaction, InteractionResults } from 'oidc-provider'
import type { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { isBrowserOf } from './browser'
import { recordHash } from './hashes'
import type { consentBody } from './schema'

export type ConsentRequest = z.infer<typeof consentBody>

/** Loaded with the first use: the library is large. */
export const loadServer = async () => (await import('./provider')).authorizationServer()

/** Reads a request. Throws `consent_not_found` for an unknown one, and for one of another browser. */
export async function readInteraction(
  context: DucklingContext<'consent_not_found'>,
  { request, browser }: ConsentRequest,
): Promise<{ client: Client; interaction: Interaction }> {
  if (!isBrowserOf(request, browser)) throw context.fail('consent_not_found')
  const server = await loadServer()
  const interaction = await server.Interaction.find(request)
  const clientId = interaction?.params.client_id
  const client = typeof clientId === 'string' ? await server.Client.find(clientId) : undefined
  if (interaction === undefined || client === undefined) throw context.fail('consent_not_found')
  return { client, interaction }
}

/** Marks a request as decided. Of simultaneous decisions one succeeds, and the others throw `consent_decided`. */
export async function spend(tx: Tx, context: DucklingContext<'consent_decided'>, id: string): Promise<void> {
  const spent = await tx.run`
    UPDATE "OAuthRecord" SET "consumedAt" = ${context.now}::timestamptz
    WHERE "hash" = ${recordHash('Interaction', id)} AND "consumedAt" IS NULL`
  if (spent === 0) throw context.fail('consent_decided')
}

/** Tells the authorization server the decision. Returns where the browser goes now. */
export async function answerServer(id: string, result: InteractionResults): Promise<string> {
  const { Interaction } = await loadServer()
  const interaction = await Interaction.find(id)
  if (interaction === undefined) throw new Error('the request of the program expired during the decision')
  interaction.result = result
  // The library would compare it with a session of its own, and there is none.
  delete interaction.session
  await interaction.persist()
  return interaction.returnTo
}
