/** The owner of an account checks an export: with both clients and the command line. */
import { readKeptProof, verifyAuditExport, verifyTransparencyLog } from '@beak/client/verify'
import type { Host } from '../host/start'
import type { Column } from '../shops/columns'
import { beak, fileOf } from '../shops/command-line'
import type { PythonShop } from '../shops/python-process'
import { agree } from './copies'

export interface Export {
  audit: { events: { seq: number; action: string; occurred_at: string }[]; head: string; log?: unknown }
}

export interface Owned {
  host: Host
  python: PythonShop
  ducklingId: string
  shown: Export
  /** An earlier export. */
  kept: Export
  /** Whether the lie is about entries besides heads. The Python client does not compare them. */
  isAboutEntries?: boolean
}

/**
 * Whether every check of an export finds nothing. By default the owner has nothing but the file. Otherwise she compares it with an earlier
 * export and with the log, and demands the signature of the witness. The Python client does not compare with earlier exports.
 */
export async function passesChecks(
  owned: Owned,
  { hasKeptExport }: Pick<Column, 'hasKeptExport'>,
): Promise<boolean> {
  const { host, python, ducklingId, shown, kept } = owned
  const { url, jwks, vkey, witness } = host
  const file = fileOf(shown)
  if (!hasKeptExport) {
    const report = await verifyAuditExport(shown, { issuer: url, keys: jwks })
    return agree('the owner by default', {
      typescript: report.ok,
      ...(owned.isAboutEntries
        ? {}
        : { python: await python.run('log', { url, jwks, target: ducklingId, export: shown }) }),
      'command line': await beak('audit', 'verify', file, '--url', url),
    })
  }
  const older = fileOf(kept)
  const args = ['--checkpoint', older, '--vkey', vkey, '--witness', witness]
  return agree('the owner with an earlier export', {
    typescript: await passesTypeScript(owned),
    'command line': await beak('audit', 'verify', file, '--url', url, ...args),
  })
}

async function passesTypeScript({
  host: { url, jwks, vkey, witness },
  shown,
  kept,
}: Owned): Promise<boolean> {
  const text = JSON.stringify(kept)
  const options = { issuer: url, keys: jwks, exports: [{ name: 'kept', text }], vkeys: [vkey] }
  const report = await verifyAuditExport(shown, options)
  const proofs = [text, JSON.stringify(shown)].flatMap((one) => readKeptProof('an export', one) ?? [])
  const log = `${url}/.well-known/tlog`
  const whole = await verifyTransparencyLog({ log, vkeys: [vkey], witnesses: [witness], kept: proofs })
  return report.ok && whole.ok
}
