/** Checks receipts of version 2 beyond the vectors: what is trusted, limits, and files that nobody would make. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  assertion,
  enrolmentIn,
  es256Passkey,
  issuer,
  key,
  logSigner,
  logWith,
  makeReceipt,
  namedLogSigner,
  origin,
  otherKey,
  signedAt,
  statementOf,
  treeOf,
  usualParams,
  valuesOf,
  witness,
} from '@/lib/fixtures/receipt-maker'
import { edPasskey, passkey, signedParts } from '@/lib/fixtures/signed-parts'
import { earlierStatement } from '@/lib/fixtures/valid-receipts'
import { aNewNoteSigner, aNoteSigner } from '@/lib/fixtures/witnesses'
import { outcomePolicy, verifyOutcome, verifyReceipt } from '../receipt'
import { describeReceipt } from './describe'
import type { LogTrust } from './enrolment'
import type { OutcomeFile } from './outcome-schema'
import { checkReceipt } from './verify'

/** Returns the receipts of a file in docs/receipts/vectors. */
const vectors = (file: string): { name: string; receipt: OutcomeFile }[] =>
  JSON.parse(readFileSync(`docs/receipts/vectors/${file}.json`, 'utf8'))

const jwks = { keys: [key.jwk] }
const log: LogTrust = { vkeys: [logSigner.key, namedLogSigner.key], witnesses: [witness.key] }

async function enrolmentOf(receipt: unknown, trust: LogTrust) {
  const verdict = await checkReceipt(receipt, jwks, trust)
  if (!verdict.ok) return verdict.fault.part
  return verdict.facts.version === 2 ? verdict.facts.enrolment.state : null
}

describe('the enrolment', () => {
  it('is proven only with trusted keys of the log and of a witness', async () => {
    const receipt = makeReceipt(await signedParts())
    for (const trust of [
      {},
      { vkeys: [] },
      { vkeys: [], witnesses: [witness.key] },
      { witnesses: [witness.key] },
    ])
      expect(await enrolmentOf(receipt, trust)).toBe('log_not_trusted')
    for (const trust of [{ vkeys: [logSigner.key] }, { vkeys: [logSigner.key], witnesses: [] }])
      expect(await enrolmentOf(receipt, trust)).toBe('witness_not_trusted')
    expect(await enrolmentOf(receipt, log)).toBe('proven')
    const others = [aNoteSigner('witness.example/w2', 4, 'cosignature').key]
    expect(await enrolmentOf(receipt, { ...log, witnesses: others })).toBe('not_witnessed')
    const both = { ...log, witnesses: [...others, witness.key] }
    expect(await enrolmentOf(receipt, both)).toBe('not_witnessed')
    expect(await enrolmentOf(receipt, { ...both, quorum: 1 })).toBe('proven')
    expect(await enrolmentOf(receipt, { vkeys: [aNewNoteSigner(origin).key] })).toBe('enrolment')
  })

  // security: database-7
  it('is not proven when the witness saw that state of the log only after the decision', async () => {
    for (const [seconds, state] of [
      [600, 'proven'],
      [601, 'not_witnessed'],
      [86_400, 'not_witnessed'],
    ] as const) {
      const late = await logWith([passkey, edPasskey], signedAt + seconds)
      const parts = await signedParts({ log: treeOf(late) })
      const receipt = makeReceipt({ ...parts, enrolment: await enrolmentIn(late, 2) })
      expect(await enrolmentOf(receipt, log), `${seconds}`).toBe(state)
    }
  })

  // security: database-7
  it('is not proven for a passkey that the holder of all keys of the service enrols today for a decision of last year', async () => {
    const [madeUp, now] = [es256Passkey(34), signedAt + 31_536_000]
    const today = await logWith([madeUp], now)
    const parts = await signedParts({ log: treeOf(today) }, madeUp)
    const receipt = makeReceipt({ ...parts, enrolment: await enrolmentIn(today, 2) })
    expect(await enrolmentOf(receipt, { vkeys: [logSigner.key] })).toBe('witness_not_trusted')
    expect(await enrolmentOf(receipt, log)).toBe('not_witnessed')
  })

  it('counts the earliest of several cosignatures, and no witness with a wrong one', async () => {
    const tree = await logWith([passkey, edPasskey])
    const [early = ''] = tree.checkpoint.split('\n').filter((line) => line.startsWith('\u2014 witness'))
    const late = await logWith([passkey, edPasskey], signedAt + 86_400)
    const enrolment = async (checkpoint: string) => ({ ...(await enrolmentIn(tree, 2)), checkpoint })
    const parts = await signedParts()
    const twice = makeReceipt({ ...parts, enrolment: await enrolment(`${late.checkpoint}${early}\n`) })
    expect(await enrolmentOf(twice, log)).toBe('proven')
    const wrong = early.replace(/.{8}$/, 'AAAAAAAA')
    const spoiled = makeReceipt({ ...parts, enrolment: await enrolment(`${tree.checkpoint}${wrong}\n`) })
    expect(await enrolmentOf(spoiled, log)).toBe('not_witnessed')
  })

  it('ignores keys in the receipt that are of an unknown kind', async () => {
    const parts = await signedParts()
    const vkeys = ['pond.example+00000000+unknown', witness.vkey, logSigner.vkey]
    const receipt = makeReceipt({ ...parts, enrolment: parts.enrolment && { ...parts.enrolment, vkeys } })
    expect(await enrolmentOf(receipt, {})).toBe('log_not_trusted')
  })

  // security: database-7
  it('is not proven for a made-up passkey, whatever its owner puts into the receipt', async () => {
    const madeUp = es256Passkey(33)
    const parts = await signedParts({}, madeUp)
    expect(await enrolmentOf(makeReceipt({ ...parts, enrolment: null }), log)).toBe('not_logged')
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const enrolment = await enrolmentIn(await logWith([passkey, edPasskey]), index)
      expect(await enrolmentOf(makeReceipt({ ...parts, enrolment }), log)).toBe('enrolment')
    }
  })
})

