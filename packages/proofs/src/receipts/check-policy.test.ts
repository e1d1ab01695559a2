/** Receipts that are checked with a log policy (C2SP tlog-policy), and logs with names of their own. */
import { describe, expect, it } from 'vitest'
import {
  enrolmentIn,
  issuer,
  key,
  logSigner,
  logWith,
  makeReceipt,
  namedLogSigner,
  otherLogSigner,
  otherWitness,
  signedAt,
  treeOf,
  witness,
} from '@/lib/fixtures/receipt-maker'
import { edPasskey, passkey, signedParts } from '@/lib/fixtures/signed-parts'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import { parseLogPolicy } from '../log/policy-file'
import { type OutcomePolicy, outcomePolicy, verifyOutcome } from '../receipt'

const third = aNoteSigner('third.example/w3', 8, 'cosignature')
const base: OutcomePolicy = { issuer, keys: { keys: [key.jwk] } }
const lines = (...quorum: string[]) =>
  [
    `log ${logSigner.vkey}`,
    `witness a ${witness.vkey}`,
    `witness b ${otherWitness.vkey}`,
    `witness c ${third.vkey}`,
    ...quorum,
  ].join('\n')

/** A receipt whose state of the log these witnesses cosigned at this time. */
async function receiptOf(witnesses: (typeof witness)[], time = signedAt, signer = logSigner) {
  const log = await logWith([passkey, edPasskey], time, witnesses, signer)
  const parts = await signedParts({ log: treeOf(log, signer) })
  return makeReceipt({ ...parts, enrolment: await enrolmentIn(log, 2) })
}

async function resultOf(receipt: unknown, policy: Partial<OutcomePolicy>): Promise<string> {
  const verdict = await verifyOutcome(receipt, { ...base, require: 'proven', ...policy })
  if (verdict.ok) return 'ok'
  return verdict.facts !== null && verdict.facts.version !== 1
    ? verdict.facts.enrolment.state
    : verdict.fault.part
}

describe('a log policy', () => {
  it('decides by its groups which witnesses are enough', async () => {
    const nested = parseLogPolicy(lines('group one any a b', 'group both all one c', 'quorum both'))
    const resultWith = async (...witnesses: (typeof witness)[]) =>
      resultOf(await receiptOf(witnesses), { logPolicy: nested })
    expect(await resultWith(witness, otherWitness)).toBe('not_witnessed')
    expect(await resultWith(third)).toBe('not_witnessed')
    expect(await resultWith(witness, third)).toBe('ok')
    expect(await resultWith(otherWitness, third)).toBe('ok')
  })

  it('counts only witnesses that cosigned in time', async () => {
    const logPolicy = parseLogPolicy(lines('group two 2 a b c', 'quorum two'))
    // Each witness cosigns a second after the one before.
    expect(await resultOf(await receiptOf([witness, third], signedAt + 599), { logPolicy })).toBe('ok')
    expect(await resultOf(await receiptOf([witness, third], signedAt + 600), { logPolicy })).toBe(
      'not_witnessed',
    )
  })

  it('trusts the keys of its logs, and no others', async () => {
    const logPolicy = parseLogPolicy(lines('quorum a').replace(logSigner.vkey, otherLogSigner.vkey))
    expect(await resultOf(await receiptOf([witness]), { logPolicy })).toBe('enrolment')
  })

  it('proves nothing with "quorum none"', async () => {
    const logPolicy = parseLogPolicy(lines('quorum none'))
    expect(await resultOf(await receiptOf([witness]), { logPolicy, require: 'signed' })).toBe('ok')
    const verdict = await verifyOutcome(await receiptOf([witness]), { ...base, logPolicy })
    expect(verdict.facts).toMatchObject({ enrolment: { state: 'witness_not_trusted' } })
    expect(() => outcomePolicy({ ...base, require: 'proven', logPolicy })).toThrow('names no witness')
    const noLog = parseLogPolicy(lines('quorum a').replace(/^log.*\n/, ''))
    expect(() => outcomePolicy({ ...base, require: 'proven', logPolicy: noLog })).toThrow('names no log')
  })

  it('is refused beside keys and a number', () => {
    const logPolicy = parseLogPolicy(lines('quorum a'))
    for (const more of [{ vkeys: [logSigner.vkey] }, { witnesses: [witness.vkey] }, { quorum: 1 }])
      expect(() => outcomePolicy({ ...base, ...more, logPolicy })).toThrow('Give either a log policy')
    expect(() => outcomePolicy({ ...base, vkeys: [], witnesses: [], logPolicy })).not.toThrow()
  })
})

describe('the name of the log', () => {
  it('need not be the address of the service', async () => {
    const receipt = await receiptOf([witness], signedAt, namedLogSigner)
    const trust = { vkeys: [namedLogSigner.vkey], witnesses: [witness.vkey] }
    expect(await resultOf(receipt, trust)).toBe('ok')
  })

  it('must be that of a trusted key', async () => {
    const receipt = await receiptOf([witness], signedAt, otherLogSigner)
    expect(await resultOf(receipt, { vkeys: [logSigner.vkey], witnesses: [witness.vkey] })).toBe('enrolment')
    // The key of one trusted log cannot sign for another one.
    const both = { vkeys: [logSigner.vkey, namedLogSigner.vkey], witnesses: [witness.vkey] }
    expect(await resultOf(receipt, both)).toBe('enrolment')
  })
})
