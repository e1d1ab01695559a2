/**
 * The secret of an installation without `BEAK_SECRET`: `DATA_DIR/secret`, made once, readable only by its owner.
 * During a rotation, `DATA_DIR/secret.previous` contains the old secret.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@/lib/kernel/runtime/durable-file'
import { folderProblem, StartProblem } from '@/lib/kernel/service/start-problem'

export interface Secrets {
  /** Used to seal, hash and unseal. */
  secret: Uint8Array
  /** Used only to unseal and recognise older values. Null when no rotation is in progress. */
  previousSecret: Uint8Array | null
}

const secretPath = (dataDir: string) => join(dataDir, 'secret')
const previousPath = (dataDir: string) => join(dataDir, 'secret.previous')
const minimumBytes = 32
const newSecret = () => randomBytes(48).toString('base64url')

/** A new secret beside an existing database could not open what the database has, so the start stops and writes nothing. */
function requireNoDatabase(dataDir: string): void {
  if (!existsSync(join(dataDir, 'db'))) return
  throw new StartProblem(
    `${secretPath(dataDir)} is missing, but there is a database in ${join(dataDir, 'db')}, which only that secret opens. Put the file back from your backup, or set BEAK_SECRET to its content. Nothing was written.`,
  )
}

/** Makes the first secret with an exclusive write, so that two starting processes agree. */
function makeSecret(dataDir: string): void {
  requireNoDatabase(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(secretPath(dataDir), newSecret(), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    // A full disk leaves an empty file, which the next start would take for the secret.
    rmSync(secretPath(dataDir), { force: true })
    throw error
  }
}

/**
 * Returns the secrets of the data folder. Makes the first secret when the folder has no database. Throws `StartProblem` when the secret
 * is missing or too short, or the folder cannot be written.
 */
export function storedSecrets(dataDir: string): Secrets {
  try {
    if (!existsSync(secretPath(dataDir))) makeSecret(dataDir)
    const secret = readFileSync(secretPath(dataDir))
    if (secret.length < minimumBytes)
      throw new StartProblem(
        `${secretPath(dataDir)} has only ${secret.length} bytes. Put the file back from your backup, or delete it when there is no database in ${dataDir} yet.`,
      )
    const previous = readPrevious(dataDir)
    // Equal when a rotation was interrupted before it wrote the new secret. No other secret was in use then.
    return { secret, previousSecret: previous === null || previous.equals(secret) ? null : previous }
  } catch (error) {
    throw folderProblem(dataDir, error)
  }
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

/** Replaces the secrets of a data folder without a database, with the secrets of a backup. */
export async function replaceSecrets(
  dataDir: string,
  secret: Uint8Array,
  previous: Uint8Array | null,
): Promise<void> {
  if (previous !== null) await replaceFile(previousPath(dataDir), previous)
  await replaceFile(secretPath(dataDir), secret)
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
