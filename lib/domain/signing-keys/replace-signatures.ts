/**
 * Replaces the signatures of a distrusted key: its sessions are ended, and its certificates are signed again. The operator's command
 * does all of it. When the command is interrupted, the worker of any instance finishes the rest.
 */

import { formatVerifierKey } from '@beak/proofs/log/verifier-key'
import type { ChangedBatch } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import type { SigningKey } from '@/lib/db/generated/client'
import { countCertificatesSignedBy, signBatchAgain } from '@/lib/domain/certs/issue'
import { signersOf } from '@/lib/domain/oauth/keys'
import { countSessionsSignedBy, endBatchSignedBy } from '@/lib/domain/sessions/revoke'
import { logOrigin, logVerifierKey } from '@/lib/domain/tlog/origin'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { chooseSigner, publicationSeconds } from '@/lib/infrastructure/keys/signing-keys'
import { loadKey } from '@/lib/infrastructure/keys/stored-keys'
import { secondsAfter } from '@/lib/kernel/runtime/clock'

/** Batches after which the worker stores its place, so that an interrupted worker repeats little. */
const batchesMax = 20

export interface Step {
  name: 'sessions' | 'certificates'
  /** Returns the number of rows that are left. */
  count(): Promise<number>
  /** Changes the next batch after an id. `next` is null after the last batch. */
  run(after: string): Promise<ChangedBatch>
}

/** Returns the steps in order. Sessions come first, because they give access. */
export function stepsFor(kid: string, now: Date): Step[] {
  return [
    {
      name: 'sessions',
      count: () => countSessionsSignedBy(kid, now),
      run: (after) => endBatchSignedBy(kid, after, now),
    },
    {
      name: 'certificates',
      count: () => countCertificatesSignedBy(kid),
      run: (after) => signBatchAgain(kid, after, now),
    },
  ]
}

/**
 * Runs all steps and calls `onProgress` before the first and after each batch. Can be repeated or run several times simultaneously,
 * because every change is a guarded update.
 */
export async function replaceSignatures(
  kid: string,
  now: Date,
  onProgress: (name: Step['name'], done: number, total: number) => void,
): Promise<void> {
  for (const { name, count, run } of stepsFor(kid, now)) {
    const total = await count()
    let done = 0
    onProgress(name, done, total)
    for (let after: string | null = ''; after !== null; ) {
      const batch: ChangedBatch = await run(after)
      after = batch.next
      done += batch.count
      if (batch.count > 0) onProgress(name, done, total)
    }
    // Workers of running instances may have done a part of the work meanwhile.
    if (done < total) onProgress(name, total, total)
  }
}

/**
 * Runs at most `batchesMax` batches. When more may be left, throws `Postponed` with the position for the next run, which is due
 * immediately.
 */
export async function replaceForWorker(
  { kid, step, after = '' }: OutboxPayloads['replace_signatures'],
  now: Date,
): Promise<void> {
  const steps = stepsFor(kid, now)
  const current = Math.max(
    0,
    steps.findIndex(({ name }) => name === step),
  )
  let batches = 0
  for (const { name, run } of steps.slice(current)) {
    for (let place: string | null = name === step ? after : ''; place !== null; batches++) {
      if (batches === batchesMax) throw new Postponed(now, { kid, step: name, after: place })
      place = (await run(place)).next
    }
  }
}

/** Lists the signing keys for the operator. Does not decrypt private keys, so it also works with another `BEAK_SECRET`. */

/** Returns the id of the key that signs for that purpose; `keys` is oldest first. */
function signerOf(keys: SigningKey[], purpose: SigningKey['purpose'], now: Date): string | undefined {
  const able = keys.filter(
    (key) => key.purpose === purpose && key.distrustedAt === null && key.privateKey !== null,
  )
  // A key of the log signs immediately.
  return (purpose === 'log' ? able.at(-1) : chooseSigner(able, now))?.kid
}

function stateOf(key: SigningKey, signer: string | undefined, now: Date): string {
  const { kid, purpose, createdAt, privateKey, distrustedAt, distrustedFrom } = key
  if (distrustedAt !== null) return `distrusted since ${(distrustedFrom ?? distrustedAt).toISOString()}`
  if (privateKey === null) return 'retired'
  if (kid === signer) return 'signs'
  const signsFrom = secondsAfter(createdAt, publicationSeconds)
  if (purpose === 'token' && now <= signsFrom) return `published, signs from ${signsFrom.toISOString()}`
  return 'published, a newer key signs'
}

/** Returns one line per signing key, oldest first, and then those of ID tokens. A key of the log has a second line with its verifier key. */
export async function listKeys(now: Date): Promise<string> {
  const keys = await db().signingKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })
  if (keys.length === 0)
    return 'There are no signing keys yet. The server makes the first ones when it starts.'
  const signers = { token: signerOf(keys, 'token', now), log: signerOf(keys, 'log', now) }
  const origin = await logOrigin()
  const lines = keys.map((key) => describe(key, stateOf(key, signers[key.purpose], now), origin))
  const ofIdTokens = await db().oAuthKey.findMany({
    orderBy: [{ createdAt: 'asc' }, { alg: 'desc' }, { kid: 'asc' }],
  })
  const idSigners = signersOf(ofIdTokens, now)
  for (const key of ofIdTokens)
    lines.push(
      `${start(key, 'id')}  ${idSigners.includes(key) ? 'signs' : 'published, another key signs'} (${key.alg})`,
    )
  return lines.join('\n')
}

const start = ({ kid, createdAt }: Pick<SigningKey, 'kid' | 'createdAt'>, purpose: string) =>
  `${kid}  ${purpose.padEnd(5)}  made ${createdAt.toISOString()}`

function describe(key: SigningKey, state: string, origin: string): string {
  const { purpose } = key
  const line = `${start(key, purpose)}  ${state}`
  if (purpose === 'token') return line
  const { x } = loadKey({ ...key, privateKey: null }).jwk
  return `${line}\n  verifier key: ${formatVerifierKey(logVerifierKey(origin, x))}`
}
