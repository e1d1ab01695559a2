/**
 * The checks of certificates, receipts and audit logs. All fail closed: what cannot be checked is not valid. The verifiers are loaded when a
 * command needs them, so that the other commands start faster.
 */
import { existsSync } from 'node:fs'
import type { KeySet, KeySource } from '../../verify'
import type { Fault } from '../../verify/audit/chain'
import type { AuditReport } from '../../verify/audit/verify'
import type { LogTrust } from '../../verify/receipts/enrolment'
import type { TransparencyLogReport } from '../../verify/transparency-log'
import { command } from '../command'
import { timeText } from '../duration'
import { Exit, exitCodes, usageFault } from '../exit'
import { readJson, readText } from '../files'
import type { Session } from '../session'

const jwks = {
  type: 'string',
  value: 'file or address',
  summary: 'The keys of the service that you trust. Default: fetched from the service.',
} as const
const offline = {
  type: 'boolean',
  summary: 'Use only the keys in the file. This proves only that nothing was changed since it was signed.',
} as const

interface Trust {
  keys: KeySet | KeySource | undefined
  /** The service that must have signed. Null: any. */
  issuer: string | null
}

/** Returns which keys to trust. Without `--offline`, the keys come from a file or from the service, never from what is checked. */
async function trustOf(
  session: Session,
  options: { jwks: string | undefined; offline?: boolean },
): Promise<Trust> {
  if (options.jwks !== undefined) {
    if (options.offline) throw usageFault('Give either --jwks or --offline.')
    return { keys: (await readJson(options.jwks)) as KeySet, issuer: null }
  }
  if (options.offline) return { keys: undefined, issuer: null }
  const issuer = await session.url()
  return { keys: await keysAt(issuer), issuer }
}

async function keysAt(issuer: string): Promise<KeySource> {
  const { remoteKeys } = await import('../../verify/remote-keys')
  try {
    return remoteKeys(issuer)
  } catch (error) {
    throw usageFault((error as Error).message, 'Or give the keys: --jwks <file>.')
  }
}

/** Ends with `notValid` and the reasons. */
function refuse(session: Session, verdict: unknown, messages: string[]): never {
  if (session.output.isJson) session.output.result(verdict, () => '')
  throw new Exit(exitCodes.notValid, messages.join('\n'))
}

export const certShow = command({
  name: 'cert show',
  summary: 'Show your birth certificate.',
  async run({ session }) {
    const beak = await session.beak('getCertificate')
    const certificate = await beak.getCertificate()
    session.output.facts(certificate, `Birth certificate of ${certificate.display_name}`, {
      id: certificate.cert_id,
      status: certificate.status,
      tier: certificate.tier,
      issued: timeText(certificate.issued_at),
      revoked: timeText(certificate.revoked_at),
      check: certificate.verify_url,
    })
  },
})

export const certVerify = command({
  name: 'cert verify',
  summary: 'Check a birth certificate.',
  details:
    'By its id, the service tells the present state. A credential (a JWT) is checked here: signature, times and status list of the service.',
  args: [{ name: 'certificate', summary: 'CERT-…, a credential, a file with one, or - for standard input.' }],
  options: { jwks },
  async run({ options, args: [given = ''], session }) {
    if (given.startsWith('CERT-')) return verifyById(session, given)
    const credential = await credentialOf(given)
    const issuer = await session.url()
    const keys =
      options.jwks === undefined ? await keysAt(issuer) : ((await readJson(options.jwks)) as KeySet)
    const { verifyCertificate } = await import('../../verify/certificate')
    const verdict = await verifyCertificate(credential, { issuer, keys })
    if (!verdict.ok) {
      const { reason, message } = verdict.fault
      if (reason === 'keys_unavailable' || reason === 'status_unavailable')
        throw new Exit(exitCodes.unreachable, message)
      refuse(session, verdict, [message])
    }
    const { facts } = verdict
    session.output.facts(verdict, 'The certificate is valid', {
      id: facts.certId,
      name: facts.displayName,
      duckling: facts.ducklingId,
      tier: facts.trustTier,
      issued: timeText(facts.issuedAt.toISOString()),
      'signed by': facts.issuer,
    })
  },
})

