/** Passes for a sign-up, which the operator hands out (contract E, Who may sign up). */
import { db } from '@/lib/db/client'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { mintToken } from '@/lib/kernel/secret-token'

/** Seconds that a pass can be used. */
export const passSeconds = 14 * day

export interface Invited {
  /** Normalized, as `email` of lib/kernel/fields.ts returns it. */
  email: string
  /** The name that the page suggests. */
  name: string | undefined
}

/** Makes one pass for each person. Returns the links to the sign-up page, in the same order. Only digests are stored. */
export async function makeSignUpPasses(people: Invited[], now: Date): Promise<string[]> {
  const passes = people.map(({ email, name }) => ({ email, name, ...mintToken('sign_up_pass', now) }))
  await db().signUpPass.createMany({
    data: passes.map(({ id, email, secretHash }) => ({
      id,
      email,
      tokenHash: secretHash,
      createdAt: now,
      expiresAt: secondsAfter(now, passSeconds),
    })),
  })
  return passes.map(({ token, email, name }) => {
    const query = new URLSearchParams({ pass: token, email, ...(name === undefined ? {} : { name }) })
    return `${config().baseUrl}/signup?${query}`
  })
}
