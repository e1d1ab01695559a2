import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { policyOf, resultOf, resultsByLevel } from '@/lib/fixtures/policy-vectors'
import { receiptVectors } from '@/lib/fixtures/receipt-vectors'
import { pinnedKeys } from '../log-keys'
import { outcomePolicy } from '../receipt'
import { checkReceipt } from './verify'

const folder = join(process.cwd(), 'docs', 'receipts', 'vectors')
// biome-ignore lint/suspicious/noExplicitAny: each file has its own shape, which the document describes
const read = (name: string): any => JSON.parse(readFileSync(join(folder, name), 'utf8'))

const { jwks, vkeys, witnesses } = read('keys.json')
const log = { vkeys: pinnedKeys(vkeys, 'ed25519'), witnesses: pinnedKeys(witnesses, 'cosignature') }

/** Returns a receipt with another value at a path. */
function patched(receipt: object, path: (string | number)[], value: unknown): unknown {
  const copy = structuredClone(receipt) as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  const inner = path.slice(0, -1).reduce((one, name) => one[name] as typeof copy, copy)
  if (value === undefined) delete inner[last]
  else inner[last] = value
  return copy
}

describe('the vectors in docs/receipts/vectors', () => {
  it('equal the output of the code (otherwise run npm run receipt:vectors)', async () => {
    const made = await receiptVectors()
    expect(readdirSync(folder).sort()).toEqual([...made.keys(), 'forged.json', 'version-1.json'].sort())
    for (const [name, text] of made)
      expect(readFileSync(join(folder, name), 'utf8') === text, name).toBe(true)
  }, 120_000)

  it('have every outcome, and are valid with the expected facts', async () => {
    const outcomes = new Set()
    for (const { name, receipt, expected } of read('valid.json')) {
      const verdict = await checkReceipt(receipt, jwks, log)
      expect(verdict, name).toMatchObject({
        ok: true,
        facts: {
          version: receipt.version,
          outcome: expected.outcome,
          enrolment: { state: expected.enrolment },
        },
      })
      outcomes.add(expected.outcome)
    }
    expect([...outcomes].sort()).toEqual([
      'approved',
      'cancelled',
      'consumed',
      'expired',
      'rejected',
      'revoked',
    ])
  })

  // security: site-16
  it('are refused when any value is changed, at the part that it belongs to', async () => {
    const receipts = new Map(
      read('valid.json').map(({ name, receipt }: { name: string; receipt: object }) => [name, receipt]),
    )
    const changes = read('changed.json')
    expect(changes.length).toBeGreaterThan(70)
    for (const { name, path, value, part } of changes) {
      const verdict = await checkReceipt(patched(receipts.get(name) as object, path, value), jwks, log)
      expect(verdict.ok ? 'valid' : verdict.fault.part, path.join('.')).toMatch(
        new RegExp(`^(${part}|file)$`),
      )
    }
  })

  it('of version 1 are valid with the expected facts, or refused', async () => {
    for (const { name, receipt, expected } of read('version-1.json')) {
      const verdict = await checkReceipt(receipt, jwks, log)
      const facts = verdict.ok && verdict.facts.version === 1 ? verdict.facts : null
      const found = facts && {
        decided_at: facts.decidedAt,
        grant_expires_at: facts.grantExpiresAt,
        passkey: facts.passkey?.credentialId ?? null,
      }
      expect(found, name).toEqual(expected)
    }
  })

  it('are refused with the part at fault when they are forged', async () => {
    const forged = read('forged.json')
    expect(forged.length).toBeGreaterThanOrEqual(306)
    for (const { name, receipt, part } of forged) {
      const verdict = await checkReceipt(receipt, jwks, log)
      expect([name, verdict.ok ? 'valid' : verdict.fault.part]).toEqual([name, part])
    }
  })

  it('are accepted or refused at each level of trust as expected', async () => {
    for (const { name, receipt, expected, accepted_with } of read('valid.json'))
      expect([name, await resultsByLevel(receipt, expected.outcome, jwks)]).toEqual([name, accepted_with])
    const ruled = read('valid.json').filter((one: object) => 'accepted_with_rules' in one)
    expect(ruled.length).toBeGreaterThan(20)
    for (const { name, receipt, expected, accepted_with_rules } of ruled)
      expect([name, await resultsByLevel(receipt, expected.outcome, jwks, expected.decided_at)]).toEqual([
        name,
        accepted_with_rules,
      ])
    for (const { name, receipt, accepted_with } of read('version-1.json'))
      expect([name, await resultsByLevel(receipt, 'approved', jwks)]).toEqual([name, accepted_with])
  })

  // security: database-5
  it('are never accepted without a requirement, nor when they are changed or forged', async () => {
    for (const { receipt, expected } of read('valid.json'))
      expect(await resultOf(receipt, policyOf({ outcome: [expected.outcome] }, jwks))).toBe('requirement')
    for (const { name, receipt } of read('forged.json'))
      expect([name, await resultOf(receipt, policyOf({ require: 'service' }, jwks))]).toEqual([
        name,
        'invalid',
      ])
  })

  // security: site-20, database-5, database-6
  it('of policies have the expected result', async () => {
    const files = ['valid.json', 'version-1.json'].flatMap((file) =>
      read(file).map(({ name, receipt }: { name: string; receipt: object }) => [
        file === 'valid.json' ? name : `version-1/${name}`,
        receipt,
      ]),
    )
    const receipts = new Map<string, object>(files)
    const { policies, refused } = read('policy.json')
    for (const { about, receipt, policy, result } of policies)
      expect([about, await resultOf(receipts.get(receipt), policyOf(policy, jwks))]).toEqual([about, result])
    for (const { about, policy } of refused)
      expect(() => outcomePolicy(policyOf(policy, jwks)), about).toThrow(TypeError)
  })
})
