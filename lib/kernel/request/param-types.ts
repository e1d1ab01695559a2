import { paramTypes } from '@beak/decision/param-types'
import * as z from 'zod'
import { m } from '@/lib/kernel/messages'

const declaredMax = 64

/** The declared types of a request. A type only changes how a value is shown. It never lowers the risk. */
export const paramTypesField = z
  .record(z.string().max(128), z.enum(paramTypes))
  .refine((types) => Object.keys(types).length <= declaredMax, {
    error: () => m.field_must_name_at_most_params({ count: declaredMax }),
  })
  .meta({
    id: 'ParamTypes',
    description:
      'How the decision page shows a param: the type of each top-level name. A type never lowers the risk.',
  })
