/** What `beak audit verify` says about a log without faults. */
import type { AuditReport } from '../../verify/audit/verify'
import { base64 } from '../../verify/bytes'
import type { LogReport } from '../../verify/log/verify-log'
import type { Trust } from '../trust'

const count = (number: number, noun: string, nouns: string) => `${number} ${number === 1 ? noun : nouns}`
const entries = (number: number) => count(number, 'entry', 'entries')

function keyWords({ source, issuer }: Trust, signer: string): string {
  if (source === 'given') return 'You gave the keys of the service.'
  if (source === 'service') return `The keys of the service came from ${issuer}.`
  return `The keys of the service came from the file itself, so anybody could have made it. To check them too: --jwks ${signer}/.well-known/jwks.json`
}

/** Describes the check of an export or a page. `heads` are the names of kept heads. */
export function auditLines(report: AuditReport, trust: Trust, heads: string[]): string[] {
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

export const keySourceWords: Record<LogReport['keySource'], string> = {
  given: 'You gave the keys of the log.',
  files:
    'The keys of the log came from the files. Keys from another source, such as keys that you kept, prove more: --vkey.',
  log: 'The keys of the log came from the log itself. Keys that you kept prove more: --vkey.',
}

/** For an export without a part of the transparency log that was compared with a kept head. */
export const onlyKeptHeads =
  'The file has no proof from the transparency log (audit.log), so it was compared only with the heads that you kept. To compare with the log: --log <address>.'

const noWitness =
  'No witness was asked for (--witness): only the service says since when the log has its entries.'

/** Describes the check of the transparency log. */
export function logLines(report: LogReport, isQuick: boolean): string[] {
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
export function logFacts(report: LogReport, isQuick: boolean) {
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