describe('a statement of version 1 that the passkey signed', () => {
  const earlier = (facts: object = {}) => {
    const statement_v1 = earlierStatement(facts)
    return { passkey: { ...assertion(passkey, statement_v1), statement_v1 } }
  }

  it('shows in the facts that the passkey signed less than the receipt has', async () => {
    expect(await checkReceipt(makeReceipt(earlier()), jwks)).toMatchObject({
      ok: true,
      facts: { passkey: { statementVersion: 1 } },
    })
    expect(await checkReceipt(makeReceipt(await signedParts()), jwks)).toMatchObject({
      ok: true,
      facts: { passkey: { statementVersion: 2 } },
    })
  })

  it('is refused for other params as soon as the receipt discloses all of them', async () => {
    const other = earlier({ params_hash: 'ab'.repeat(32) })
    expect(await checkReceipt(makeReceipt(other), jwks)).toMatchObject({ fault: { part: 'values' } })
    const some = { params: valuesOf(usualParams).params.slice(1) }
    expect(await checkReceipt(makeReceipt({ ...other, values: some }), jwks)).toMatchObject({ ok: true })
  })
})

describe('the keys of the service', () => {
  it('are not proven by the receipt itself', async () => {
    const receipt = makeReceipt({ signer: otherKey })
    expect(await checkReceipt(receipt)).toMatchObject({ ok: true, facts: { isTrustedKey: false } })
    expect(await checkReceipt(receipt, jwks)).toMatchObject({ ok: false, fault: { part: 'jws' } })
  })

  it('are refused from the theft on, for every time of signing', async () => {
    const distrusted = [{ kid: key.jwk.kid, from: '2027-01-01T00:00:00.000Z' }]
    const verdict = await checkReceipt(makeReceipt({}), { keys: [], distrusted })
    expect(verdict).toMatchObject({ ok: false, fault: { part: 'jws', message: /stolen/ } })
  })
})

