/** The invitation links of a fake, by its clock. */
import type { Invitation } from '../generated/schemas'
import { Refused } from './failures'
import { randomText } from './pecks'
import type { Agent, Person } from './people'

interface NewInvitation {
  agentId: string | null
  action: string | null
  maxUses: number | null
  note: string | null
  /** Seconds. */
  expiresIn: number | null
}

/** Times are in milliseconds. */
export interface FakeInvitation extends Omit<NewInvitation, 'expiresIn'> {
  id: string
  token: string
  owner: Person
  createdAt: number
  expiresAt: number | null
  uses: number
  lastUsedAt: number | null
  revokedAt: number | null
}

const endedFailures = {
  revoked: 'invitation_revoked',
  used_up: 'invitation_used_up',
  expired: 'invitation_expired',
} as const

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

export class Invitations {
  readonly #all: FakeInvitation[] = []
  readonly #prefix: string

  constructor(
    issuer: string,
    readonly now: () => number,
  ) {
    this.#prefix = `${issuer}/ask/`
  }

  create(owner: Person, { expiresIn, ...rest }: NewInvitation): FakeInvitation {
    const createdAt = this.now()
    const expiresAt = expiresIn === null ? null : createdAt + expiresIn * 1000
    const ids = { id: `INV-${randomText()}`, token: randomText() }
    const invitation = {
      ...rest,
      ...ids,
      owner,
      createdAt,
      expiresAt,
      uses: 0,
      lastUsedAt: null,
      revokedAt: null,
    }
    this.#all.push(invitation)
    return invitation
  }

  /** Ends an invitation of a person. Throws `invitation_not_found`. */
  revoke(owner: Person, id: string): FakeInvitation {
    const invitation = this.#all.find((one) => one.id === id && one.owner === owner)
    if (!invitation) throw new Refused('invitation_not_found')
    if (this.#statusOf(invitation) !== 'used_up') invitation.revokedAt ??= this.now()
    return invitation
  }

  /** Returns the invitation of a link. Throws `invitation_not_found`, and `invalid_request` for anything but a link of this fake. */
  find(link: string): FakeInvitation {
    const given = link.trim()
    const token = given.startsWith(this.#prefix) ? given.slice(this.#prefix.length).replace(/\/$/, '') : ''
    if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(token)) {
      const message = `must be an id (DUCK-01JDAB…), a handle with @ (@mallard), or a whole invitation link (${this.#prefix}…)`
      throw new Refused('invalid_request', { errors: [{ field: 'target', message }] })
    }
    const invitation = this.#all.find((one) => one.token === token)
    if (!invitation) throw new Refused('invitation_not_found')
    return invitation
  }

  /** Throws `invitation_mismatch` when the link is for another agent or another action. */
  requireMatch({ agentId, action }: FakeInvitation, asker: Person | Agent, asked: string): void {
    if ((agentId !== null && agentId !== asker.id) || (action !== null && action !== asked))
      throw new Refused('invitation_mismatch')
  }

  /** Spends one use. Throws why the link does not work any more. */
  spend(invitation: FakeInvitation): void {
    const status = this.#statusOf(invitation)
    if (status !== 'active') throw new Refused(endedFailures[status])
    invitation.uses += 1
    invitation.lastUsedAt = this.now()
  }

  present(invitation: FakeInvitation): Invitation {
    const status = this.#statusOf(invitation)
    return {
      invitation_id: invitation.id,
      status,
      url: status === 'active' ? this.#prefix + invitation.token : null,
      agent_id: invitation.agentId,
      action: invitation.action,
      uses: invitation.maxUses,
      used: invitation.uses,
      last_used_at: iso(invitation.lastUsedAt),
      note: invitation.note,
      created_at: new Date(invitation.createdAt).toISOString(),
      expires_at: iso(invitation.expiresAt),
    }
  }

  #statusOf({ uses, maxUses, revokedAt, expiresAt }: FakeInvitation): Invitation['status'] {
    if (maxUses !== null && uses >= maxUses) return 'used_up'
    if (revokedAt !== null) return 'revoked'
    return expiresAt !== null && expiresAt <= this.now() ? 'expired' : 'active'
  }
}
