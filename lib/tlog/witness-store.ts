/** The data folder of a witness: its key, the last checkpoint of each log, and evidence of forks. Everything is readable by its owner only. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockFolder } from '@/lib/db/lock-folder'
import { createPrivateFiles, makePrivate } from '@/lib/db/private-files'
import { sha256Hex } from '@/lib/kernel/secrets'
import { type VerifierKey, verifierKey } from '@/lib/kernel/verifier-key'
import type { Evidence, WitnessStore } from './witness'

/** Files of each kind. A log signs a checkpoint a minute at most, and each checkpoint gets one file. */
const evidenceMax = 1000

/** Something the operator of a witness must put right. */
export class WitnessFault extends Error {}

/** Takes a folder for this process. Throws `WitnessFault` when another process has it. */
export function openFolder(folder: string): void {
  createPrivateFiles()
  const holder = lockFolder(folder)
  if (holder !== null)
    throw new WitnessFault(
      `${folder} is in use by process ${holder}. Stop that process, or give this witness a folder of its own with --data.`,
    )
  makePrivate(folder)
}

/** Writes a file so that after a crash it has either the old content or the new one. Resolves when it would survive a power cut. */
async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.tmp`
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Returns the key of the witness; makes it the first time. Throws `WitnessFault` when the folder has the key of another name, because
 * one key must not be used by two witnesses (tlog-cosignature). `name` null means the name that the folder has, or else `otherwise`.
 */
export async function readWitnessKey(
  folder: string,
  name: string | null,
  otherwise: string,
): Promise<{ key: VerifierKey; privateKey: KeyObject }> {
  const path = join(folder, 'witness.json')
  const stored = await readIfThere(path)
  const known = stored === null ? null : (JSON.parse(stored) as { name: string; private_key: string })
  if (known !== null && name !== null && known.name !== name)
    throw new WitnessFault(
      `${folder} belongs to the witness ${known.name}. Leave --name out, or choose another folder with --data.`,
    )
  const privateKey = known ? createPrivateKey(known.private_key) : generateKeyPairSync('ed25519').privateKey
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const key = verifierKey(
    known?.name ?? name ?? otherwise,
    'cosignature',
    Buffer.from(String(x), 'base64url'),
  )
  if (known === null) {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
    await writeDurably(path, `${JSON.stringify({ name: key.name, private_key: pem }, null, 2)}\n`)
  }
  return { key, privateKey }
}

/** The store of a folder. `say` prints a line for the operator of the witness. */
export function folderStore(folder: string, say: (line: string) => void): WitnessStore {
  // An origin can have any characters, so its file is named by a digest.
  const pathOf = (origin: string) => join(folder, `${sha256Hex(origin)}.checkpoint`)
  return {
    readNote: (origin) => readIfThere(pathOf(origin)),
    writeNote: (origin, note) => writeDurably(pathOf(origin), note),
    keepEvidence: (evidence, now) => keepEvidence(join(folder, 'evidence'), evidence, now, say),
  }
}

/** Keeps one file for each checkpoint. Proven forks are never removed; the oldest of the others make room. */
async function keepEvidence(
  folder: string,
  evidence: Evidence,
  now: Date,
  say: (line: string) => void,
): Promise<void> {
  const { kind, checkpoint, text, body, recordedNote } = evidence
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ending = `-${sha256Hex(text)}.txt`
  const others = (await readdir(folder)).filter(
    (name) => name.startsWith(`${kind}-`) && name.endsWith('.txt'),
  )
  if (others.some((name) => name.endsWith(ending))) return
  if (others.length >= evidenceMax) {
    if (kind === 'fork') return
    const [oldest = ''] = others.sort()
    await rm(join(folder, oldest), { force: true })
  }
  const path = join(folder, `${kind}-${now.toISOString().replaceAll(/[:.]/g, '-')}${ending}`)
  const before = `The witness had recorded:\n\n${recordedNote ?? 'nothing\n'}\nThe log sent:\n\n`
  await writeDurably(path, Buffer.concat([Buffer.from(before), body]))
  const { origin, size } = checkpoint
  say(
    kind === 'fork'
      ? `FORK: ${origin} signed two trees of ${size} entries. Both are in ${path}. Tell everybody who relies on this log.`
      : `REFUSED: ${origin} signed a tree of ${size} entries without a valid proof that it continues the one before. See ${path}.`,
  )
}
