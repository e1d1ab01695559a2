/**
 * Answers the requests to a test account, with the commands and the passkey that a person would use. It waits for the signal of a new request
 * and does not poll.
 */
import { db } from '@/lib/db/client'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { onSignal } from '@/lib/infrastructure/events/signals'
import { type Loop, loop } from '@/lib/infrastructure/worker/loop'
import { readClock } from '@/lib/kernel/runtime/clock'
import type { TestAccount } from './accounts'
import { isRefusal, type TestPerson } from './people'

interface WaitingPeck {
  id: string
  createdAt: Date
  codeHash: string | null
}

export class Robot {
  readonly #typed = new Map<string, string>()
  readonly #loop: Loop
  readonly #ends: () => void

  constructor(
    readonly account: TestAccount,
    readonly person: TestPerson,
  ) {
    this.#loop = loop(`test account ${account.handle}`, null, () => this.#answerAll())
    this.#ends = onSignal(person.id, () => void this.#loop.turn())
  }

  /** Types a code for a request, as the person would. */
  async type(peckId: string, code: string): Promise<void> {
    this.#typed.set(peckId, code)
    await this.turn()
  }

  /** Answers what can be answered now. */
  turn(): Promise<void> {
    return this.#loop.turn()
  }

  async stop(): Promise<void> {
    this.#ends()
    await this.#loop.stop()
  }

  /** Returns the seconds until the next request can be answered, or undefined. */
  async #answerAll(): Promise<number | undefined> {
    const waiting = await db().peck.findMany({
      where: { targetDucklingId: this.person.id, status: 'pending' },
      orderBy: { id: 'asc' },
      select: { id: true, createdAt: true, codeHash: true },
    })
    const left = []
    for (const peck of waiting) if (!(await this.#answer(peck))) left.push(peck)
    const { delay } = this.account
    const [oldest] = left
    if (delay === undefined || oldest === undefined) return undefined
    return Math.max(0.01, delay - ageOf(oldest))
  }

  /** Answers a request. Returns false when the account does not answer it yet. */
  async #answer(peck: WaitingPeck): Promise<boolean> {
    const { id } = peck
    const decision = this.account.decide({
      age: ageOf(peck),
      needsCode: peck.codeHash !== null,
      typed: this.#typed.get(id),
    })
    if (decision === 'wait') return false
    try {
      if ('reject' in decision) await this.#reject(peck, decision.reject)
      else await this.#approve(peck, decision.approveWith)
    } catch (error) {
      // The asker has withdrawn it, or it has expired.
      if (!isRefusal(error, 'peck_not_pending', 'peck_not_found')) throw error
    }
    this.#typed.delete(id)
    return true
  }

  async #approve({ id, codeHash }: WaitingPeck, code: string): Promise<void> {
    const options = await challengePasskey(await this.person.context(), {
      purpose: 'approve',
      peck_id: id,
      ...(codeHash === null ? {} : { code }),
    })
    const passkey = this.person.authenticator.get(options)
    await approvePeck(await this.person.context(), { peckId: id, grantExpiresIn: undefined, passkey })
  }

  async #reject({ id }: WaitingPeck, reason: string): Promise<void> {
    const options = await challengePasskey(await this.person.context(), { purpose: 'reject', peck_id: id })
    const passkey = this.person.authenticator.get(options)
    await rejectPeck(await this.person.context(), id, reason, { passkey })
  }
}

const ageOf = ({ createdAt }: WaitingPeck) => (readClock().getTime() - createdAt.getTime()) / 1000