/** Returns the JWT in a text, or in the member `credential` of a JSON document. */
async function credentialOf(given: string): Promise<string> {
  const text = (given === '-' || existsSync(given) ? await readText(given) : given).trim()
  if (!text.startsWith('{')) return text
  const { credential } = JSON.parse(text) as { credential?: unknown }
  if (typeof credential !== 'string') throw usageFault('The file has no member "credential".')
  return credential
}

async function verifyById(session: Session, cert_id: string): Promise<void> {
  const beak = await session.anonymous()
  const found = await beak.verifyCertificate({ cert_id })
  session.output.facts(found, `The certificate is ${found.valid ? 'valid' : found.status}`, {
    id: found.cert_id,
    name: found.display_name,
    tier: found.tier,
    issued: timeText(found.issued_at),
    revoked: timeText(found.revoked_at),
  })
  if (!found.valid) throw new Exit(exitCodes.notValid, `The certificate is ${found.status}.`)
}

export const receiptVerify = command({
  name: 'receipt verify',
  summary: 'Check the receipt of an approval or of another outcome.',
  details:
    'Checks the signatures of the service and of the passkey. With --vkey, also that the transparency log has the passkey, and with --witness, that it had it before the decision. A valid receipt can be about a rejection: read the outcome.',
  args: [
    {
      name: 'file',
      summary: 'The receipt as JSON (GET /beak/peck/outcome or /beak/peck/receipt), or - for standard input.',
    },
  ],
  options: {
    jwks,
    offline,
    vkey: {
      type: 'string',
      multiple: true,
      value: 'key',
      summary: 'A key of the transparency log that you trust (/.well-known/tlog/vkeys). Repeat it.',
    },
    witness: {
      type: 'string',
      multiple: true,
      value: 'key',
      summary:
        'With --vkey: a key of a witness that the service does not run. One of them must have cosigned the log in time. Repeat it.',
    },
  },
  async run({ options, args: [file = ''], session }) {
    const { keys, issuer } = await trustOf(session, options)
    const [{ checkReceipt }, { describeReceipt }] = await Promise.all([
      import('../../verify/receipts/verify'),
      import('../../verify/receipts/describe'),
    ])
    const verdict = await checkReceipt(await readJson(file), keys, await logTrustOf(options))
    if (!verdict.ok) refuse(session, verdict, [`The receipt is not valid. ${verdict.fault.message}`])
    const { facts } = verdict
    if (issuer !== null && facts.issuer !== issuer)
      refuse(session, { ...verdict, ok: false }, [
        `The receipt was issued by ${facts.issuer}, not by ${issuer}.`,
      ])
    session.output.facts(verdict, 'The receipt is valid', describeReceipt(facts))
  },
})

/** Returns the keys of the log and of witnesses that the options name. */
async function logTrustOf({ vkey, witness }: { vkey: string[]; witness: string[] }): Promise<LogTrust> {
  if (witness.length > 0 && vkey.length === 0) throw usageFault('--witness needs --vkey.')
  const { pinnedKeys } = await import('../../verify/log-keys')
  try {
    return {
      ...(vkey.length === 0 ? {} : { vkeys: pinnedKeys(vkey, 'ed25519') }),
      ...(witness.length === 0 ? {} : { witnesses: pinnedKeys(witness, 'cosignature') }),
    }
  } catch (error) {
    throw usageFault((error as Error).message)
  }
}

