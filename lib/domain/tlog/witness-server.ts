/** The witness over HTTP: `POST /add-checkpoint`, and a page that describes the witness. */

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { noteBytesMax } from '@beak/proofs/log/note'
import { formatVerifierKey, type VerifierKey, verifierKey } from '@beak/proofs/log/verifier-key'
import { lockFolder } from '@/lib/db/lock-folder'
import { createPrivateFiles, makePrivate } from '@/lib/db/private-files'
import { readClock } from '@/lib/kernel/runtime/clock'
import { readIfThere, replaceFile } from '@/lib/kernel/runtime/durable-file'
import { readLimited } from '@/lib/kernel/runtime/read-limited'
import { publicBytesOf, sha256Hex } from '@/lib/kernel/secrets/secrets'
import {
  type Evidence,
  type Refusal,
  readRecorded,
  startWitness,
  type Verdict,
  type Witness,
  type WitnessStore,
} from './witness'

/** The longest note, and the proof before it. */
const bodyBytesMax = noteBytesMax + 4 * 1024
/** A request must have arrived within this time. */
const timeouts = {
  requestTimeout: 15_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
}

const base = 'http://witness'

/** The statuses of C2SP tlog-witness. */
const statuses: Record<Verdict['outcome'], number> = {
  cosigned: 200,
  wrong_old_size: 409,
  malformed: 400,
  old_above_size: 400,
  unknown_origin: 404,
  untrusted_signature: 403,
  another_root: 409,
  wrong_proof: 422,
} satisfies Record<Refusal | 'cosigned' | 'wrong_old_size', number>

interface Answer {
  code: number
  text: string
  type?: string
  allow?: string
}

/** Returns a server that is not listening yet. `print` prints a line for the operator. */
export function witnessServer(witness: Witness, print: (line: string) => void): Server {
  const answerBody = startWitness(witness)
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { url = '/' } = request
    // `new URL` throws for a target such as `//`.
    const pathname = URL.canParse(url, base) ? new URL(url, base).pathname : url
    if (pathname === '/') return request.method === 'GET' ? describe(witness) : wrongMethod('GET')
    if (pathname !== '/add-checkpoint') return { code: 404, text: 'There is no page at this address.\n' }
    if (request.method !== 'POST') return wrongMethod('POST')
    const body = await readLimited(request.iterator({ destroyOnReturn: false }), bodyBytesMax)
    if (body === null) return { code: 413, text: `The body may have at most ${bodyBytesMax} bytes.\n` }
    return present(await answerBody(body, readClock()))
  }
  return createServer(timeouts, (request, response) => {
    answer(request).then(
      (found) => send(response, found, request.complete),
      (error: unknown) => {
        // The client closed the connection, so there is nobody to answer.
        if (request.destroyed && !request.complete) return
        print(`ERROR: ${error instanceof Error ? error.stack : String(error)}`)
        send(response, { code: 500, text: 'The witness could not finish this request.\n' }, false)
      },
    )
  })
}

function send(response: ServerResponse, { code, text, type, allow }: Answer, isReusable: boolean): void {
  response.writeHead(code, {
    'Content-Type': type ?? 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(allow === undefined ? {} : { Allow: allow }),
    // Otherwise the unread rest of the body would be read as the next request.
    ...(isReusable ? {} : { Connection: 'close' }),
  })
  response.end(text)
}

function wrongMethod(allow: string): Answer {
  return { code: 405, text: `Use ${allow}.\n`, allow }
}

function present(verdict: Verdict): Answer {
  const code = statuses[verdict.outcome]
  if (verdict.outcome === 'cosigned') return { code, text: verdict.lines }
  if (verdict.outcome === 'wrong_old_size')
    return { code, text: `${verdict.size}\n`, type: 'text/x.tlog.size' }
  return { code, text: `${verdict.why}\n` }
}

async function describe({ key, logs, store }: Witness): Promise<Answer> {
  const origins = [...new Set(logs.map(({ name }) => name))]
  const lines = await Promise.all(
    origins.map(async (origin) => `  ${origin}: ${(await readRecorded(store, origin)).size} entries`),
  )
  const text = [
    `This is ${key.name}, a witness of transparency logs (https://c2sp.org/tlog-witness).`,
    'It cosigns a checkpoint when the log proves that it only added entries.',
    '',
    `Verifier key: ${formatVerifierKey(key)}`,
    '',
    'Logs, and the size of the tree that this witness cosigned last:',
    ...lines,
  ]
  return { code: 200, text: `${text.join('\n')}\n` }
}

/** The data folder of a witness: its key, the last checkpoint of each log, and evidence of forks. Only the owner of the folder can read the files. */

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
