/** The data folder of a witness: its key, the last checkpoint of each log, and evidence of forks. Only the owner of the folder can read the files. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type VerifierKey, verifierKey } from '@beak/client/verify/log/verifier-key'
import { lockFolder } from '@/lib/db/lock-folder'
import { createPrivateFiles, makePrivate } from '@/lib/db/private-files'
import { readIfThere, replaceFile } from '@/lib/kernel/durable-file'
import { publicBytesOf } from '@/lib/kernel/public-key'
import { sha256Hex } from '@/lib/kernel/secrets'
import type { Evidence, WitnessStore } from './witness'

/** The most files of each kind. A log signs at most one checkpoint a minute, and each checkpoint gets one file. */
const evidenceMax = 1000

/** An error that the operator of the witness must correct. */
export class WitnessFault extends Error {}

/** Locks a folder for this process. Throws `WitnessFault` when another process has it. */
export async function openFolder(folder: string): Promise<void> {
  createPrivateFiles()
  const holder = await lockFolder(folder)
  if (holder !== null)
    throw new WitnessFault(
      `${folder} is in use by process ${holder}. Stop that process, or give this witness another folder with --data.`,
    )
  makePrivate(folder)
}

/**
 * Returns the key of the witness, and creates it the first time. Throws `WitnessFault` when the folder has the key of another name, because
 * one key must not be used by two witnesses (tlog-cosignature). When `name` is null, the witness has the name that is
 * stored in the folder, or `defaultName` in a new folder.
 */
export async function readWitnessKey(
  folder: string,
  name: string | null,
  defaultName: string,
): Promise<{ key: VerifierKey; privateKey: KeyObject }> {
  const path = join(folder, 'witness.json')
  const stored = await readIfThere(path)
  const known =
    stored === null ? null : (JSON.parse(stored.toString()) as { name: string; private_key: string })
  if (known !== null && name !== null && known.name !== name)
    throw new WitnessFault(
      `${folder} belongs to the witness ${known.name}. Leave --name out, or choose another folder with --data.`,
    )
  const privateKey = known ? createPrivateKey(known.private_key) : generateKeyPairSync('ed25519').privateKey
  const key = verifierKey(known?.name ?? name ?? defaultName, 'cosignature', publicBytesOf(privateKey))
  if (known === null) {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
    await replaceFile(path, `${JSON.stringify({ name: key.name, private_key: pem }, null, 2)}\n`)
  }
  return { key, privateKey }
}

/** Returns a store that writes to a folder. `print` prints a line for the operator of the witness. */
export function folderStore(folder: string, print: (line: string) => void): WitnessStore {
  // An origin can have any characters, so its file is named by a digest.
  const pathOf = (origin: string) => join(folder, `${sha256Hex(origin)}.checkpoint`)
  return {
    readNote: async (origin) => (await readIfThere(pathOf(origin)))?.toString() ?? null,
    writeNote: (origin, note) => replaceFile(pathOf(origin), note),
    storeEvidence: (evidence, now) => storeEvidence(join(folder, 'evidence'), evidence, now, print),
  }
}

/**
 * Writes one file for each checkpoint. At the limit, the oldest `unproven` file is deleted. Files of proven forks are never deleted.
 */
async function storeEvidence(
  folder: string,
  evidence: Evidence,
  now: Date,
  print: (line: string) => void,
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
  await replaceFile(path, Buffer.concat([Buffer.from(before), body]))
  const { origin, size } = checkpoint
  print(
    kind === 'fork'
      ? `FORK: ${origin} signed two trees of ${size} entries. Both are in ${path}. Tell everybody who relies on this log.`
      : `REFUSED: ${origin} signed a tree of ${size} entries without a valid proof that it continues the one before. See ${path}.`,
  )
}
