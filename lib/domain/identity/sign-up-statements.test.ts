/** How many statements the ceremonies of an account send, and in how many round trips. Each costs as much as the rest of a request. */
import { describe, expect, it } from 'vitest'
import { aDuckling, anonymously, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { statementsOf } from '@/lib/fixtures/statements'
import { nextStream, writesOf } from '@/lib/fixtures/writes'
import { requestSignInCode, signInWithCode } from './sign-in'
import { signUp } from './sign-up'
import { verifyEmail } from './verify-email'

/** BEGIN and COMMIT included. Without the wake-up of other instances, which is sent later and for many transactions together. */
async function countOf(work: () => Promise<unknown>): Promise<number> {
  return (await statementsOf(work)).filter((text) => !text.includes('pg_notify')).length
}

it('signs up with 7 statements', async () => {
  const input = { email: randomEmail(), displayName: 'Mallard', password: undefined, referralCode: undefined }
  expect(await countOf(() => signUp(anonymously(), input))).toBe(7)
})

it('verifies an address with 10 statements', async () => {
  const duckling = await aDuckling({ tier: 'T0' })
  const [context, code] = [await duckling.context(), await codeFor(duckling.email)]
  expect(await countOf(() => verifyEmail(context, code))).toBe(10)
})

it('requests a sign-in code with 4 statements, also for an unknown address', async () => {
  const { email } = await aDuckling()
  for (const address of [email, randomEmail()])
    expect(await countOf(() => requestSignInCode(anonymously(), address))).toBe(4)
})

it('signs in with 8 statements, and one for the mail about an unknown device', async () => {
  const { email } = await aDuckling()
  await requestSignInCode(anonymously(), email)
  const code = await codeFor(email)
  expect(await countOf(() => signInWithCode(anonymously(), email, code))).toBe(8 + 1)
})

describe('round trips', () => {
  /** Each write of the driver in a transaction waits for the answers to the one before. */
  const tripsOf = async (work: () => Promise<unknown>) => {
    const writes = await writesOf(await nextStream(), work)
    const first = writes.findIndex((bytes) => bytes.includes('BEGIN'))
    return writes.findLastIndex((bytes) => bytes.includes('COMMIT')) - first + 1
  }

  it('signs up in 2', async () => {
    const input = { email: randomEmail(), displayName: 'Teal', password: undefined, referralCode: undefined }
    expect(await tripsOf(() => signUp(anonymously(), input))).toBe(2)
  })

  it('verifies an address in 3', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const [context, code] = [await duckling.context(), await codeFor(duckling.email)]
    expect(await tripsOf(() => verifyEmail(context, code))).toBe(3)
  })

  it('requests a sign-in code in 1, and signs in with it in 3', async () => {
    const { email } = await aDuckling()
    expect(await tripsOf(() => requestSignInCode(anonymously(), email))).toBe(1)
    const code = await codeFor(email)
    expect(await tripsOf(() => signInWithCode(anonymously(), email, code))).toBe(3)
  })
})
