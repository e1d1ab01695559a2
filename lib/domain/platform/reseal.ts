/**
 * Seals everything that is kept encrypted with the current `BEAK_SECRET`, so that the previous one can be forgotten.
 *
 * Batches are independent and each value is replaced only while it is the one that was read. So the work may run beside the
 * service, be stopped at any moment, and be started again.
 */
import { config, reloadStoredSecrets } from '@/lib/kernel/config'
import { removePreviousSecret, rotateStoredSecret } from '@/lib/kernel/secret-files'
import { readBatch, type SealedColumn, sealedColumns, writeBatch } from './sealed-columns'

/** Why a secret was not rotated, or may not be removed yet. The message is for the operator. */
export class SecretStillNeeded extends Error {
  override readonly name = 'SecretStillNeeded'
}

/** Writes one line of progress. */
export type Say = (line: string) => void

const batchSize = 200
/** Passes over all values. More are needed only while something seals with another secret. */
const passesMax = 5
/** Values that a message names. */
const namedMax = 100

interface Pass {
  values: number
  /** Values that were found sealed with another secret. After a pass that finds none, nothing is left to do. */
  pending: number
  unopened: string[]
}

async function resealColumn(column: SealedColumn, pass: Pass, say: Say, size: number): Promise<void> {
  let checked = 0
  let after: string | null = null
  do {
    const batch = await readBatch(column, after, size)
    const resealed = await writeBatch(batch)
    checked += batch.values
    pass.values += batch.values
    pass.pending += batch.changes.length
    pass.unopened.push(...batch.unopened)
    if (resealed > 0) say(`${column.table}.${column.column}: ${resealed} sealed again, ${checked} checked.`)
    after = batch.next
  } while (after !== null)
}

/**
 * Seals every value with the current secret. Returns the line for the operator. Throws `SecretStillNeeded` when a value cannot be
 * opened, or when something keeps sealing with another secret.
 */
export async function reseal(say: Say, size = batchSize): Promise<string> {
  let pass: Pass
  let passes = 0
  do {
    pass = { values: 0, pending: 0, unopened: [] }
    for (const column of sealedColumns) await resealColumn(column, pass, say, size)
    passes++
  } while (pass.pending > 0 && passes < passesMax)
  if (pass.unopened.length > 0) throw new SecretStillNeeded(unopenedMessage(pass.unopened))
  if (pass.pending > 0)
    throw new SecretStillNeeded(
      'An instance keeps sealing with another secret. Restart every instance with the new BEAK_SECRET, then run reseal again.',
    )
  return `Everything is sealed with the current secret (values: ${pass.values}). ${finish()}`
}

function unopenedMessage(unopened: string[]): string {
  const named = unopened.slice(0, namedMax).map((line) => `  - ${line}`)
  const more = unopened.length > namedMax ? [`  - and ${unopened.length - namedMax} more`] : []
  return [
    `Values that BEAK_SECRET and BEAK_SECRET_PREVIOUS do not open (${unopened.length}):`,
    ...named,
    ...more,
    'Everything else is sealed with the current secret. Set BEAK_SECRET_PREVIOUS to the secret that sealed these values, and run reseal again.',
    'Where that secret is lost: owners of webhooks can make a new secret, and an asker gets a new grant token at the next reading.',
  ].join('\n')
}

/** Forgets the previous secret, where it is a file. Returns what to do next. */
function finish(): string {
  const { dataDir, hasStoredSecret, previousSecret } = config()
  if (previousSecret === null) return 'Nothing is left to do.'
  if (!hasStoredSecret) return 'BEAK_SECRET_PREVIOUS may be removed, a day after the rotation.'
  removePreviousSecret(dataDir)
  reloadStoredSecrets()
  return `The previous secret was deleted from ${dataDir}.`
}

/**
 * Makes a new secret in the data folder and seals everything with it. An earlier rotation that was cut off is finished instead.
 * Throws `SecretStillNeeded` as `reseal` does, and where the secret is not a file.
 */
export async function rotateSecret(say: Say): Promise<string> {
  const { dataDir, hasStoredSecret } = config()
  if (!hasStoredSecret) throw new SecretStillNeeded(rotationSteps)
  const isNew = await rotateStoredSecret(dataDir)
  reloadStoredSecrets()
  say(
    isNew
      ? `The new secret is in ${dataDir}. Until everything is sealed with it, the old one stays there too.`
      : 'An earlier rotation was not finished. It is finished now, without another new secret.',
  )
  return `${await reseal(say)} Start the server again.`
}

const rotationSteps = `BEAK_SECRET is set in the environment, so rotate it there (docs/operations.md):
  1. Restart every instance with BEAK_SECRET_PREVIOUS set to the new secret, and BEAK_SECRET as it is.
  2. Restart every instance with BEAK_SECRET set to the new secret, and BEAK_SECRET_PREVIOUS to the old one.
  3. With the same two variables, run: npm run operator -- reseal
  4. After a day, restart every instance without BEAK_SECRET_PREVIOUS.`
