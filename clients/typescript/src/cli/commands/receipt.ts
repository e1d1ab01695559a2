/** Checks receipts. Fails closed: what cannot be checked is not valid. */
import type { LogTrust } from '../../verify/receipts/enrolment'
import { command } from '../command'
import { usageFault } from '../exit'
import { readJson } from '../files'
import { jwks, offline, pinned, refuse, trustOf, vkey } from '../trust'

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
    vkey,
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
    const log = await logTrustOf(options)
    const verdict = await checkReceipt(await readJson(file), keys, log)
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
  return {
    ...(vkey.length === 0 ? {} : { vkeys: await pinned(vkey, 'ed25519') }),
    ...(witness.length === 0 ? {} : { witnesses: await pinned(witness, 'cosignature') }),
  }
}
