import type { Hmac } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { acceptedSecrets, equalDigests, startMac } from '@/lib/kernel/secrets/secrets'

/** A backup that cannot be made, opened or restored. The message is for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/**
 * The file of a backup: lines of text, compressed with gzip, and encrypted with age when there is a passphrase (age-encryption.org/v1).
 * The first line says what the backup is. Each following line is the name of a table, a tab, and a row as JSON. The last line has the
 * number of rows and an HMAC of all lines before it, with a key that only the secret of the service gives: so a file that was cut off or
 * changed is recognised, even when it is not encrypted.
 */

export const BackupHeader = z.object({
  beak_backup: z.literal(1),
  made_at: z.iso.datetime(),
  /** The version of the service that made it. */
  version: z.string(),
  base_url: z.string(),
  /** Whether the service was one of `beak dev`. */
  is_test: z.boolean(),
  /** The migrations of the database. */
  migrations: z.array(z.string()),
  /** `BEAK_SECRET` and `BEAK_SECRET_PREVIOUS` as base64. Only in encrypted backups. */
  secrets: z.object({ secret: z.string(), previous: z.string().nullable() }).nullable(),
  /** An HMAC of `made_at`, by which a wrong secret is recognised before anything else. */
  secret_check: z.string(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

const BackupEnd = z.object({ rows: z.number().int(), mac: z.string() })

export interface Row {
  table: string
  /** The row as JSON. */
  json: string
}

export interface Backup {
  header: BackupHeader
  /** Throws `BackupRefused` when the file was damaged or cut off. Can be read once. */
  rows: AsyncIterable<Row>
}

/** Returns the `secret_check` of a backup. */
export function checkOfSecret(secret: Uint8Array, madeAt: string): string {
  return startMac('backup', secret).update(madeAt).digest('base64url')
}

/** Returns the secret of the service that made the backup: its own copy, or the secret of this process. Throws `BackupRefused`. */
function secretOf({ secrets, secret_check, made_at }: BackupHeader): Uint8Array {
  const known = secrets === null ? acceptedSecrets() : [Buffer.from(secrets.secret, 'base64')]
  const secret = known.find((one) => checkOfSecret(one, made_at) === secret_check)
  if (secret === undefined)
    throw new BackupRefused(
      'This backup was made with another secret. Set BEAK_SECRET to the secret of the service that made it: its environment has it, or the file DATA_DIR/secret.',
    )
  return secret
}

/** 2^16 rounds need 64 MiB, which also a machine with 1 GB has. */
const scryptWorkFactor = 16
const encryptedStart = 'age-encryption.org/'

type Bytes = ReadableStream<Uint8Array>

async function encrypt(plain: Readable, passphrase: string): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(scryptWorkFactor)
  encrypter.setPassphrase(passphrase)
  return Readable.fromWeb((await encrypter.encrypt(Readable.toWeb(plain) as never)) as unknown as Bytes)
}

/** Yields the lines of a backup: its header, then pieces of lines of rows, then the end with the number of rows and the HMAC. */
export async function* composeBackup(
  header: BackupHeader,
  secret: Uint8Array,
  rows: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  const mac = startMac('backup', secret)
  const signed = (text: string) => {
    mac.update(text)
    return text
  }
  yield signed(`${JSON.stringify(header)}\n`)
  let count = 0
  for await (const some of rows) {
    count += some.length
    yield signed(some.map(({ table, json }) => `${table}\t${json}\n`).join(''))
  }
  yield `${JSON.stringify({ rows: count, mac: mac.digest('base64url') })}\n`
}

/** Writes pieces of text to a new file, which only its owner can read. Leaves no file behind when it fails. */
export async function writeBackup(
  path: string,
  passphrase: string | null,
  text: AsyncIterable<string>,
): Promise<void> {
  const draft = `${path}.part`
  await rm(draft, { force: true })
  try {
    const packed = createGzip()
    const source = Readable.from(text, { objectMode: false })
    const packing = pipeline(source, packed)
    const bytes = passphrase === null ? packed : await encrypt(packed, passphrase)
    await Promise.all([
      packing,
      pipeline(bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })),
    ])
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Gives a checked backup its name, also after a power cut. */
export async function keepBackup(path: string): Promise<void> {
  await rename(`${path}.part`, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(encryptedStart.length), 0, encryptedStart.length, 0)
    return buffer.toString() === encryptedStart
  } finally {
    await file.close()
  }
}

async function decrypt(path: string, passphrase: string): Promise<Readable> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const file = Readable.toWeb(createReadStream(path)) as never
  try {
    return Readable.fromWeb((await decrypter.decrypt(file)) as unknown as Bytes)
  } catch (error) {
    throw new BackupRefused(`${path} cannot be opened with this passphrase.`, { cause: error })
  }
}

