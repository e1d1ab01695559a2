/** How many statements the ceremonies of an account send, and in how many round trips. Each costs as much as the rest of a request. */
import { expect, it } from 'vitest'
import { aDuckling, anonymously, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { nextStream, statementsOf, writesOf } from '@/lib/fixtures/statements'
import { requestSignInCode, signInWithCode } from './sign-in'
import { signUp } from './sign-up'
import { verifyEmail } from './verify-email'

/**
 * Returns how many statements `work` sends, BEGIN and COMMIT included, and in how many writes, each of which waits for the answers to the one before.
 * Without the wake-up of other instances, which is sent later and for many transactions together.
 */
async function costOf(work: () => Promise<unknown>): Promise<{ statements: number; trips: number }> {
  const stream = await nextStream()
  let writes: string[] = []
  const statements = await statementsOf(async () => {
    writes = await writesOf(stream, work)
  })
  const begin = writes.findIndex((bytes) => bytes.includes('BEGIN'))
  const commit = writes.findLastIndex((bytes) => bytes.includes('COMMIT'))
  return {
    statements: statements.filter((text) => !text.includes('pg_notify')).length,
    trips: commit - begin + 1,
  }
}

it('signs up with 7 statements in 2 round trips', async () => {
  const input = { email: randomEmail(), displayName: 'Mallard', password: undefined, referralCode: undefined }
  expect(await costOf(() => signUp(anonymously(), input))).toEqual({ statements: 7, trips: 2 })
})

it('verifies an address with 9 statements in 3 round trips', async () => {
  const duckling = await aDuckling({ tier: 'T0' })
  const [context, code] = [await duckling.context(), await codeFor(duckling.email)]
  expect(await costOf(() => verifyEmail(context, code))).toEqual({ statements: 9, trips: 3 })
})

it('requests a sign-in code with 4 statements in 1 round trip, also for an unknown address', async () => {
  const { email } = await aDuckling()
  for (const address of [email, randomEmail()]) {
    const cost = await costOf(() => requestSignInCode(anonymously(), address))
    expect(cost).toEqual({ statements: 4, trips: 1 })
  }
})

it('signs in with 8 statements, and one for the mail about an unknown device, in 3 round trips', async () => {
  const { email } = await aDuckling()
  await requestSignInCode(anonymously(), email)
  const code = await codeFor(email)
  const cost = await costOf(() => signInWithCode(anonymously(), email, code))
  expect(cost).toEqual({ statements: 8 + 1, trips: 3 })
})
