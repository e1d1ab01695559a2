import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { describe, expect, it } from 'vitest'
import {
  endorsement,
  issuer,
  key,
  logSigner,
  makeReceipt,
  otherKey,
  otherWitness,
  type TestPasskey,
  witness,
} from '@/lib/fixtures/receipt-maker'
import { ruleParts } from '@/lib/fixtures/rule-maker'
import { edPasskey, oldPasskey, passkey, signedParts, signedParts3 } from '@/lib/fixtures/signed-parts'
import { type GivenKeys, judge, type OwnKeys, type PastedKeys, pinText, readGiven } from './judge'

const own: OwnKeys = { issuer, keys: [key.jwk], log: [logSigner.vkey] }
const judgeOwn = (receipt: OutcomeFile, keys = own) => judge(JSON.stringify(receipt), keys, null)

const pasted = { service: '', log: '', witnesses: '', quorum: '', pins: '' }

/** Checks with pasted keys, as the form of the page does. */
async function judgeWith(keys: Partial<PastedKeys>) {
  const given = readGiven({ ...pasted, ...keys })
  if (typeof given === 'string') return given
  return judge(JSON.stringify(makeReceipt(await signedParts())), own, given)
}

describe('the check of a receipt on the page', () => {
  it('says who confirms a receipt: only the service, a passkey, or witnesses whose keys were pasted', async () => {
    expect(await judgeOwn(makeReceipt({}))).toMatchObject({ outcome: 'holds', trust: 'service' })
    expect(await judgeWith({ witnesses: witness.vkey })).toMatchObject({ keys: 'own', trust: 'proven' })
    const service = JSON.stringify({ keys: [key.jwk] })
    expect(
      await judgeWith({ service, log: logSigner.vkey, witnesses: ` ${witness.vkey} \n\n` }),
    ).toMatchObject({
      keys: 'given',
      trust: 'proven',
    })
    const two = `${witness.vkey}\n${otherWitness.vkey}`
    expect(await judgeWith({ witnesses: two })).toMatchObject({ trust: 'signed' })
    expect(await judgeWith({ witnesses: two, quorum: '1' })).toMatchObject({ trust: 'proven' })
    const others = JSON.stringify({ keys: [otherKey.jwk] })
    expect(await judgeWith({ service: others })).toMatchObject({ outcome: 'fails' })
  })

  it('says that only the service confirms what a rule answered, and shows the rule', async () => {
    const given = readGiven({ ...pasted, witnesses: witness.vkey }) as GivenKeys
    const judgement = await judge(JSON.stringify(makeReceipt(await ruleParts())), own, given)
    expect(judgement).toMatchObject({
      outcome: 'holds',
      trust: 'service',
      facts: { rule: { withinRule: 'proven', enrolment: { state: 'proven' } } },
    })
  })

  it('says that a receipt is pinned when a pasted passkey signed it, or vouches for the passkey that signed it', async () => {
    const receipt = JSON.stringify(makeReceipt(await signedParts3({}, [endorsement(oldPasskey, passkey)])))
    const pinOf = ({ credentialId, publicKey }: TestPasskey) =>
      pinText({ credential_id: credentialId, public_key: publicKey })
    const judgePinned = async (...pins: string[]) => {
      const given = readGiven({ ...pasted, pins: `\n${pins.join('\n')} \n` })
      return typeof given === 'string' ? given : judge(receipt, own, given)
    }
    expect(await judgePinned(pinOf(passkey))).toMatchObject({ keys: 'own', trust: 'pinned' })
    expect(await judgePinned(pinOf(edPasskey), pinOf(oldPasskey))).toMatchObject({ trust: 'pinned' })
    expect(await judgePinned(pinOf(edPasskey))).toMatchObject({ trust: 'signed' })
    expect(await judgePinned(`${passkey.credentialId}:${edPasskey.publicKey}`)).toMatchObject({
      trust: 'signed',
    })
  })

  it('says what is wrong with pasted keys', async () => {
    expect(await judgeWith({ service: '{}' })).toContain("isn't a set")
    expect(await judgeWith({ witnesses: logSigner.vkey })).toContain('not the verifier key of a witness')
    expect(await judgeWith({ witnesses: witness.vkey, quorum: '2' })).toContain('quorum')
    for (const pin of ['abc', 'abc:', ':abc', 'abc:d=', 'a:b:c', 'a b'])
      expect(await judgeWith({ pins: `abc:def\n${pin}` })).toContain("Passkey 2 isn't")
  })

  it('does not call the enrolment proven without keys of witnesses', async () => {
    expect(await judgeOwn(makeReceipt(await signedParts()))).toMatchObject({
      outcome: 'holds',
      keys: 'own',
      trust: 'signed',
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
