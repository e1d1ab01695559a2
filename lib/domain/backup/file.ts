/**
 * The file of a backup: lines of text, compressed with gzip, and encrypted with age when there is a passphrase (age-encryption.org/v1).
 * The first line says what the backup is. Each following line is the name of a table, a tab, and a row as JSON. The last line has the
 * number of rows, so a file that was cut off is recognised.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { BackupRefused } from './refused'

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
})
export type BackupHeader = z.infer<typeof BackupHeader>

const BackupEnd = z.object({ rows: z.number().int() })

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

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function parseLine<T>(schema: z.ZodType<T>, line: string | undefined): T | null {
  try {
    return schema.parse(JSON.parse(line ?? ''))
  } catch {
    return null
  }
}

/** Opens a backup and reads its first line. Throws `BackupRefused`. */
export async function openBackup(path: string, passphrase: string | null): Promise<Backup> {
  const bytes = await openBytes(path, passphrase)
  const plain = createGunzip()
  // An error of one of the streams arrives where the lines are read.
  pipeline(bytes, plain).catch(() => undefined)
  const lines = linesOf(plain)
  const damaged = (error?: unknown) =>
    new BackupRefused(`${path} is damaged or was cut off. Use another backup.`, { cause: error })
  const first = await lines.next().catch(() => ({ value: undefined }))
  const header = parseLine(BackupHeader, first.value as string | undefined)
  if (header === null) {
    bytes.destroy()
    throw new BackupRefused(`${path} is not a backup of Beak that this version can read, or it is damaged.`)
  }
  async function* rows(): AsyncGenerator<Row> {
    let count = 0
    let end: number | null = null
    try {
      for await (const line of lines) {
        const tab = line.indexOf('\t')
        if (tab < 0) end = parseLine(BackupEnd, line)?.rows ?? null
        else {
          count++
          yield { table: line.slice(0, tab), json: line.slice(tab + 1) }
        }
      }
    } catch (error) {
      throw damaged(error)
    }
    if (end !== count) throw damaged()
  }
  return { header, rows: rows() }
}
