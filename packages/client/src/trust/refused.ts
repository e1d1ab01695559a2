/** The error of a permission that the service calls active and that the shop does not accept. */
import { BeakError } from '../errors'
import { PermissionRefusedError } from '../permission'
import type { TrustFault } from './permission-trust'

/** Why the shop does not act, although the service says that the permission is active. */
export interface TrustRefusal {
  refusal: 'untrusted' | 'consumed' | 'expired'
  fault: TrustFault
}

/** Throws `PermissionRefusedError` for a refusal, in the form of an error of the service. */
export function throwRefusal(found: TrustRefusal | null): void {
  if (found === null) return
  const { refusal, fault } = found
  const isEnded = refusal !== 'untrusted'
  const error = new BeakError({
    type: 'about:blank',
    title: isEnded ? 'Conflict' : 'Forbidden',
    status: isEnded ? 409 : 403,
    detail: fault.message,
    code: isEnded ? 'E4008' : 'E4007',
    reason: isEnded ? 'grant_not_active' : 'grant_mismatch',
    message: fault.message,
    success: false,
    request_id: '',
    action: 'Do not act. Ask for another permission, with the demands of this service.',
    ...(isEnded ? { current_status: refusal } : {}),
  })
  throw new PermissionRefusedError(error, refusal, fault)
}
