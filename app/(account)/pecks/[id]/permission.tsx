import type { ReactNode } from 'react'
import { read } from '@/app/_web/page-read'
import { Sentence } from '@/components/sentence'
import { Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { RevokeForm } from '../_forms/revoke-form'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { UseLine } from '../_peck/used-for'
import { grantStatusOf, requesterName, usesAndLimit } from '../_peck/words'

type GrantStatus = NonNullable<Peck['grant_status']>

function statusWords(status: GrantStatus, peck: Peck, isTarget: boolean): ReactNode {
  switch (status) {
    case 'active':
      return isTarget || peck.requester.agent_id === undefined ? (
        m.requests_this_permission_is_active_peck({ peck: usesAndLimit(peck) })
      ) : (
        <Sentence
          of={m.requests_agent_may_do_this_now}
          with={{ agent: requesterName(peck.requester), peck: usesAndLimit(peck) }}
        />
      )
    case 'consumed':
      return m.requests_this_permission_has_been_used()
    case 'expired':
      return m.requests_this_permission_has_expired_peck({ peck: usesAndLimit(peck) })
    case 'revoked':
      return m.requests_this_permission_was_revoked_peck({ peck: usesAndLimit(peck) })
  }
}

interface PermissionProps extends PeckWithDetails {
  isTarget: boolean
  now: Date
}

/** The permission that an approval gave: its status, what it was used for, and the button to revoke it. */
export function Permission({ peck, details, isTarget, now }: PermissionProps) {
  const status = grantStatusOf(peck)
  if (status === null) return null
  return (
    <Section id="permission" title={m.requests_permission()} lead={statusWords(status, peck, isTarget)}>
      <Uses peck={peck} details={details} now={now} />
      {isTarget && status === 'active' ? <RevokeForm peck={peck} /> : null}
    </Section>
  )
}

/** All kept uses. The details have only the newest ones. */
async function Uses({ peck, details, now }: Omit<PermissionProps, 'isTarget'>) {
  if (details.last_uses.length === 0) return null
  const { items } =
    peck.uses === details.last_uses.length
      ? { items: details.last_uses }
      : await read('GET /beak/peck/uses', { query: { peck_id: peck.peck_id, limit: '100' } })
  return (
    <div id="uses" className="mb-5 scroll-mt-24 text-sm">
      <h3 className="text-base">{m.requests_what_it_was_used_for()}</h3>
      <ul className="mt-1 max-h-80 list-disc overflow-auto ps-5 text-soft wrap-anywhere">
        {items.map((use) => (
          <UseLine key={use.number} use={use} now={now} />
        ))}
      </ul>
      {peck.uses > items.length ? (
        <p className="mt-1 text-soft">{m.requests_older_uses_are_in_your_activity()}</p>
      ) : null}
    </div>
  )
}
