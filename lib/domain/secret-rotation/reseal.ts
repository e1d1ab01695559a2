/**
 * Encrypts every stored secret again with the current `BEAK_SECRET`, so that the previous secret can be deleted.
 *
 * Batches are independent, and a value is replaced only if it has not changed since it was read. Therefore the command may run beside
 * the service, and it can be interrupted and started again at any time.
 */

import { config, reloadStoredSecrets } from '@/lib/kernel/config'
import { removePreviousSecret, rotateStoredSecret } from '@/lib/kernel/config/secret-files'
import { operatorCommand } from '@/lib/kernel/service/release'
import { readBatch, type SealedColumn, sealedColumns, writeBatch } from './sealed-columns'

/** Thrown when a secret was not rotated or must not be removed yet. The message is for the operator. */
export class SecretStillNeeded extends Error {
  override readonly name = 'SecretStillNeeded'
}

/** Writes one line of progress. */
export type PrintLine = (line: string) => void

const batchSize = 200
/** Passes over all values. One is enough unless an instance still uses another secret. */
const passesMax = 5
/** Unopened values that the message lists. */
const namedMax = 100

interface Pass {
  values: number
  /** Values that were sealed with another secret. The work is done after a pass without such values. */
  pending: number
  unopened: string[]
}

async function resealColumn(column: SealedColumn, pass: Pass, print: PrintLine, size: number): Promise<void> {
  let checked = 0
  let after: string | null = null
  do {
    const batch = await readBatch(column, after, size)
    const resealed = await writeBatch(batch)
    checked += batch.values
    pass.values += batch.values
    pass.pending += batch.changes.length
    pass.unopened.push(...batch.unopened)
    if (resealed > 0) print(`${column.table}.${column.column}: ${resealed} sealed again, ${checked} checked.`)
    after = batch.next
  } while (after !== null)
}

/**
 * Seals every value with the current secret and returns the message for the operator. Throws `SecretStillNeeded` when a value cannot
 * be opened, or when an instance still seals with another secret.
 */
export async function reseal(print: PrintLine, size = batchSize): Promise<string> {
  let pass: Pass
  let passes = 0
  do {
    pass = { values: 0, pending: 0, unopened: [] }
    for (const column of sealedColumns) await resealColumn(column, pass, print, size)
    passes++
  } while (pass.pending > 0 && passes < passesMax)
  if (pass.unopened.length > 0) throw new SecretStillNeeded(unopenedMessage(pass.unopened))
  if (pass.pending > 0)
    throw new SecretStillNeeded(
      'An instance still seals with another secret. Restart every instance with the new BEAK_SECRET, then run reseal again.',
    )
  return `Everything is sealed with the current secret (values: ${pass.values}). ${removePrevious()}`
}

function unopenedMessage(unopened: string[]): string {
  const named = unopened.slice(0, namedMax).map((line) => `  - ${line}`)
  const more = unopened.length > namedMax ? [`  - and ${unopened.length - namedMax} more`] : []
  return [
    `Values that BEAK_SECRET and BEAK_SECRET_PREVIOUS do not open (${unopened.length}):`,
    ...named,
    ...more,
    'Everything else is sealed with the current secret. Set BEAK_SECRET_PREVIOUS to the secret that sealed these values, and run reseal again.',
    'If that secret is lost: owners of webhooks can rotate their secrets, and askers get a new grant token when they read the peck again.',
  ].join('\n')
}

/** Deletes the previous secret when it is a file. Returns what the operator must do next. */
function removePrevious(): string {
  const { dataDir, hasStoredSecret, previousSecret } = config()
  if (previousSecret === null) return 'Nothing is left to do.'
  if (!hasStoredSecret) return 'BEAK_SECRET_PREVIOUS may be removed, a day after the rotation.'
  removePreviousSecret(dataDir)
  reloadStoredSecrets()
  return `The previous secret was deleted from ${dataDir}.`
}

/**
 * Creates a new secret in the data folder and seals everything with it. When an earlier rotation was interrupted, finishes that one
 * instead. Throws `SecretStillNeeded` as `reseal` does, and when the secret is not a file.
 */
export async function rotateSecret(print: PrintLine): Promise<string> {
  const { dataDir, hasStoredSecret } = config()
  if (!hasStoredSecret) throw new SecretStillNeeded(rotationSteps)
  const isNew = await rotateStoredSecret(dataDir)
  reloadStoredSecrets()
  print(
    isNew
      ? `The new secret is in ${dataDir}. Until everything is sealed with it, the old one stays there too.`
      : 'An earlier rotation was not finished. It is finished now, without another new secret.',
  )
  return `${await reseal(print)} Start the server again.`
}

const rotationSteps = `BEAK_SECRET is set in the environment, so rotate it there (see the page /docs/hosts/keys):
  1. Restart every instance with BEAK_SECRET_PREVIOUS set to the new secret, and BEAK_SECRET as it is.
  2. Restart every instance with BEAK_SECRET set to the new secret, and BEAK_SECRET_PREVIOUS to the old one.
  3. With the same two variables, run: ${operatorCommand('reseal')}
  4. After a day, restart every instance without BEAK_SECRET_PREVIOUS.`
