/** Adds a passkey to the caller's account, in two steps: the options for the browser, then the credential it made. */
import { generateRegistrationOptions } from '@simplewebauthn/server'
import { db, type Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { lockName, transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { enqueuePasskey } from '@/lib/domain/tlog/enqueue-passkey'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { refusePasskey } from './assertion'
import { openCeremony, spendCeremony } from './ceremony'
import { readClientData } from './client-data'
import { challengeLifetimeSeconds, passkeysMax, relyingParty, userHandle } from './relying-party'
import {
  type CreationOptions,
  type PasskeyInput,
  presentPasskey,
  type RegistrationCredential,
} from './schema'
import { algorithms, type NewCredential, verifyRegistration } from './verify-registration'

/** Opens the ceremony. Throws what `requireProof` does, or `passkeys_too_many`. */
export async function offerRegistration(context: DucklingContext<ProofFailure>): Promise<CreationOptions> {
  const { caller, now } = context
  const { duckling, challenge } = await transaction(async (tx) => {
    await requireProof(tx, context)
    const row = await tx.duckling.findUniqueOrThrow({
      where: { id: caller.id },
      select: {
        email: true,
        displayName: true,
        passkeys: { select: { credentialId: true, transports: true } },
      },
    })
    if (row.passkeys.length >= passkeysMax) throw fail('passkeys_too_many')
    const bytes = await openCeremony(tx, now, { purpose: 'register', ducklingId: caller.id })
    await record(tx, context, 'passkey.challenged', { metadata: { purpose: 'register' } })
    return { duckling: row, challenge: bytes }
  })
  const { id, name } = relyingParty()
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: userHandle(caller.id),
    userName: duckling.email ?? duckling.displayName,
    userDisplayName: duckling.displayName,
    challenge,
    timeout: challengeLifetimeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: duckling.passkeys.map((row) => ({
      id: row.credentialId,
      transports: row.transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return options as CreationOptions
}

/**
 * Finishes the ceremony and keeps the passkey; its owner is told by mail. Throws what `requireProof` does,
 * `passkey_refused`, `passkey_known` (also where it is somebody else's) or `passkeys_too_many`.
 */
export async function registerPasskey(
  context: DucklingContext<ProofFailure>,
  credential: RegistrationCredential,
  name: string | undefined,
): Promise<PasskeyInput> {
  // Before the challenge is spent, so that the credential still counts once the caller has proven who they are.
  await requireProof(db(), context)
  const { caller, now } = context
  const clientData = readClientData(credential.response.clientDataJSON)
  if (clientData === null) throw refusePasskey(context, 'malformed')
  const ceremony = { purpose: 'register', ducklingId: caller.id } as const
  if (!(await spendCeremony(now, ceremony, clientData.challenge))) throw refusePasskey(context, 'challenge')
  const verdict = await verifyRegistration(credential, clientData)
  if (typeof verdict === 'string') throw refusePasskey(context, verdict)
  return transaction((tx) => keepPasskey(tx, context, verdict, credential.response.transports ?? [], name))
}

async function keepPasskey(
  tx: Tx,
  context: DucklingContext<ProofFailure>,
  { credentialId, publicKey, counter, aaguid, backedUp, userVerified }: NewCredential,
  transports: string[],
  name: string | undefined,
): Promise<PasskeyInput> {
  const { caller, now } = context
  await lockName(tx, `passkeys:${caller.id}`)
  // Again: another request may have added the account's first passkey, which is now what a proof needs.
  await requireProof(tx, context)
  const count = await tx.passkey.count({ where: { ducklingId: caller.id } })
  if (count >= passkeysMax) throw fail('passkeys_too_many')
  const row = await unique(
    tx.passkey.create({
      data: {
        id: newId('passkey', now),
        ducklingId: caller.id,
        credentialId,
        publicKey,
        counter,
        transports,
        // Spec silent: a passkey without a name of its own gets a number.
        name: name ?? `Passkey ${count + 1}`,
        aaguid,
        backedUp,
        userVerified,
        createdAt: now,
        sessionId: caller.sessionId,
      },
    }),
    'passkey_known',
  )
  await record(tx, context, 'passkey.registered', {
    targets: [{ type: 'passkey', id: row.id }],
    metadata: {
      name: row.name,
      backed_up: backedUp,
      log_digest: await enqueuePasskey(tx, 'passkey_enrolled', row),
    },
  })
  await enqueueNotice(tx, now, caller.id, 'passkey_added', { name: row.name, at: now.toISOString() })
  return presentPasskey(row)
}
