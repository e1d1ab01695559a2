/** The names of the types of params. `display/param-types.ts` has the form of each. */

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
