/** The story of the examples in the reference: Teal's agent Scout asks Mallard for permission to send mail. */

/** Returns the id of an example, such as `PECK-…`. The duckling is Mallard. */
export const exampleId = (prefix: string) => `${prefix}-01JDV8K2M3N4P5Q6R7S8T9V0WX`

/** Teal, who operates Scout. */
export const exampleOperatorId = 'DUCK-01JDV7Q0A1B2C3D4E5F6G7H8J9'

export const exampleTime = new Date('2026-11-21T10:00:00.000Z')
/** When the request of the examples was decided. */
export const exampleDecision = new Date('2026-11-21T10:05:00.000Z')
export const exampleNextDay = new Date('2026-11-22T10:00:00.000Z')
