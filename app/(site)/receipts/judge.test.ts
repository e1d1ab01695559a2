import type { OutcomeFile } from '@beak/client/verify/receipts/outcome-schema'
import { describe, expect, it } from 'vitest'
import { issuer, key, logSigner, makeReceipt, otherKey } from '@/lib/fixtures/receipt-maker'
import { signedParts } from '@/lib/fixtures/valid-receipts'
import { judge, type OwnKeys } from './judge'

const own: OwnKeys = { issuer, keys: [key.jwk], log: [logSigner.vkey] }
const judgeOwn = (receipt: OutcomeFile, keys = own) => judge(JSON.stringify(receipt), keys, null)

describe('the check of a receipt on the page', () => {
  it('never calls the enrolment proven, because the page has only keys of the service', async () => {
    expect(await judgeOwn(makeReceipt(await signedParts()))).toMatchObject({
      outcome: 'holds',
      trust: 'own',
      facts: { enrolment: { state: 'witness_not_trusted' } },
    })
  })

  it('accepts a receipt when the keys of the log could not be read, and says that the enrolment is not proven', async () => {
    expect(await judgeOwn(makeReceipt(await signedParts()), { ...own, log: [] })).toMatchObject({
      outcome: 'holds',
      facts: { enrolment: { state: 'log_not_trusted' } },
    })
  })

  it.each<[string, OutcomeFile]>([
    ['a time of signing that no date has', makeReceipt({ claims: { iat: 9_007_199_254_740_991 } })],
    ['an end that is no date', makeReceipt({ claims: { grant_expires_at: '2026-99-99T99:99:99.999Z' } })],
    ['a key of somebody else', makeReceipt({ signer: otherKey })],
  ])('refuses a receipt with %s, and never throws', async (_name, receipt) => {
    expect(await judgeOwn(receipt)).toMatchObject({ outcome: 'fails' })
  })

  it('refuses a receipt when the check itself fails', async () => {
    const broken = { ...own, keys: 'none' } as unknown as OwnKeys
    expect(await judgeOwn(makeReceipt({}), broken)).toMatchObject({ outcome: 'fails' })
  })
})
