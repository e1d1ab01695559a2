import { canonicalText } from '@beak/client/verify/canonical'
import type { Params } from '@/lib/domain/pecks/params'
import type { FieldError } from '@/lib/kernel/failures'
import { m } from '@/lib/kernel/messages'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Returns which top-level params of a use differ from the approved ones, for the holder of the grant token. Says nothing when more than one value
 * differs: otherwise somebody who found a token could guess one param after the other, where today all of them must be right at once.
 */
export function differenceOf(approved: Params, sent: Params): FieldError[] {
  const names = [...new Set([...Object.keys(approved), ...Object.keys(sent)])].sort()
  let unlike = 0
  const errors = names.flatMap((name) => {
    const field = `params.${name}`
    const [isApproved, isSent] = [Object.hasOwn(approved, name), Object.hasOwn(sent, name)]
    const [known, given] = [approved[name], sent[name]]
    if (isApproved && isSent && canonicalText(known) === canonicalText(given)) return []
    if (isApproved && isSent && isPlain(known) && isPlain(given) && String(known) === String(given))
      return [{ field, message: m.field_must_be_of_type({ type: typeOf(known) }) }]
    unlike += 1
    if (!isSent) return [{ field, message: m.field_is_required() }]
    return [{ field, message: m.field_is_not_as_approved() }]
  })
  // A use without any params must not learn a name either.
  return unlike <= 1 && Object.keys(sent).length > 0 ? errors : []
}
