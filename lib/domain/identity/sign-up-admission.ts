/** Who may sign up (contract E, Who may sign up). Decided before the address is looked up, so that nobody can find out who has an account. */
import type { Tx } from '@/lib/db/client'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/context'
import { readToken } from '@/lib/kernel/secret-token'

export type AdmissionFailure = 'sign_up_closed' | 'sign_up_pass_invalid' | 'sign_up_domain_refused'

interface Applicant {
  email: string
  signUpPass?: string | undefined
}

/** Ends the admission. Call it after the account was created, in the same transaction. */
type SpendPass = (tx: Tx) => Promise<void>

const keepNothing: SpendPass = async () => undefined

/**
 * Throws unless the address may sign up. Locks the pass, so that one of many simultaneous sign-ups gets it. Returns a function that deletes
 * the pass: a sign-up that is refused for another reason does not use it.
 */
export async function admitSignUp(
  tx: Tx,
  context: AnonymousContext<AdmissionFailure>,
  { email, signUpPass }: Applicant,
): Promise<SpendPass> {
  const { signUp: policy } = config()
  if (policy.mode === 'open') return keepNothing
  if (policy.mode === 'closed') throw context.fail('sign_up_closed')
  if (policy.mode === 'domains' && signUpPass === undefined) {
    const domain = email.slice(email.lastIndexOf('@') + 1)
    if (policy.domains.includes(domain)) return keepNothing
    throw context.fail('sign_up_domain_refused')
  }
  const parts = readToken(signUpPass ?? '')
  if (parts === null) throw context.fail('sign_up_pass_invalid')
  const [pass] = await tx.rows<{ id: string }>`
    SELECT "id" FROM "SignUpPass"
    WHERE "id" = ${parts.id} AND "tokenHash" = ${parts.secretHash} AND "email" = ${email}
      AND "expiresAt" > ${context.now}::timestamptz FOR UPDATE`
  if (pass === undefined) throw context.fail('sign_up_pass_invalid')
  return async (inner) => {
    await inner.run`DELETE FROM "SignUpPass" WHERE "id" = ${pass.id}`
  }
}
