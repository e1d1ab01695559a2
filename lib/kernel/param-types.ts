/** The names of the types of params. `lib/domain/pecks/display/param-types.ts` has the form of each. */
import * as z from 'zod'
import { m } from '@/lib/kernel/messages'

/**
 * What a value is shown as, in the order in which values decide. When a value fits several types, the first of them counts, and a secret
 * before all.
 */
export const displayTypes = [
  // What it costs.
  'money',
  // Whom it reaches.
  'email',
  'url',
  // When.
  'date',
  // What changes.
  'diff',
  // JSON of no special type.
  'value',
  'text',
  'secret',
] as const
export type DisplayType = (typeof displayTypes)[number]

export type ParamType = Exclude<DisplayType, 'value'>
export const paramTypes = displayTypes.filter((type): type is ParamType => type !== 'value')

/** What an asker declared about its params: the type of the value under each top-level name. */
export type ParamTypes = Record<string, ParamType>

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
