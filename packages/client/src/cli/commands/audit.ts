/** What `beak audit verify` says about a log without faults. */

import type { Fault } from '@beak/proofs/audit/chain'
import type { AuditReport } from '@beak/proofs/audit/verify'
import { base64 } from '@beak/proofs/bytes'
import { noLogPart } from '@beak/proofs/log/log-fault'
import type { LogReport } from '@beak/proofs/log/verify-log'
import { command } from '../command'
import { usageFault } from '../exit'
import { readJson, readText } from '../files'
import type { Session } from '../session'
import { jwks, offline, policy, refuse, rememberOption, type Trust, trustOf, vkey } from '../trust'
import { checkLog, isLogWanted, type LogOptions } from './audit-log'

const count = (number: number, noun: string, nouns: string) => `${number} ${number === 1 ? noun : nouns}`
const entries = (number: number) => count(number, 'entry', 'entries')

function keyWords({ source, issuer }: Trust, signer: string): string {
  if (source === 'given') return 'You gave the keys of the service.'
  if (source === 'service') return `The keys of the service came from ${issuer}.`
  return `The keys of the service came from the file itself, so anybody could have made it. To check them too: --jwks ${signer}/.well-known/jwks.json`
}

/** Describes the check of an export or a page. `heads` are the names of kept heads. */
function auditLines(report: AuditReport, trust: Trust, heads: string[]): string[] {
  const { head, ducklingId, events } = report
  const lines = [
    `${count(events, 'event', 'events')} of ${ducklingId}: every hash and every link is correct.`,
    ...heads.map((name) => `${name}: the log still contains the event of this head.`),
  ]
  if (head === null)
    return [
      ...lines,
      'This is a part of a log without a signed end: events before it, and after the event of the newest kept head, are not proven.',
      keyWords(trust, trust.issuer ?? '<service>'),
    ]
  const signedAt = new Date(head.iat * 1000).toISOString()
  return [
    ...lines,
    `They end at the signed head: event ${head.seq}, hash ${head.hash},`,
    `signed by ${head.iss} at ${signedAt} with the key ${head.kid}.`,
    keyWords(trust, head.iss),
  ]
}

const keySourceWords: Record<LogReport['keySource'], string> = {
  given: 'You gave the keys of the log.',
  files:
    'The keys of the log came from the files. Keys from another source, such as keys that you kept, prove more: --vkey.',
  log: 'The keys of the log came from the log itself. Keys that you kept prove more: --vkey.',
}

/** For an export without a part of the transparency log that was compared with a kept head. */
const onlyKeptHeads =
  'The file has no proof from the transparency log (audit.log), so it was compared only with the heads that you kept. To compare with the log: --log <address>.'

const noWitness =
  'No witness was asked for (--witness): only the service says since when the log has its entries.'

/** Describes the check of the transparency log. */
function logLines(report: LogReport, isQuick: boolean): string[] {
  const { newest, kept, included, coverage, cosignatures, keySource } = report
  const checked = isQuick ? 'its tiles give this root' : 'its entries and its tiles give this root'
  const size = newest
    ? `The transparency log ${newest.origin} has ${entries(newest.size)} and the root ${base64(newest.root)}: ${checked}.`
    : 'The transparency log was not read. To compare with it: --log <address>.'
  return [
    size,
    ...kept.map((one) =>
      newest
        ? `${one.name}: the log still begins with the ${entries(one.size)} of this checkpoint.`
        : `${one.name}: a signed checkpoint of ${entries(one.size)}.`,
    ),
    ...included.map(
      ({ name, index, seq }) =>
        `${name}: entry ${index} of the log ${seq === null ? 'exists' : `is event ${seq}`}.`,
    ),
    ...coverage.map(({ name, seq }) =>
      seq === null
        ? `${name}: no entry is about this audit log. The account must be younger than the checkpoint.`
        : `${name}: its entries cover this audit log up to event ${seq}.`,
    ),
    ...cosignatures.map(
      ({ witness, time }) => `Cosigned by ${witness} at ${new Date(time * 1000).toISOString()}.`,
    ),
    ...(cosignatures.length === 0 ? [noWitness] : []),
    keySourceWords[keySource],
  ]
}

/** Returns the facts about the log for `--json`. */
function logFacts(report: LogReport, isQuick: boolean) {
  const { newest, faults, keySource, keys, kept, included, coverage, cosignatures } = report
  return {
    ok: faults.length === 0,
    origin: newest?.origin ?? null,
    size: newest?.size ?? null,
    root: newest ? base64(newest.root) : null,
    is_quick: isQuick,
    key_source: keySource,
    keys: keys.map(({ name }) => name),
    kept,
    included,
    coverage,
    cosignatures,
    faults,
  }
}

/** Checks audit logs and transparency logs. Fails closed: what cannot be checked is not valid. */

const kept = { type: 'string', multiple: true, value: 'file' } as const

interface Options extends LogOptions {
  jwks: string | undefined
  duckling: string | undefined
  head: string[]
}

