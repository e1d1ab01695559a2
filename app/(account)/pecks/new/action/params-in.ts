import { fieldProblem, type Problem } from '@/app/_web/problem'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { type LineFault, linesIn, paramsOfLines, readJson } from './lines'

const faults: Record<LineFault, () => string> = {
  unnamed: m.requests_line_unnamed,
  repeated: m.requests_line_repeated,
  malformed: m.requests_line_malformed,
  inexact: m.requests_line_inexact,
}

/** Returns the details of a request in its form: the lines, or the JSON. Malformed JSON stays a text, so that the API refuses it. */
export function paramsIn(form: FormData): { value: unknown } | { problem: Problem } {
  const json = field(form, 'params')
  const read = paramsOfLines(
    linesIn((name) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : undefined
    }),
  )
  if (json === '')
    return read.fault === undefined
      ? { value: read.params }
      : { problem: fieldProblem(`detail_${read.at}`, faults[read.fault]()) }
  // Only without scripts both are there.
  if (read.fault !== undefined || Object.keys(read.params).length > 0)
    return { problem: fieldProblem('params', m.requests_details_both_filled_error()) }
  const whole = readJson(json)
  if (whole.fault === 'inexact')
    return { problem: fieldProblem('params', m.common_number_inexact({ place: whole.place })) }
  return { value: whole.fault === undefined ? whole.value : json }
}
