/**
 * Whether an asker at first contact has the name of somebody whom the target knows. People are compared with people. An agent of another
 * person may have the name of a known agent ("Claude Code"): that is a fact and no risk.
 */
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { quotable } from '@/lib/kernel/text/quote'
import { lookOf } from '@/lib/kernel/text/reserved-words'

/** A person with all names. */
interface Person {
  ducklingId: string
  displayName: string
  fullName: string | null
  handle: string | null
}

/** An asker from whom the target has approved something, and the person behind it. */
export interface KnownAsker extends Person {
  /** Null for a person who asked without an agent. */
  agentName: string | null
  /** When the target approved something of the asker last, in milliseconds since 1970. */
  approvedAt: number | null
}

/** Who asks whom. */
export interface NamedAsker {
  /** Null for a person who asks without an agent. */
  agentName: string | null
  person: Person
  target: Person
}

/** Whom an asker looks like. `same_name` and `look_alike` are reasons of a high risk, `other_agent` is only a fact. */
export interface Likeness {
  rule: 'same_name' | 'look_alike' | 'other_agent'
  /** One sentence of the service. */
  text: string
}

/** Somebody with whom an unknown asker is compared, as a sentence names them: "the Teal you approved on 23 November". */
interface Known {
  words: string
  names: Set<string>
  handle: string
  agentWords: string | null
  agent: string
}

/** Returns whom an asker, of whom nothing was approved, looks like. `known`: nobody when something of the asker was approved. */
export function likenessOf(asker: NamedAsker, known: KnownAsker[], now: Date): Likeness | null {
  const { agentName, person, target } = asker
  if (person.ducklingId === target.ducklingId) return null
  // The target comes last, so that a text names somebody who was approved, and the newest approval.
  const others = [...known, { ...target, agentName: null, approvedAt: null }]
    .filter(({ ducklingId }) => ducklingId !== person.ducklingId)
    .sort((left, right) => (right.approvedAt ?? -1) - (left.approvedAt ?? -1))
    .map((other) => describe(other, target, now))
  const isNewPerson = known.every(({ ducklingId }) => ducklingId !== person.ducklingId)
  return (
    (isNewPerson ? personLike(person, others) : null) ??
    (agentName === null ? null : agentLike(agentName, others))
  )
}

function describe(known: KnownAsker, target: Person, now: Date): Known {
  const { displayName, fullName, handle, agentName, approvedAt, ducklingId } = known
  const isTarget = ducklingId === target.ducklingId
  const name = isolated(personName({ display_name: displayName, full_name: fullName }))
  const approved = `you approved${approvedAt === null ? '' : ` on ${dayOf(new Date(approvedAt), now)}`}`
  return {
    words: isTarget ? 'you' : `the ${name} ${approved}`,
    names: new Set(looksOf([displayName, fullName])),
    handle: lookOf(handle ?? ''),
    agentWords:
      agentName === null
        ? null
        : isTarget
          ? `your agent “${quotable(agentName)}”`
          : `the agent “${quotable(agentName)}” ${approved}`,
    agent: lookOf(agentName ?? ''),
  }
}

const looksOf = (names: (string | null)[]) =>
  names.map((name) => lookOf(name ?? '')).filter((look) => look !== '')

/** Compares the names of the person who asks, or who is behind the agent, with those of known people and agents. */
function personLike({ displayName, fullName, handle }: Person, others: Known[]): Likeness | null {
  const names = looksOf([displayName, fullName])
  const all = [...names, ...looksOf([handle])]
  const namesake = others.find((other) => names.some((look) => other.names.has(look)))
  if (namesake !== undefined)
    return { rule: 'same_name', text: `Not ${namesake.words}: same name, other person.` }
  const handleLike = others.find((other) =>
    all.some((look) => look === other.handle || other.names.has(look)),
  )
  if (handleLike !== undefined)
    return { rule: 'same_name', text: `Not ${handleLike.words}: the handle looks the same, other person.` }
  const agentLikeName = others.find(({ agent }) => agent !== '' && all.includes(agent))
  return agentLikeName === undefined
    ? null
    : { rule: 'look_alike', text: `Not ${agentLikeName.agentWords}: a person with its name.` }
}

/** Compares the name of the agent that asks with those of known people, and of agents of other people. */
function agentLike(agentName: string, others: Known[]): Likeness | null {
  const look = lookOf(agentName)
  if (look === '') return null
  const person = others.find((other) => other.names.has(look) || other.handle === look)
  if (person !== undefined)
    return { rule: 'look_alike', text: `Not ${person.words}: an agent with that name, of another person.` }
  const agent = others.find((other) => other.agent === look)
  return agent === undefined
    ? null
    : { rule: 'other_agent', text: `Not ${agent.agentWords}: another person's agent with the same name.` }
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** Returns a day in UTC: "23 November", in another year "23 November 2025". */
function dayOf(at: Date, now: Date): string {
  const day = `${at.getUTCDate()} ${months[at.getUTCMonth()]}`
  return at.getUTCFullYear() === now.getUTCFullYear() ? day : `${day} ${at.getUTCFullYear()}`
}