export const auditVerify = command({
  name: 'audit verify',
  summary: 'Check the audit log in an account export, and the transparency log of the service.',
  details:
    'Checks every hash and link, that the service signed the end, and the proof from the transparency log in the export. With a head, checkpoint or proof that you kept, also that the service itself changed nothing before it. The log is read with --log, --vkey, --policy, --checkpoint or --witness: then every hash and entry of it is checked, and that it has every entry of this account. Without a file, only the log is checked. Keys that came from the checked files are named: they prove less than keys that you kept.',
  args: [
    {
      name: 'file',
      optional: true,
      summary: 'An export (GET /beak/account/export), or - for standard input.',
    },
  ],
  options: {
    jwks,
    offline,
    duckling: { type: 'string', value: 'DUCK-…', summary: 'The owner that the audit log must have.' },
    head: { ...kept, summary: 'A head that you kept (GET /beak/audit/head). Repeat it.' },
    checkpoint: {
      ...kept,
      summary:
        'A checkpoint, proof or older export that you kept, which the log must continue. An older export also says how the audit log was. Repeat it.',
    },
    log: {
      type: 'string',
      value: 'address or folder',
      summary: 'Where the transparency log is, or a copy of it. Default: at the service.',
    },
    vkey,
    witness: {
      type: 'string',
      multiple: true,
      value: 'key',
      summary: 'A key of a witness that must have cosigned the newest checkpoint of the log. Repeat it.',
    },
    quorum: {
      type: 'string',
      value: 'number',
      summary: 'How many of the witnesses must have cosigned. Default: all of them.',
    },
    policy,
    remember: rememberOption,
    quick: { type: 'boolean', summary: 'Skip the entries of the log, and check only what the proofs need.' },
  },
  async run({ options, args: [file], session }) {
    checkWithoutFile(file, options)
    const trust = file === undefined ? null : await trustOf(session, options)
    const audit =
      file === undefined || trust === null ? null : await checkFile(file, trust, options, session.allowTest)
    const issuer = trust === null && options.log === undefined ? await session.url() : (trust?.issuer ?? null)
    const log = await checkLog({ audit, options, issuer, output: session.output })
    conclude(session, { audit, trust, log, options })
  },
})

/** Refuses options that are about the file when there is none. */
function checkWithoutFile(file: string | undefined, options: Options): void {
  if (file !== undefined) return
  if (!isLogWanted(options)) throw usageFault('<file> is missing.', 'See: beak audit verify --help')
  const { jwks, offline, duckling, head } = options
  if (jwks !== undefined || offline || duckling !== undefined || head.length > 0)
    throw usageFault('--jwks, --offline, --duckling and --head need a <file>.')
}

async function checkFile(
  file: string,
  { keys }: Trust,
  options: Options,
  allowTest: boolean,
): Promise<AuditReport> {
  const read = (names: string[]) =>
    Promise.all(names.map(async (name) => ({ name, text: await readText(name) })))
  const [heads, exports] = await Promise.all([read(options.head), read(options.checkpoint)])
  const { verifyAudit } = await import('@beak/proofs/audit/verify')
  const { duckling: ducklingId } = options
  return verifyAudit(await readJson(file), {
    jwks: keys,
    heads,
    exports,
    ducklingId,
    allowTest,
  })
}

interface Checked {
  audit: AuditReport | null
  trust: Trust | null
  log: LogReport | null
  options: Options
}

/** Prints the result, or refuses with every fault. */
function conclude(session: Session, { audit, trust, log, options }: Checked): void {
  const messages = [
    ...(audit?.faults ?? []).map(faultText),
    ...(audit && trust ? endFaults(audit, trust, options.head.length) : []),
    ...(audit && log === null && isUnproven(audit, options) ? [noLogPart] : []),
    ...(log?.faults ?? []).map(({ message }) => `Transparency log: ${message}`),
    ...(log?.faults.some(({ fork }) => fork) ? [`Both checkpoints are in ${options.remember}.`] : []),
  ]
  const result = {
    ok: messages.length === 0,
    events: audit?.events ?? null,
    duckling_id: audit?.ducklingId ?? null,
    head: audit?.head ?? null,
    is_part: audit?.isPart ?? null,
    key_source: trust?.source ?? null,
    kept_heads: options.head,
    faults: audit?.faults ?? [],
    messages,
    log_size: log?.newest?.size ?? null,
    log: log && logFacts(log, options.quick),
  }
  if (messages.length > 0)
    refuse(session, result, messages, log && log.faults.length > 0 ? keySourceWords[log.keySource] : '')
  const whole = audit?.isPart ? 'This part of the audit log' : 'The audit log'
  session.output.lines(result, `${audit === null ? 'The transparency log' : whole} is valid`, [
    ...(audit && trust ? auditLines(audit, trust, options.head) : []),
    ...(log ? logLines(log, options.quick) : [onlyKeptHeads]),
  ])
}

/** Whether neither the transparency log nor a kept head says how the log was. A file with faults is refused for them. */
const isUnproven = ({ isPart, faults }: AuditReport, { head }: Options) =>
  !isPart && faults.length === 0 && head.length === 0

const faultText = ({ seq, eventId, message }: Fault) =>
  seq === null ? message : `Event ${seq} (${eventId}): ${message}`

/** Returns what is wrong with the end of the log. The end of a page is only signed by heads that the caller kept. */
function endFaults({ isPart, head }: AuditReport, { issuer }: Trust, keptHeads: number): string[] {
  if (isPart && keptHeads === 0)
    return [
      'This is a page of an audit log. Its end is not signed, so everything could be made up. Check an export, or name a head that you kept: --head <file>.',
    ]
  if (head !== null && issuer !== null && head.iss !== issuer)
    return [`The head was signed by ${head.iss}, not by ${issuer}.`]
  return []
}
