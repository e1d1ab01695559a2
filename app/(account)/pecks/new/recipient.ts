/** Finds the person whom a new request is for. */
import { api } from '@/app/_web/api'
import { fieldProblem, isMalformed, type Problem } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { askedRef } from '@/lib/kernel/request/handle'

/** A person to choose from. */
export type Candidate = ResponseOf<'POST /beak/spaceducks/find'>['items'][number]

/** People with the name that was typed. */
export interface Candidates {
  /** What was typed. */
  q: string
  people: Candidate[]
  hasMore: boolean
}

/** A refusal after which the person chooses among people of one name. */
interface ChoiceProblem extends Problem {
  candidates: Candidates
}

const target = 'target_duckling_id'

/** Whether the person was named with a link. */
export const isLink = (text: string): boolean => /^https?:/i.test(text)

/**
 * Returns what names the person in the request: an id, a handle, an invitation link, or the reference of a search. People of a name are shown first, because names
 * are not unique: then it returns a problem with them.
 */
export async function recipientIn(form: FormData): Promise<string | Problem> {
  const q = field(form, target)
  if (askedRef.safeParse(q).success || q === '' || isLink(q) || /^(?:DUCK-|@)/i.test(q)) return q
  const chosen = field(form, 'person')
  if (chosen !== '' && field(form, 'person_of') === q) return chosen
  const found = await api('POST /beak/spaceducks/find', { body: { q } })
  if (!found.ok)
    return isMalformed(found.problem) ? fieldProblem(target, m.requests_to_rule()) : found.problem
  const { found_by, items, has_more } = found.data
  const [only] = items
  if (only === undefined) return fieldProblem(target, m.requests_nobody_found())
  if (found_by !== 'name') return only.to
  const problem: ChoiceProblem = {
    ...fieldProblem(target, m.requests_choose_person()),
    candidates: { q, people: items, hasMore: has_more },
  }
  return problem
}

/** Returns the people that a refusal asks to choose from. */
export const candidatesOf = (problem: Problem): Candidates | undefined =>
  'candidates' in problem ? (problem as ChoiceProblem).candidates : undefined
