/**
 * Whether an asker at first contact has the name of somebody whom the target knows. People are compared with people. An agent of another
 * person may have the name of a known agent ("Claude Code"): that is a fact and no risk.
 */

import { personName } from '@beak/decision/person-name'
import { quotable } from '@beak/decision/quote'
import type { Likeness } from '@beak/decision/risk/novelty'
import { say, type Wording } from '@beak/decision/wording'
import unhomoglyph from 'unhomoglyph'
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

/** Somebody with whom an unknown asker is compared, as a sentence names them: the Teal you approved on 23 November. */
interface Known {
  whom: Wording
  names: Set<string>
  handles: Set<string>
  agentWhom: Wording | null
  agents: Set<string>
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
  const stranger = isNewPerson
    ? personName({ display_name: person.displayName, full_name: person.fullName })
    : null
  return (
    (isNewPerson ? personLike(person, others) : null) ??
    (agentName === null ? null : agentLike(agentName, stranger, others))
  )
}

function describe(known: KnownAsker, target: Person, now: Date): Known {
  const { displayName, fullName, handle, agentName, approvedAt, ducklingId } = known
  const isTarget = ducklingId === target.ducklingId
  const name = personName({ display_name: displayName, full_name: fullName })
  const agent = quotable(agentName ?? '')
  const day = approvedAt === null ? null : dayOf(new Date(approvedAt), now)
  return {
    whom: isTarget
      ? say('whom_you')
      : day === null
        ? say('whom_person', { name })
        : say('whom_person_on', { name, day }),
    names: new Set(looksOf([displayName, fullName])),
    handles: new Set(looksOf([handle])),
    agentWhom:
      agentName === null
        ? null
        : isTarget
          ? say('whom_your_agent', { agent })
          : day === null
            ? say('whom_agent', { agent })
            : say('whom_agent_on', { agent, day }),
    agents: new Set(looksOf([agentName])),
  }
}

const looksOf = (names: (string | null)[]) =>
  names
    .flatMap((name) => [lookOf(name ?? ''), lookOf(withPairsRead(name ?? ''))])
    .filter((look) => look !== '')

/**
 * Reads "vv" as "w" and "cl" as "d", also in letters of other alphabets and with accents. "rn" and "m" have the same look without it. Before
 * `lookOf`, which reads "i" as "l": "Lucia" is not "Luda".
 */
function withPairsRead(name: string): string {
  const plain = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return unhomoglyph(plain).replace(/vv/gi, 'w').replace(/cl/g, 'd')
}

/** Compares the names of the person who asks, or who is behind the agent, with those of known people and agents. */
function personLike({ displayName, fullName, handle }: Person, others: Known[]): Likeness | null {
  const names = looksOf([displayName, fullName])
  const all = [...names, ...looksOf([handle])]
  const namesake = others.find((other) => names.some((look) => other.names.has(look)))
  if (namesake !== undefined) return { rule: 'same_name', wording: say('same_name', { whom: namesake.whom }) }
  const handleLike = others.find((other) =>
    all.some((look) => other.handles.has(look) || other.names.has(look)),
  )
  if (handleLike !== undefined)
    return { rule: 'same_name', wording: say('same_handle', { whom: handleLike.whom }) }
  const whom = others.find(({ agents }) => all.some((look) => agents.has(look)))?.agentWhom ?? null
  return whom === null ? null : { rule: 'look_alike', wording: say('person_named_like_agent', { whom }) }
}

/**
 * Compares the name of the agent that asks with those of known people, and of agents of other people. `stranger`: the name of its owner, when the
 * target does not know the owner.
 */
function agentLike(agentName: string, stranger: string | null, others: Known[]): Likeness | null {
  const looks = looksOf([agentName])
  const person = others.find((other) =>
    looks.some((look) => other.names.has(look) || other.handles.has(look)),
  )
  if (person !== undefined)
    return { rule: 'look_alike', wording: say('agent_named_like_person', { whom: person.whom }) }
  const other = others.find(({ agents }) => looks.some((look) => agents.has(look)))
  if (other === undefined || other.agentWhom === null) return null
  const whom = other.agentWhom
  return {
    rule: 'other_agent',
    wording:
      stranger === null ? say('other_agent', { whom }) : say('stranger_agent', { whom, name: stranger }),
  }
}

/** Returns a day in UTC: `11-23`, in another year `2025-11-23`. */
function dayOf(at: Date, now: Date): string {
  const day = at.toISOString().slice(0, 10)
  return at.getUTCFullYear() === now.getUTCFullYear() ? day.slice('2025-'.length) : day
}
