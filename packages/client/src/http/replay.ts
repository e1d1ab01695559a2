/** Refuses the stored answer to an earlier use of a permission. */
import { BeakError } from '../errors'

/**
 * Checks that this call spent the use. The program chose the idempotency key, so a replayed answer may belong to an earlier call: whoever
 * causes two calls with one key would act twice with one use. A key that the client made for this call has no earlier call.
 *
 * @throws BeakError E4008 with the status `consumed` for a replayed answer
 */
export function requireNewUse(response: Response): void {
  if (response.headers.get('Idempotency-Replayed') !== 'true') return
  const detail = 'An earlier call with this idempotency key spent this use.'
  throw new BeakError({
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail,
    code: 'E4008',
    reason: 'grant_not_active',
    message: detail,
    success: false,
    request_id: response.headers.get('X-Request-Id') ?? '',
    action: 'Do not act again. For another use, call again without a key of your own.',
    current_status: 'consumed',
  })
}
