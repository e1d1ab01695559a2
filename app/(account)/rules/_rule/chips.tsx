import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { Part } from './steps'
import { partLabel, stepText } from './words'

interface ChipsProps {
  parts: Part[]
  chosen: number[]
  /** Returns the address of the page with other steps. */
  pathOf: (chosen: number[]) => string
}

/** The parts of a rule, each with its steps, the narrowest first. Links, so that they work without scripts. */
export function Chips({ parts, chosen, pathOf }: ChipsProps) {
  return (
    <dl className="grid gap-x-5 gap-y-3 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {parts.map((part, at) => (
        <div key={`${part.kind} ${part.name}`} className="contents">
          <dt className="text-sm text-soft wrap-anywhere sm:max-w-40 sm:py-2.5">
            <bdi className={part.kind === 'param' ? 'font-mono text-[0.8125rem]' : undefined}>
              {partLabel(part)}
            </bdi>
          </dt>
          <dd className="min-w-0 max-sm:-mt-2">
            <ul aria-label={m.rules_steps_of({ part: partLabel(part) })} className="flex flex-wrap gap-2">
              {part.steps.map((step, index) => {
                const isChosen = chosen[at] === index
                return (
                  <li key={stepText(step.words)} className="min-w-0">
                    <Link
                      href={pathOf(chosen.map((old, place) => (place === at ? index : old)))}
                      replace
                      scroll={false}
                      aria-current={isChosen ? 'true' : undefined}
                      className="inline-flex min-h-11 items-center rounded-control border border-edge bg-surface px-3 py-1.5 text-sm no-underline wrap-anywhere hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-wash aria-[current]:font-semibold"
                    >
                      <bdi>{stepText(step.words)}</bdi>
                    </Link>
                  </li>
                )
              })}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  )
}
