/** Plays the crashes of all ceremonies, or as many as the time allows. */
import type { DatabaseProxy } from '@/lib/fixtures/database-proxy'
import { type Crash, contradictions, measure, playCrash } from './crash'
import { operations } from './operations'
import type { Play, Played } from './play'
import { workerSteps } from './work'

const ways = (['connection', 'process'] as const).flatMap((lost) =>
  (['before', 'after'] as const).map((when) => ({ lost, when })),
)

/** With little time: every statement in one way, which the seed chooses. */
function crashesOf(statements: number, { choices, isThorough }: Play): Crash[] {
  const numbers = Array.from({ length: statements }, (_, index) => index + 1)
  return numbers.flatMap((statement) =>
    (isThorough ? ways : [choices.one(ways)]).map((way) => ({ statement, ...way })),
  )
}

/** The steps of the worker are few and first, because each concerns many ceremonies. */
export async function playCrashes(proxy: DatabaseProxy, play: Play): Promise<Played> {
  const { choices, isOver, only, print } = play
  const wrong: string[] = []
  let played = 0
  const all = [...choices.shuffled(workerSteps), ...choices.shuffled(operations)]
  for (const ceremony of all.filter(({ name }) => name.includes(only))) {
    if (isOver()) break
    const before = wrong.length
    const { statements, changes } = await measure(proxy, ceremony)
    for (const crash of crashesOf(statements, play)) {
      const fault = await playCrash(proxy, ceremony, crash, changes).catch((error: unknown) => {
        const { statement, when, lost } = crash
        throw new Error(`${ceremony.name}, ${lost} lost ${when} statement ${statement}`, { cause: error })
      })
      if (fault !== null) wrong.push(fault)
      played++
    }
    wrong.push(...(await contradictions()).map((found) => `after ${ceremony.name}: ${found}`))
    for (const line of wrong.slice(before)) print(`wrong: ${line}`)
    print(`${ceremony.name}: cut at ${statements} statements, ${wrong.length} wrong so far`)
  }
  return { played, wrong }
}
