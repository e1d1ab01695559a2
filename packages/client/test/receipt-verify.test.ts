/** `beak receipt verify` as a process, with log policies and remembered checkpoints. `cli.test.ts` runs it against a service. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  enrolmentIn,
  key,
  logSigner,
  logWith,
  makeReceipt,
  otherWitness,
  treeOf,
  witness,
} from '@/lib/fixtures/receipt-maker'
import { ruleParts } from '@/lib/fixtures/rule-maker'
import { edPasskey, passkey, signedParts } from '@/lib/fixtures/signed-parts'
import { aTerminal } from './beak-process'

const folder = mkdtempSync(join(tmpdir(), 'beak-receipt-'))
const write = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const jwks = write('jwks.json', { keys: [key.jwk] })
const verify = async (receipt: string, ...args: string[]) => {
  const { code, stdout, stderr } = await aTerminal().run([
    'receipt',
    'verify',
    receipt,
    '--jwks',
    jwks,
    ...args,
  ])
  return { code, output: stdout + stderr }
}
const policyFile = (quorum: string) =>
  write(
    `${quorum.replaceAll(' ', '-')}.policy`,
    `log ${logSigner.vkey}\nwitness a ${witness.vkey}\nwitness b ${otherWitness.vkey}\n${quorum}\n`,
  )
const receiptIn = async (name: string, ...passkeys: (typeof passkey)[]) => {
  const log = await logWith([passkey, ...passkeys])
  const parts = await signedParts({ log: treeOf(log) })
  return write(name, makeReceipt({ ...parts, enrolment: await enrolmentIn(log, 2) }))
}

describe('beak receipt verify', () => {
  it('takes keys, witnesses and quorum from a log policy', async () => {
    const receipt = await receiptIn('receipt.json', edPasskey)
    const proven = ['--require', 'proven', '--policy']
    expect((await verify(receipt, ...proven, policyFile('quorum a'))).code).toBe(0)
    const refused = await verify(receipt, ...proven, policyFile('quorum b'))
    expect(refused).toMatchObject({ code: 4, output: expect.stringContaining('(not_witnessed)') })
    expect(await verify(receipt, ...proven, policyFile('quorum none'))).toMatchObject({
      code: 2,
      output: expect.stringContaining('names no witness'),
    })
    const file = policyFile('quorum a')
    for (const more of [
      ['--vkey', logSigner.vkey],
      ['--vkey', logSigner.vkey, '--witness', witness.vkey],
      ['--quorum', '1'],
    ])
      expect(await verify(receipt, ...proven, file, ...more)).toMatchObject({
        code: 2,
        output: expect.stringContaining('Give either --policy, or --vkey'),
      })
  })

  it('refuses a receipt whose log contradicts the remembered one, and keeps both notes', async () => {
    const file = join(folder, 'remembered.json')
    const args = ['--require', 'signed', '--vkey', logSigner.vkey, '--remember', file]
    const first = await receiptIn('first.json', edPasskey)
    expect((await verify(first, ...args)).code).toBe(0)
    const { seen } = JSON.parse(readFileSync(file, 'utf8')).logs[logSigner.key.name]
    const { code, output } = await verify(await receiptIn('second.json', passkey), ...args)
    expect(code).toBe(4)
    expect(output).toContain('different people different histories')
    expect(output).toContain(`Both checkpoints are in ${file}.`)
    const { fork } = JSON.parse(readFileSync(file, 'utf8')).logs[logSigner.key.name]
    expect(fork.remembered).toBe(seen)
    expect((await verify(first, ...args)).code).toBe(0)
    const without = await verify(first, '--require', 'signed', '--remember', file)
    expect(without).toMatchObject({ code: 2, output: expect.stringContaining('--remember needs --vkey') })
  })

  it('accepts a request that a rule answered only with --accept-rules, and says what the rule is', async () => {
    const receipt = write('rule.json', makeReceipt(await ruleParts()))
    const proven = ['--require', 'proven', '--vkey', logSigner.vkey, '--witness', witness.vkey]
    const refused = await verify(receipt, ...proven)
    expect(refused).toMatchObject({ code: 4, output: expect.stringContaining('A rule answered') })
    const old = await verify(receipt, ...proven, '--accept-rules')
    expect(old).toMatchObject({
      code: 4,
      output: expect.stringContaining('The decision was made at 2026-09-22'),
    })
    const { code, output } = await verify(receipt, ...proven, '--accept-rules', '--decided-within', '99999d')
    expect(code).toBe(0)
    for (const text of [
      'The request lies within the rule.',
      'Approve without asking me: pay an invoice',
      'This costs €4,800.50.',
      'Spent €5,800.50 of €10,000.00 in 2026-09.',
      'no later than ten minutes after the stated time of the rule',
    ])
      expect(output).toContain(text)
  })

  it('refuses a request that lies outside of its rule', async () => {
    const params = { amount: 5000.01, currency: 'EUR', to: 'pond@example.com' }
    const receipt = write('outside.json', makeReceipt(await ruleParts({ params })))
    const { code, output } = await verify(receipt, '--require', 'service', '--accept-rules')
    expect(code).toBe(4)
    expect(output).toContain('The request does not lie within the rule (value: "amount").')
  })
})
