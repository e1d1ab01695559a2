/** The states of the pecks of a fake, by its clock. */
import { isFreeText } from '@beak/decision/free-text'
import { bytesOfText, hex } from '@beak/proofs/bytes'
import { canonicalText } from '@beak/proofs/canonical'
import type { Outcome } from '@beak/proofs/receipts/outcome'
import { sha256 } from '@noble/hashes/sha2.js'
import { Refused } from './failures'
import { type Agent, ownerOf, type Person } from './people'

export interface Question {
  action: string
  scope: 'limited' | 'timed' | 'standing'
  params: Record<string, unknown>
  message: string | null
  audience: string | null
  /** Seconds. */
  expiresIn: number
  grantSeconds: number | null
}

/** Times are in milliseconds. */
export interface FakePeck extends Question {
  id: string
  asker: Person | Agent
  target: Person
  paramsHash: string
  createdAt: number
  expiresAt: number
  decided: { status: 'approved' | 'rejected' | 'cancelled'; at: number; reason: string | null } | null
  /** The rule that answered. Null: a person, or nobody so far. */
  ruleId: string | null
  grantExpiresAt: number | null
  revokedAt: number | null
  uses: number
  lastUsedAt: number | null
  /** Whether the approval was undone. */
  undone: boolean
  /** The request that waits in place of an undone one, and the undone one in whose place a request waits. */
  supersededBy: string | null
  supersedes: string | null
}

/** What a new request has. */
const undecided = {
  decided: null,
  ruleId: null,
  grantExpiresAt: null,
  revokedAt: null,
  uses: 0,
  lastUsedAt: null,
  undone: false,
  supersededBy: null,
} satisfies Partial<FakePeck>

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const randomText = (length = 26) =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % 32]).join('')

const hashOf = (params: Record<string, unknown>) => hex(sha256(bytesOfText(canonicalText(params))))

/** The approval of a request in free text is an answer: it gives no permission. */
const endOfGrant = ({ action }: FakePeck, at: number, seconds: number | null) =>
  isFreeText(action) ? at : seconds === null ? null : at + seconds * 1000

const pauseMs = 3_600_000
const undoableMs = 30_000

export class Pecks {
  readonly all = new Map<string, FakePeck>()
  /** Called after each change. */
  #listeners = new Set<() => void>()

  constructor(readonly now: () => number) {}

