import type { z } from 'zod'
import type { MessagePart } from '@/lib/kernel/messages/parts'

export const counts = [
  'registered_ducklings',
  'certified',
  'bonded_agents',
  'domains',
  'completed_pecks',
] as const
export type CountName = (typeof counts)[number]

/** The message that webhooks get about an event. */
export interface Message<Data extends z.ZodType = z.ZodType> {
  /** Tells the owner of an endpoint when the message is sent. */
  when: () => string
  /** The schema of `data`. `record` writes only what the schema has, and fails when a member is missing. */
  data: Data
  /** The `data` of an example, for the API reference and the documentation. */
  example: z.input<Data>
}

/** A sentence of the tables. Its elements, such as `<agent/>`, name facts of the event (`app/_web/event-sentence.ts`). */
interface Sentence {
  (): string
  parts?: (inputs: Record<string, never>) => MessagePart[]
}

/** The words of a kind. When a fact is missing, the words around it must still make a sentence. */
export interface Kind {
  /** Its name in lists to choose from. */
  label: () => string
  /** What the actor did. */
  did?: Sentence
  /** What the actor failed to do. */
  tried?: Sentence
  /** For an event that is nobody's own act. */
  whole?: Sentence
  /** Sends a webhook. */
  webhook?: Message
  counts?: Partial<Record<CountName, number>>
}

export type Kinds = Record<string, Kind>

/** Declares the message of a kind. Does not compile when the example does not fit the schema. */
export function message<Data extends z.ZodType>(
  when: () => string,
  data: Data,
  example: z.input<Data>,
): Message<Data> {
  return { when, data, example }
}

/** The story of the examples in the reference: Teal's agent Scout asks Mallard for permission to send mail. */

/** Returns the id of an example, such as `PECK-…`. The duckling is Mallard. */
export const exampleId = (prefix: string) => `${prefix}-01JDV8K2M3N4P5Q6R7S8T9V0WX`

/** Teal, who operates Scout. */
export const exampleOperatorId = 'DUCK-01JDV7Q0A1B2C3D4E5F6G7H8J9'

export const exampleTime = new Date('2026-11-21T10:00:00.000Z')
/** When the request of the examples was decided. */
export const exampleDecision = new Date('2026-11-21T10:05:00.000Z')
export const exampleNextDay = new Date('2026-11-22T10:00:00.000Z')
