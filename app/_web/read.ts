/** Reads for pages. A refusal becomes a `PageProblem`, which `withProblemPage` turns into a page with that status. */
import type { Line, ResponseOf } from '@/app/beak/_api/lines'
import { type ApiInput, api } from './api'
import { PageProblem } from './page-problem'
import { isMalformed, isMissing } from './problem'

type ReadLine = Extract<Line, `GET ${string}`>

/** Returns the answer of an endpoint. Throws `PageProblem`. */
export async function read<L extends ReadLine>(line: L, input: ApiInput<L> = {}): Promise<ResponseOf<L>> {
  const result = await api(line, input)
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
}

/** Returns the answer of an endpoint, or null when the API answers 404 or the id is malformed. Throws `PageProblem`. */
export async function find<L extends ReadLine>(
  line: L,
  input: ApiInput<L> = {},
): Promise<ResponseOf<L> | null> {
  const result = await api(line, input)
  if (result.ok) return result.data
  if (isMissing(result.problem) || isMalformed(result.problem)) return null
  throw new PageProblem(result.problem)
}
