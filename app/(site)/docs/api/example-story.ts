/** What the examples of the reference share. */

/** Returns the id of an example, such as `PECK-…`. */
export const id = (prefix: string) => `${prefix}-01JDV8K2M3N4P5Q6R7S8T9V0WX`
export const time = '2026-11-21T10:00:00.000Z'

export type Facts = Record<string, unknown>