  /** Asks, or returns the identical request that waits. A test account answers at once. `spend` is called before a new request. */
  ask(
    asker: Person | Agent,
    target: Person,
    question: Question,
    spend: () => void,
  ): { peck: FakePeck; repeated: boolean } {
    const paramsHash = hashOf(question.params)
    const earlier = [...this.all.values()].filter(
      (peck) =>
        ownerOf(peck.asker) === ownerOf(asker) && peck.target === target && peck.action === question.action,
    )
    const same = this.#identical({ ...question, asker, target, paramsHash })
    if (same) return { peck: same, repeated: true }
    this.#checkPause(earlier, target)
    spend()
    const createdAt = this.now()
    const peck = this.#add({
      ...question,
      ...undecided,
      id: `PECK-${randomText()}`,
      asker,
      target,
      paramsHash,
      createdAt,
      expiresAt: createdAt + question.expiresIn * 1000,
      supersedes: null,
    })
    this.#answerByRule(peck)
    this.settle()
    return { peck, repeated: false }
  }

  #add(peck: FakePeck): FakePeck {
    this.all.set(peck.id, peck)
    return peck
  }

  /** Returns the request that waits for the answer to the same question, or undefined. */
  #identical(asked: Identity): FakePeck | undefined {
    const names = ['asker', 'target', 'action', 'scope', 'paramsHash', 'audience'] as const
    return [...this.all.values()].find(
      (peck) => names.every((name) => peck[name] === asked[name]) && this.statusOf(peck) === 'pending',
    )
  }

  /** Answers one use by an agent, as the service does. Other requests wait for the person. */
  #answerByRule(peck: FakePeck): void {
    const rule = peck.target.rules.find(({ action }) => action === peck.action)
    if (rule === undefined || peck.target.isPaused) return
    if (peck.scope !== 'limited' || !('owner' in peck.asker)) return
    peck.ruleId = rule.id
    const reason = `${rule.answer === 'approve' ? 'Approve' : 'Reject'} without asking me: ${rule.action}.`
    this.decide(peck, rule.answer === 'approve' ? 'approved' : 'rejected', { reason })
  }

  /** A target that rejected is not asked for the same action within an hour. Test accounts have no pause. */
  #checkPause(earlier: FakePeck[], target: Person): void {
    if (target.decides !== undefined) return
    const ends = earlier.map(({ decided }) => (decided?.status === 'rejected' ? decided.at + pauseMs : 0))
    const seconds = Math.ceil((Math.max(0, ...ends) - this.now()) / 1000)
    if (seconds > 0) throw new Refused('peck_recently_rejected', { retry_after: seconds })
  }

  /** Returns the peck with this id. Throws `peck_not_found`. */
  find(id: string): FakePeck {
    const peck = this.all.get(id)
    if (!peck) throw new Refused('peck_not_found')
    return peck
  }

  /** Decides a pending peck. Throws `peck_not_pending`. `grantSeconds`: another lifetime of the permission. */
  decide(
    peck: FakePeck,
    status: 'approved' | 'rejected' | 'cancelled',
    { reason = null, at = this.now(), grantSeconds = peck.grantSeconds }: Decision = {},
  ): void {
    const current_status = this.statusOf(peck)
    if (current_status !== 'pending') throw new Refused('peck_not_pending', { current_status })
    peck.decided = { status, at, reason }
    if (status === 'approved') peck.grantExpiresAt = endOfGrant(peck, at, grantSeconds)
    this.#changed()
  }

  /** Spends a use. Throws `grant_not_active`, `paused`, `grant_mismatch` or `grant_audience_mismatch`. */
  use(peck: FakePeck, params: Record<string, unknown>, audience: string | undefined, spend: boolean): void {
    this.#requireActive(peck)
    if (peck.target.isPaused) throw new Refused('paused', { current_status: 'paused' })
    if (hashOf(params) !== peck.paramsHash) throw new Refused('grant_mismatch')
    if (audience !== undefined && peck.audience !== null && audience !== peck.audience)
      throw new Refused('grant_audience_mismatch')
    if (!spend) return
    peck.uses += 1
    peck.lastUsedAt = this.now()
  }

  /** Ends a permission. Throws `grant_not_active`. */
  revoke(peck: FakePeck): void {
    this.#requireActive(peck)
    peck.revokedAt = this.now()
  }

  #requireActive(peck: FakePeck): void {
    const current_status = this.grantStatusOf(peck)
    if (current_status !== 'active')
      throw new Refused('grant_not_active', current_status === null ? {} : { current_status })
  }

  /**
   * Revokes a permission that a person gave in the last seconds, and asks the same again until the same end. What was used is not asked again. A
   * second call changes nothing. Throws `peck_not_pending` for another answer, `grant_not_active`, or `nothing_to_undo`.
   */
  undo(peck: FakePeck): void {
    const { decided, ruleId } = peck
    if (peck.undone) return
    const current_status = this.statusOf(peck)
    if (current_status === 'pending') throw new Refused('nothing_to_undo')
    if (decided?.status !== 'approved') throw new Refused('peck_not_pending', { current_status })
    // An answer gave no permission that could end.
    if (!isFreeText(peck.action)) this.#requireActive(peck)
    if (ruleId !== null || decided.at + undoableMs <= this.now()) throw new Refused('nothing_to_undo')
    peck.revokedAt = this.now()
    peck.undone = true
    if (peck.uses === 0 && peck.expiresAt > this.now()) peck.supersededBy = this.#askAgain(peck).id
    this.settle()
  }

  /** Returns the request that waits in place of an undone one. No rule answers it, and it spends no use of an invitation. */
  #askAgain(peck: FakePeck): FakePeck {
    const again = { id: `PECK-${randomText()}`, createdAt: this.now(), supersedes: peck.id }
    return this.#identical(peck) ?? this.#add({ ...peck, ...undecided, ...again })
  }

  statusOf({ decided, expiresAt }: FakePeck) {
    return decided?.status ?? (expiresAt <= this.now() ? 'expired' : 'pending')
  }

  grantStatusOf(peck: FakePeck) {
    if (peck.decided?.status !== 'approved') return null
    if (peck.revokedAt !== null) return 'revoked'
    if (peck.scope === 'limited' && peck.uses > 0) return 'consumed'
    return peck.grantExpiresAt !== null && peck.grantExpiresAt <= this.now() ? 'expired' : 'active'
  }

  /** Returns the outcome for a receipt. Throws `peck_undecided`. */
  outcomeOf(peck: FakePeck): Outcome {
    const status = this.statusOf(peck)
    if (status === 'pending') throw new Refused('peck_undecided', { current_status: status })
    const grant = this.grantStatusOf(peck)
    return grant === 'revoked' || grant === 'consumed' ? grant : status
  }

  /** Lets the test accounts answer what is due, and tells everybody who waits. Called when the clock has moved. */
  settle(): void {
    for (const peck of this.all.values()) {
      const { decides } = peck.target
      if (peck.decided !== null || decides === undefined || decides === 'never') continue
      if ('reject' in decides) this.decide(peck, 'rejected', { reason: decides.reject })
      else this.#approveWhenDue(peck, peck.createdAt + decides.approveAfter)
    }
    this.#changed()
  }

  #approveWhenDue(peck: FakePeck, at: number): void {
    if (at > this.now()) return
    peck.decided = { status: 'approved', at, reason: null }
    peck.grantExpiresAt = endOfGrant(peck, at, peck.grantSeconds)
  }

  /** Waits until a peck is not pending. Rejects with the reason of the signal when it aborts. */
  async decided(peck: FakePeck, signal: AbortSignal | null | undefined): Promise<void> {
    while (this.statusOf(peck) === 'pending') await this.#nextChange(signal)
  }

  #nextChange(signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#listeners.delete(change)
        signal?.removeEventListener('abort', abort)
      }
      const change = () => {
        end()
        resolve()
      }
      const abort = () => {
        end()
        reject(signal?.reason)
      }
      this.#listeners.add(change)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort)
    })
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

/** What is equal for two requests for the same. */
type Identity = Pick<FakePeck, 'asker' | 'target' | 'action' | 'scope' | 'paramsHash' | 'audience'>

interface Decision {
  reason?: string | null
  at?: number
  grantSeconds?: number | null
}
