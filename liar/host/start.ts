/** Starts everything: PostgreSQL, an honest witness, the built service, and in front of it the malicious host with all keys of the service. */
import { rmSync } from 'node:fs'
import type { KeySet } from '@beak/client/verify/keys'
import { formatVerifierKey, type VerifierKey } from '@beak/client/verify/log/verifier-key'
import { atEnd } from '@/bench/cleanup'
import { emptyDataDir, eventually, type Server, startServer } from '@/e2e/server'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { cosign } from '@/lib/domain/tlog/cosign'
import { logOrigin, logVerifierKey } from '@/lib/domain/tlog/origin'
import type { PublishedCheckpoint } from '@/lib/domain/tlog/published'
import { copyTemplate, createTemplate } from '@/lib/fixtures/postgres'
import { appendNow, newestCheckpoint } from '@/lib/fixtures/tlog'
import { signersOf, startWitness } from '@/lib/fixtures/witness-process'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { prepareKeys, publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { readClock } from '@/lib/kernel/clock'
import { config, parseConfig } from '@/lib/kernel/config'
import { forget, singleton } from '@/lib/kernel/singleton'
import { startPostgres } from '@/scripts/servers/postgres.mjs'
import { type Front, startFront } from './front'

export interface Host {
  /** The address of the host, which the service has in everything that it signs. */
  url: string
  /** For the helpers of the end-to-end tests. */
  server: Server
  front: Front
  jwks: KeySet
  /** Verifier keys of the log and of the witness. */
  vkey: string
  witness: string
  witnessKey: VerifierKey
  witnessUrl: string
}

/** Makes this process an instance of the service: it has the database and the secret, so all keys. */
function becomeTheHost(env: Record<string, string>): void {
  forget('config')
  singleton('config', () => parseConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...env }))
}

/** Starts the host. Everything ends with `runWithCleanup`. */
export async function startHost(): Promise<Host> {
  const front = await startFront()
  atEnd(front.close)
  const postgres = await startPostgres()
  atEnd(postgres.stop)
  const dataDir = emptyDataDir()
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = {
    BASE_URL: front.url,
    BEAK_SECRET: 'a secret that the malicious host knows',
    DATABASE_URL: await copyTemplate(postgres.url, await createTemplate(postgres.url)),
  }
  becomeTheHost({ ...env, DATA_DIR: dataDir })
  await openDatabase()
  atEnd(closeDatabase)
  await prepareKeys()
  const log = logVerifierKey(await logOrigin(), (await logKey(readClock())).x)
  const witness = await startWitness({ logs: [log], name: 'witness.example/w1' })
  process.once('exit', () => witness.child.kill('SIGKILL'))
  atEnd(async () => {
    await witness.stop()
    rmSync(witness.folder, { recursive: true, force: true })
  })
  const witnessed = { ...env, TLOG_WITNESSES: `${witness.vkey}@${witness.url}` }
  becomeTheHost({ ...witnessed, DATA_DIR: dataDir })
  const server = await startServer({ dataDir, env: { ...witnessed, LOG_LEVEL: 'error' } })
  atEnd(async () => void (await server.stop()))
  front.passTo(server.port)
  return {
    url: front.url,
    server: { url: front.url, port: server.port, dataDir, output: server.output },
    front,
    jwks: { keys: publicKeys() } as KeySet,
    vkey: formatVerifierKey(log),
    witness: witness.vkey,
    witnessKey: witness.key,
    witnessUrl: witness.url,
  }
}

/** Logs everything that is pending, and waits until the witness has cosigned it. */
export async function logNow({ witnessKey }: Host): Promise<PublishedCheckpoint> {
  await appendNow()
  return eventually(async () => {
    // The service asks its witness too, and only one of both may ask at a time.
    for (const one of config().tlogWitnesses) await cosign(one, readClock())
    const newest = await newestCheckpoint()
    return (await signersOf(newest.note, [witnessKey])).length > 0 ? newest : null
  }, 60)
}
