/** Approvers for the tests and the demo data, enrolled with the commands of the domain. */
import { randomBytes } from 'node:crypto'
import { finishEnrolment, startEnrolment } from '@/lib/domain/approvers/enrol'
import { approverSite } from '@/lib/domain/approvers/site'
import type { AssertionCredential, Challenge, CreationOptions } from '@/lib/domain/passkeys/schema'
import { Authenticator, type Deviations } from './authenticator'
import type { ADuckling } from './ducklings'

/** The page of an approver with its passkey. */
export class AnApprover {
  readonly authenticator = new Authenticator()
  constructor(readonly origin = 'https://approve.example') {}

  /** Returns the new credential for a challenge of the service. */
  create(challenge: string, ducklingId: string, deviations: Deviations = {}) {
    const { id, origin } = approverSite(this.origin)
    const options = {
      rp: { id, name: id },
      // As the real page does, so that a new passkey replaces none.
      user: { id: randomBytes(32).toString('base64url'), name: ducklingId, displayName: ducklingId },
      challenge,
    } as CreationOptions
    return this.authenticator.create(options, { origin, ...deviations })
  }

  /** Returns the assertion for the options of the service. */
  sign(options: Challenge, deviations: Deviations = {}): AssertionCredential {
    return this.authenticator.get(options, { origin: this.origin, ...deviations })
  }
}

/** Sets an approver of the account, whose session must have a recent proof. */
export async function anApprover(
  owner: Pick<ADuckling, 'context'>,
  { covers = 'high', origin }: { covers?: 'high' | 'all'; origin?: string } = {},
): Promise<AnApprover> {
  const approver = new AnApprover(origin)
  const { challenge, duckling_id } = await startEnrolment(await owner.context(), approver.origin)
  await finishEnrolment(await owner.context(), approver.create(challenge, duckling_id), covers)
  return approver
}
