/**
 * The secret of an installation without `BEAK_SECRET`: `DATA_DIR/secret`, made once, readable by its owner only (contract E).
 * While a rotation is under way, `DATA_DIR/secret.previous` holds the secret from before.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './durable-file'

export interface Secrets {
  /** Seals, signs and opens. */
  secret: Uint8Array
  /** Only opens and recognises what was made before the rotation; null when no rotation is under way. */
  previousSecret: Uint8Array | null
}

const secretPath = (dataDir: string) => join(dataDir, 'secret')
const previousPath = (dataDir: string) => join(dataDir, 'secret.previous')
const newSecret = () => randomBytes(48).toString('base64url')

/** Returns the secrets of the data folder. Makes the first one, exclusively, so that two starts agree on one. */
export function storedSecrets(dataDir: string): Secrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(secretPath(dataDir), newSecret(), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(secretPath(dataDir))
  const previous = readPrevious(dataDir)
  // They are equal when a rotation was interrupted before it wrote the new secret. Then no other secret was in use.
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

/** Deletes `secret.previous`. To be called when nothing is sealed with that secret any more. */
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
