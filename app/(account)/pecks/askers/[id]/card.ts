import type { ResponseOf } from '@/app/beak/_api/lines'

export type AskerCard = ResponseOf<'GET /beak/peck/asker'>

const times = (count: number) => count.toLocaleString('en')

/** Permissions end early when the viewer revokes them, or when the asker goes. Returns what the viewer decided, in a sentence: "You approved 4 requests, of which 1 ended early, and rejected 2." */
export function decisionWords({ approved, rejected, revoked, counted_all }: AskerCard): string {
  if (approved === 0 && rejected === 0) return 'You have not approved or rejected anything from them.'
  const requests = approved === 1 ? 'request' : 'requests'
  const taken = revoked === 0 ? '' : `, of which ${times(revoked)} ended early,`
  const end = counted_all ? '.' : ', among their newest 200 requests.'
  return `You approved ${times(approved)} ${requests}${taken} and rejected ${times(rejected)}${end}`
}

/** Returns what an agent asked and what was approved: "Asked 14 times, you approved 12". */
export function askedWords({ asked, approved }: { asked: number; approved: number }): string {
  const often = asked === 1 ? 'once' : asked === 2 ? 'twice' : `${times(asked)} times`
  return `Asked ${often}, you approved ${approved === 0 ? 'none' : times(approved)}`
}