/** Returns the bytes inside the encryption. Throws `BackupRefused` when the passphrase is missing, wrong or not needed. */
async function openBytes(path: string, passphrase: string | null): Promise<Readable> {
  const hasEncryption = await isEncrypted(path).catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(`${path} cannot be read (${error.code}).`)
  })
  if (!hasEncryption) return createReadStream(path)
  if (passphrase === null)
    throw new BackupRefused(`${path} is encrypted. Name the file with its passphrase: --passphrase-file.`)
  return decrypt(path, passphrase)
}

/** More characters than the row of any table can have. Without this, a small file could unpack to a line that fills the memory. */
const lineMax = 16 * 1024 * 1024

/** Yields the lines. Throws `BackupRefused` as soon as one is longer than `lineMax`. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(first)
    length += first.length
    if (length > lineMax)
      throw new BackupRefused(
        `${path} has a line of more than ${lineMax.toLocaleString('en')} characters, which no backup of Beak has. Use another backup.`,
      )
    for (const next of others) {
      yield pieces.join('')
      pieces = [next]
      length = next.length
    }
  }
  if (length > 0) yield pieces.join('')
}

function parseLine<T>(schema: z.ZodType<T>, line: string | undefined): T | null {
  try {
    return schema.parse(JSON.parse(line ?? ''))
  } catch {
    return null
  }
}

/** Yields the rows, and throws `BackupRefused` at the end when the file was changed since it was written. */
async function* readRows(lines: AsyncIterable<string>, mac: Hmac, path: string): AsyncGenerator<Row> {
  const damaged = (error?: unknown) =>
    new BackupRefused(`${path} is damaged, was changed or was cut off. Use another backup.`, { cause: error })
  let count = 0
  let end: z.infer<typeof BackupEnd> | null = null
  try {
    for await (const line of lines) {
      if (end !== null) throw new Error('there are lines behind the end')
      const tab = line.indexOf('\t')
      if (tab < 0) end = BackupEnd.parse(JSON.parse(line))
      else {
        count++
        mac.update(`${line}\n`)
        yield { table: line.slice(0, tab), json: line.slice(tab + 1) }
      }
    }
  } catch (error) {
    throw error instanceof BackupRefused ? error : damaged(error)
  }
  if (end?.rows !== count || !equalDigests(mac.digest(), Buffer.from(end.mac, 'base64url'))) throw damaged()
}

/** Opens a backup and reads its first line. Throws `BackupRefused`, even when this process does not have the secret of the backup. */
export async function openBackup(path: string, passphrase: string | null): Promise<Backup> {
  const bytes = await openBytes(path, passphrase)
  const plain = createGunzip()
  // An error of one of the streams arrives where the lines are read.
  pipeline(bytes, plain).catch(() => undefined)
  const lines = linesOf(plain, path)
  const first = await lines.next().catch((error: unknown) => {
    if (!(error instanceof BackupRefused)) return { value: undefined }
    bytes.destroy()
    throw error
  })
  const header = parseLine(BackupHeader, first.value as string | undefined)
  try {
    if (header === null)
      throw new BackupRefused(`${path} is not a backup of Beak that this version can read, or it is damaged.`)
    const mac = startMac('backup', secretOf(header)).update(`${first.value}\n`)
    return { header, rows: readRows(lines, mac, path) }
  } catch (error) {
    bytes.destroy()
    throw error
  }
}

/** Reads a whole backup, and returns its header and the number of rows. Throws `BackupRefused`. */
export async function checkBackup(
  path: string,
  passphrase: string | null,
): Promise<{ header: BackupHeader; count: number }> {
  const { header, rows } = await openBackup(path, passphrase)
  let count = 0
  for await (const { json } of rows) {
    JSON.parse(json)
    count++
  }
  return { header, count }
}