export const auditVerify = command({
  name: 'audit verify',
  summary: 'Check the audit log in an account export.',
  details:
    'Checks every hash and link, and that the service signed the end. With a head that you kept, also that the service itself changed nothing before it. With --vkey, also the public transparency log of the service, and that it has every entry of this account.',
  args: [{ name: 'file', summary: 'An export (GET /beak/account/export), or - for standard input.' }],
  options: {
    jwks,
    offline,
    head: {
      type: 'string',
      multiple: true,
      value: 'file',
      summary: 'A head that you kept (GET /beak/audit/head). Repeat it.',
    },
    vkey: {
      type: 'string',
      multiple: true,
      value: 'key',
      summary: 'A key of the transparency log that you trust (/.well-known/tlog/vkeys). Repeat it.',
    },
    checkpoint: {
      type: 'string',
      multiple: true,
      value: 'file',
      summary: 'With --vkey: a checkpoint or proof that you kept, which the log must continue. Repeat it.',
    },
  },
  async run({ options, args: [file = ''], session }) {
    const { keys, issuer } = await trustOf(session, options)
    const heads = await Promise.all(options.head.map(async (name) => ({ name, text: await readText(name) })))
    const { verifyAudit } = await import('../../verify/audit/verify')
    const report = await verifyAudit(await readJson(file), { jwks: keys, heads })
    const { faults, head, events, ducklingId } = report
    const log = await checkLog(report, options)
    const messages = [
      ...faults.map(faultText),
      ...endFaults(report, issuer),
      ...(log?.faults ?? []).map(({ message }) => `Transparency log: ${message}`),
    ]
    const size = log?.newest?.size
    const result = {
      ok: messages.length === 0,
      events,
      duckling_id: ducklingId,
      head,
      faults,
      log_size: size ?? null,
    }
    if (messages.length > 0) refuse(session, result, messages)
    session.output.facts(result, 'The audit log is valid', {
      duckling: ducklingId,
      events: String(events),
      head: head ? `event ${head.seq}, ${head.hash}` : '',
      'signed by': head?.iss,
      'kept heads': heads.length > 0 ? `${heads.length} in the log` : '',
      'transparency log': size === undefined ? '' : `${size} entries`,
      keys: keys === undefined ? 'from the file itself' : '',
    })
  },
})

/** Verifies the transparency log of the service that signed the file, when its keys are given. */
async function checkLog(
  { head, chain, isPart, ducklingId, logProof }: AuditReport,
  { vkey: vkeys, checkpoint }: { vkey: string[]; checkpoint: string[] },
): Promise<TransparencyLogReport | null> {
  if (checkpoint.length > 0 && vkeys.length === 0) throw usageFault('--checkpoint needs --vkey.')
  if (vkeys.length === 0 || head === null) return null
  const { presentProof, readKeptProof } = await import('../../verify/log/kept-proof')
  const { verifyTransparencyLog } = await import('../../verify/transparency-log')
  const kept = await Promise.all(
    checkpoint.map(async (name) => {
      const proof = readKeptProof(name, await readText(name))
      if (!proof) throw usageFault(`${name} is neither a checkpoint nor a proof.`)
      return proof
    }),
  )
  const heads = presentProof('', logProof)?.heads
  const own =
    ducklingId === null
      ? undefined
      : { ducklingId, events: chain, isPart, ...(heads === undefined ? {} : { heads }) }
  try {
    return await verifyTransparencyLog({ log: `${head.iss}/.well-known/tlog`, vkeys, kept, own })
  } catch (error) {
    if (error instanceof TypeError) throw usageFault(error.message)
    throw new Exit(exitCodes.unreachable, `The transparency log cannot be read: ${(error as Error).message}`)
  }
}

const faultText = ({ seq, eventId, message }: Fault) =>
  seq === null ? message : `Event ${seq} (${eventId}): ${message}`

function endFaults(
  { isPart, head }: { isPart: boolean; head: { iss: string } | null },
  issuer: string | null,
): string[] {
  if (isPart)
    return ['This is a page of an audit log. Its end is not signed, so everything could be made up.']
  if (head !== null && issuer !== null && head.iss !== issuer)
    return [`The head was signed by ${head.iss}, not by ${issuer}.`]
  return []
}
