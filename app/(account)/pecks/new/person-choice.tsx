'use client'

import { isolated, personName } from '@beak/decision/person-name'
import { Sentence } from '@/components/sentence'
import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'
import type { Candidate, Candidates } from './recipient'

/** People of the name that was typed, to choose one from. Names are not unique, so each has what tells it from the others. */
export function PersonChoice() {
  const { data, values } = useAnswer<Candidates>()
  if (data === undefined)
    return values.person ? <Chosen person={values.person} of={values.person_of} /> : null
  const { q, people, hasMore } = data
  return (
    <fieldset className="grid min-w-0 gap-2 rounded-card border border-line p-4">
      <legend className="px-1 text-sm font-semibold wrap-anywhere">
        <Sentence of={m.requests_people_named} with={{ name: isolated(q) }} />
      </legend>
      <input type="hidden" name="person_of" value={q} />
      {people.map((person) => (
        <Choice key={person.to} person={person} />
      ))}
      <p className="text-sm text-soft">
        {hasMore ? m.requests_more_people() : m.requests_name_choice_hint()}
      </p>
    </fieldset>
  )
}

/** Keeps the choice while other fields are mended. */
function Chosen({ person, of = '' }: { person: string; of: string | undefined }) {
  return (
    <p className="text-sm text-soft">
      <input type="hidden" name="person" value={person} />
      <input type="hidden" name="person_of" value={of} />
      <Sentence of={m.requests_person_chosen} with={{ name: isolated(of) }} />
    </p>
  )
}

function Choice({ person }: { person: Candidate }) {
  const { values } = useAnswer()
  const { to, handle, duckling_id, joined, trust_tier, certified } = person
  return (
    <label className="flex min-h-11 items-start gap-3">
      <input
        type="radio"
        name="person"
        value={to}
        defaultChecked={values.person === to}
        className="mt-1 size-5 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">
          <bdi translate="no">{personName(person)}</bdi>
          {handle === undefined ? null : <bdi translate="no"> @{handle}</bdi>}
        </span>
        <span className="block text-sm text-soft">
          {certified ? (
            <Sentence
              of={m.requests_person_facts_certified}
              with={{ id: duckling_id, joined, tier: tierWords(trust_tier) }}
            />
          ) : (
            <Sentence
              of={m.requests_person_facts}
              with={{ id: duckling_id, joined, tier: tierWords(trust_tier) }}
            />
          )}
        </span>
      </span>
    </label>
  )
}
