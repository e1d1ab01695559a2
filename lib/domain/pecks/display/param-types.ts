import { z } from 'zod'

export const paramTypes = ['money', 'date', 'email', 'url', 'text', 'diff', 'secret'] as const
export type ParamType = (typeof paramTypes)[number]

/** What an asker declared about its params: the type of the value under each top-level name. */
export type ParamTypes = Record<string, ParamType>

const declaredMax = 64

/** The declared types of a request. A type only changes how a value is shown. It never lowers the risk. */
export const paramTypesField = z
  .record(z.string().max(128), z.enum(paramTypes))
  .refine((types) => Object.keys(types).length <= declaredMax, `must name at most ${declaredMax} params`)
  .meta({
    id: 'ParamTypes',
    description:
      'How the decision page shows a param: the type of each top-level name. A type never lowers the risk.',
  })
