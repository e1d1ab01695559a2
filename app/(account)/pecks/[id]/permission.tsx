import { Section } from '@/components/ui/surface'
import { RevokeForm } from '../_forms/revoke-form'
import type { Peck } from '../_peck/reads'
import { usesAndLimit } from '../_peck/words'

type GrantStatus = NonNullable<Peck['grant_status']>

function statusWords(status: GrantStatus, peck: Peck): string {
  switch (status) {
    case 'active':
      return `This permission is active. ${usesAndLimit(peck)}.`
    case 'consumed':
      return 'This permission has been used.'
    case 'expired':
      return `This permission has expired. ${usesAndLimit(peck)}.`
    case 'revoked':
      return `This permission was revoked. ${usesAndLimit(peck)}.`
  }
}

/** The permission that an approval gave: its status, and the button to revoke it. */
export function Permission({ peck, isTarget }: { peck: Peck; isTarget: boolean }) {
  const { grant_status: status } = peck
  if (status === null) return null
  return (
    <Section id="permission" title="Permission" lead={statusWords(status, peck)}>
      {isTarget && status === 'active' ? <RevokeForm peck={peck} /> : null}
    </Section>
  )
}
