/**
 * The secret of an installation without `BEAK_SECRET`: `DATA_DIR/secret`, made once, readable only by its owner (contract E).
 * During a rotation, `DATA_DIR/secret.previous` contains the old secret.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@/lib/kernel/durable-file'

export interface Secrets {
  /** Used to seal, hash and unseal. */
  secret: Uint8Array
  /** Used only to unseal and recognise older values. Null when no rotation is in progress. */
  previousSecret: Uint8Array | null
}

const secretPath = (dataDir: string) => join(dataDir, 'secret')
const previousPath = (dataDir: string) => join(dataDir, 'secret.previous')
const newSecret = () => randomBytes(48).toString('base64url')

/** Returns the secrets of the data folder. Makes the first secret with an exclusive write, so that two starting processes agree. */
export function storedSecrets(dataDir: string): Secrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(secretPath(dataDir), newSecret(), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(secretPath(dataDir))
  const previous = readPrevious(dataDir)
  // Equal when a rotation was interrupted before it wrote the new secret. No other secret was in use then.
  return { secret, previousSecret: previous === null || previous.equals(secret) ? null : previous }
}

/**
 * Makes a new secret and keeps the old one as `secret.previous`. Returns false, and changes nothing, when an earlier rotation is
 * not finished: its previous secret may still be needed. A crash between the steps loses no secret.
 */
export async function rotateStoredSecret(dataDir: string): Promise<boolean> {
  const { secret, previousSecret } = storedSecrets(dataDir)
  if (previousSecret !== null) return false
  await replaceFile(previousPath(dataDir), secret)
  await replaceFile(secretPath(dataDir), newSecret())
  return true
}

/** Deletes `secret.previous`. Call it when no value is sealed with that secret any more. */
export function removePreviousSecret(dataDir: string): void {
  rmSync(previousPath(dataDir), { force: true })
}

function readPrevious(dataDir: string): Buffer | null {
  try {
    return readFileSync(previousPath(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