describe('the public functions', () => {
  it('accept nothing without a requirement, and say what they found', async () => {
    const receipt = makeReceipt(await signedParts())
    expect(await verifyOutcome(receipt, { issuer, keys: jwks })).toMatchObject({
      ok: false,
      trust: 'signed',
      fault: { part: 'policy', reason: 'requirement' },
      facts: { outcome: 'approved' },
    })
    const forged = { ...receipt, outcome: 'rejected' }
    expect(await verifyOutcome(forged, { issuer, keys: jwks, require: 'service' })).toMatchObject({
      ok: false,
      trust: null,
      facts: null,
    })
  })

  // security: database-6
  it('refuse a policy that asks for a proof without a witness before they read a receipt', async () => {
    const policy = { issuer, keys: jwks, require: 'proven', vkeys: [logSigner.vkey] } as const
    expect(() => outcomePolicy(policy)).toThrow('needs a key of the log (vkeys) and a key of a witness')
    await expect(verifyOutcome({}, policy)).rejects.toThrow(TypeError)
    await expect(verifyOutcome({}, { issuer, keys: jwks, params: { amount: 1n } as never })).rejects.toThrow(
      'not JSON',
    )
  })

  // security: site-16
  it('verifyOutcome reads every version; verifyReceipt refuses versions 2 and 3, which can be a rejection', async () => {
    for (const { name, receipt } of vectors('valid')) {
      const policy = {
        issuer,
        keys: jwks,
        require: 'service',
        outcome: receipt.outcome,
        allowTest: true,
      } as const
      expect((await verifyOutcome(receipt, policy)).ok, name).toBe(true)
      expect(await verifyReceipt(receipt, { issuer, keys: jwks })).toMatchObject({ fault: { part: 'file' } })
    }
    const elsewhere = { issuer: 'https://lake.example', keys: jwks }
    expect(await verifyOutcome(makeReceipt({}), elsewhere)).toMatchObject({
      ok: false,
      fault: { part: 'jws' },
    })
    await expect(verifyOutcome({}, { issuer, keys: jwks, vkeys: ['no key'] })).rejects.toThrow(TypeError)
  })

  it('describe every outcome, and show hidden characters of foreign receipts', async () => {
    for (const { receipt } of vectors('valid')) {
      const verdict = await checkReceipt(receipt, jwks, log)
      if (!verdict.ok) throw new Error(verdict.fault.message)
      const { outcome, enrolment, rule } = describeReceipt(verdict.facts)
      // A rule that decided has the signature, and says so itself.
      expect([outcome, rule ?? enrolment]).not.toContain('')
    }
    const values = valuesOf({ note: 'safe\u202egnp.exe\u001b[2J' })
    const parts = { values, statement: statementOf({}, { note: 'safe\u202egnp.exe\u001b[2J' }) }
    const verdict = await checkReceipt(makeReceipt(parts), jwks)
    expect(verdict.ok && describeReceipt(verdict.facts).params).toBe(
      '"note": "safe⟨U+202E⟩gnp.exe\\u001b[2J"',
    )
  })
})

describe('a receipt of version 1', () => {
  it('without a passkey does not say that no passkey signed, because the pages sign version 2', async () => {
    const receipt = vectors('version-1').find(({ name }) => name === 'without-passkey')?.receipt
    const verdict = await checkReceipt(receipt, jwks)
    expect(verdict.ok && describeReceipt(verdict.facts)).toMatchObject({
      passkey:
        'This receipt has no signature of a passkey. A passkey may have signed version 2 (GET /beak/peck/outcome).',
      enrolment: '',
    })
  })
})

describe('a file that no service makes', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown
  const withValue = (value: unknown) => ({
    ...makeReceipt({}),
    values: { params: [{ salt: 'A', name: 'a', value }] },
  })

  it.each<[string, unknown]>([
    ['nested 100,000 times', withValue(nested(100_000))],
    ['with a million values', withValue(Array.from({ length: 1_000_000 }, () => 0))],
    ['with a megabyte of text', withValue('a'.repeat(1_000_000))],
    [
      'with a megabyte of names',
      withValue(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}${'a'.repeat(200)}`, 0]))),
    ],
    ['with an infinite number', withValue(JSON.parse('1e999'))],
    ['with half a character', withValue('\ud83d')],
    [
      'with 2,000 values of params',
      {
        ...makeReceipt({}),
        values: { params: Array.from({ length: 2000 }, () => ({ salt: '', name: '', value: 0 })) },
      },
    ],
    ['with 1,000 keys', { ...makeReceipt({}), jwks: { keys: Array.from({ length: 1000 }, () => key.jwk) } }],
  ])('%s is refused at once and without an exception', async (_, file) => {
    const start = performance.now()
    expect(await checkReceipt(file, jwks, log)).toMatchObject({ ok: false })
    expect(performance.now() - start).toBeLessThan(1000)
  })

  // Thousands of checks: slow on a busy machine.
  it('is refused for each changed character of a receipt, without an exception', {
    timeout: 120_000,
  }, async () => {
    const text = JSON.stringify(makeReceipt({ ...(await signedParts()), values: valuesOf({ amount: 1 }) }))
    const missed: string[] = []
    for (let at = 0; at < text.length; at++) {
      for (const other of ['A', '"']) {
        const file = parsed(`${text.slice(0, at)}${other}${text.slice(at + 1)}`)
        if (text[at] === other || file === undefined) continue
        if ((await checkReceipt(file, jwks, log)).ok) missed.push(text.slice(at - 20, at + 20))
      }
    }
    expect(missed).toEqual([])
  })
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
