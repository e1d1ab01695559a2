import { z } from 'zod'
import { params } from '@/lib/domain/pecks/params'
import { lifetime } from '@/lib/domain/pecks/schema'
import { scope } from '@/lib/infrastructure/events/kinds/peck-data'
import { text, verbObject } from '@/lib/kernel/fields'
import { hostNameField } from '@/lib/kernel/host-name'
import { idSchema } from '@/lib/kernel/ids'
import { paramTypesField } from '@/lib/kernel/param-types'
import type { PeckRequestInput } from './new-peck'

export const PeckRequest = z.strictObject({
  target_duckling_id: idSchema('duckling'),
  action: verbObject,
  scope,
  params,
  message: text(0, 280).optional(),
  expires_in: lifetime.default(86_400),
  grant_expires_in: lifetime.optional(),
  param_types: paramTypesField.optional(),
  audience: hostNameField
    .meta({ description: 'Host name of the service that the permission is meant for.' })
    .optional(),
})

/** Translates the body of a request for permission into the domain's names. */
export function toPeckRequestInput(body: z.output<typeof PeckRequest>): PeckRequestInput {
  return {
    targetDucklingId: body.target_duckling_id,
    action: body.action,
    scope: body.scope,
    params: body.params,
    message: body.message,
    expiresIn: body.expires_in,
    grantExpiresIn: body.grant_expires_in,
    paramTypes: body.param_types,
    audience: body.audience,
  }
}
