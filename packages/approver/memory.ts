/** What this browser remembers: the services that are set up here, who was approved, and which messages were answered. */
import * as z from 'zod'

const Enrolment = z.object({
  /** Address of the service. */
  issuer: z.string(),
  duckling_id: z.string(),
  credential_ids: z.array(z.string()),
  since: z.string(),
})
export type Enrolment = z.infer<typeof Enrolment>

const KnownAsker = z.object({
  issuer: z.string(),
  duckling_id: z.string(),
  agent_id: z.string().nullable(),
  approvals: z.int(),
  last_at: z.string(),
})
export type KnownAsker = z.infer<typeof KnownAsker>
/** Who asks, and at which service. */
export type Asker = Pick<KnownAsker, 'issuer' | 'duckling_id' | 'agent_id'>

const Memory = z.object({
  enrolments: z.array(Enrolment),
  askers: z.array(KnownAsker),
  /** The states of messages that were answered, each with its service. */
  answered: z.array(z.string()),
})
export type Memory = z.infer<typeof Memory>

/** The part of `localStorage` that is used. */
export type Store = Pick<Storage, 'getItem' | 'setItem'>

const key = 'approver'
export const emptyMemory: Memory = { enrolments: [], askers: [], answered: [] }
/** The oldest entries go first, so that the browser never refuses to store a new one. */
const askersMax = 2000
const answeredMax = 500

/** Returns what a browser remembers. Text that cannot be read counts as nothing: then no service is set up, and nothing is signed. */
export function readMemory(store: Store): Memory {
  try {
    return Memory.parse(JSON.parse(store.getItem(key) ?? ''))
  } catch {
    return emptyMemory
  }
}

/** Returns whether the browser stored the memory. Some refuse in private windows. */
export function writeMemory(store: Store, memory: Memory): boolean {
  try {
    store.setItem(key, JSON.stringify(memory))
    return store.getItem(key) !== null
  } catch {
    return false
  }
}

const isAccount = (enrolment: Enrolment, issuer: string, ducklingId: string) =>
  enrolment.issuer === issuer && enrolment.duckling_id === ducklingId

/** Returns the enrolment of an account, or null. */
export function findEnrolment({ enrolments }: Memory, issuer: string, ducklingId: string): Enrolment | null {
  return enrolments.find((enrolment) => isAccount(enrolment, issuer, ducklingId)) ?? null
}

/** Adds a passkey to an account. The first one begins the enrolment. */
export function withPasskey(
  memory: Memory,
  { issuer, duckling_id }: Pick<Enrolment, 'issuer' | 'duckling_id'>,
  credentialId: string,
  now: Date,
): Memory {
  const before = findEnrolment(memory, issuer, duckling_id)
  const others = memory.enrolments.filter((enrolment) => enrolment !== before)
  const enrolment = {
    issuer,
    duckling_id,
    credential_ids: [...(before?.credential_ids ?? []), credentialId],
    since: before?.since ?? now.toISOString(),
  }
  return { ...memory, enrolments: [...others, enrolment] }
}

/** Removes an account, and with the last account of a service the askers there. */
export function withoutEnrolment(memory: Memory, { issuer, duckling_id }: Enrolment): Memory {
  const enrolments = memory.enrolments.filter((enrolment) => !isAccount(enrolment, issuer, duckling_id))
  const isLast = enrolments.every((enrolment) => enrolment.issuer !== issuer)
  return {
    ...memory,
    enrolments,
    askers: isLast ? memory.askers.filter((asker) => asker.issuer !== issuer) : memory.askers,
  }
}

const isAsker = (one: Asker, other: Asker) =>
  one.issuer === other.issuer && one.duckling_id === other.duckling_id && one.agent_id === other.agent_id

/** Returns what was approved of an asker here, or null when the asker is new. */
export function findAsker({ askers }: Memory, wanted: Asker): KnownAsker | null {
  return askers.find((asker) => isAsker(asker, wanted)) ?? null
}

/** Counts an approval of an asker. */
export function withApproval(memory: Memory, { issuer, duckling_id, agent_id }: Asker, now: Date): Memory {
  const before = findAsker(memory, { issuer, duckling_id, agent_id })
  const others = memory.askers.filter((asker) => asker !== before)
  const asker = {
    issuer,
    duckling_id,
    agent_id,
    approvals: (before?.approvals ?? 0) + 1,
    last_at: now.toISOString(),
  }
  return { ...memory, askers: [...others, asker].slice(-askersMax) }
}

interface Message {
  issuer: string
  state: string
}

const answerName = ({ issuer, state }: Message) => `${state} ${issuer}`

export function isAnswered({ answered }: Memory, message: Message): boolean {
  return answered.includes(answerName(message))
}

export function withAnswer(memory: Memory, message: Message): Memory {
  return { ...memory, answered: [...memory.answered, answerName(message)].slice(-answeredMax) }
}
