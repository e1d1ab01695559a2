import { withoutSecrets } from '@beak/decision/secret-values'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import type { DisplayValue, PeckWithDetails } from '../_peck/reads'
import { MarkedText } from './addresses'
import { nameLabel } from './name-words'
import { ShortValue, Value, ValueWarning } from './value'

interface ValueListProps extends PeckWithDetails {
  /** The time zone of the viewer. Null: unknown. */
  zone: string | null
  /** Compares with the params that were approved last. */
  comparesWithLast?: boolean
}

/** The params of a request. What differs from the params that were approved last is highlighted, with the earlier value. */
export function ValueList({ peck, details, zone, comparesWithLast = false }: ValueListProps) {
  const { display, asker_history: history } = details
  const earlier = comparesWithLast && history !== null && history.approved_params !== null ? history : null
  const isDifferent = (name: string) => earlier?.differs.includes(name) ?? false
  const before = (name: string) => earlier?.approved_values.find((value) => value.name === name)
  const missing = earlier?.approved_values.filter(({ name }) => !Object.hasOwn(peck.params, name)) ?? []
  if (display.values.length === 0 && missing.length === 0)
    return <p className="text-sm text-soft">{m.requests_no_details()}</p>
  return (
    <dl className="grid gap-y-3">
      {display.values.map((value) => (
        <Row key={value.name} name={value.name} isDifferent={isDifferent(value.name)}>
          <Value value={value} raw={withoutSecrets(value.name, peck.params[value.name])} zone={zone} />
          {value.warning === undefined ? null : <ValueWarning text={value.warning} />}
          {isDifferent(value.name) ? <Earlier value={before(value.name)} /> : null}
        </Row>
      ))}
      {missing.map((value) => (
        <Row key={value.name} name={value.name} isDifferent>
          <p className="text-sm">
            <Sentence
              of={m.requests_missing_now}
              parts={{
                difference: (children) => <Difference>{children}</Difference>,
                old: () => <Old value={value} />,
              }}
            />
          </p>
        </Row>
      ))}
    </dl>
  )
}

interface RowProps {
  name: string
  isDifferent: boolean
  children: ReactNode
}

function Row({ name, isDifferent, children }: RowProps) {
  return (
    <div
      data-differs={isDifferent || undefined}
      className="grid gap-x-5 sm:grid-cols-[8rem_minmax(0,1fr)] data-differs:border-s-4 data-differs:border-warn data-differs:ps-3"
    >
      <dt className="text-sm text-soft wrap-anywhere sm:pt-1">
        <MarkedText text={nameLabel(name)} />
      </dt>
      <dd className="min-w-0 text-lg">{children}</dd>
    </div>
  )
}

function Difference({ children }: { children: ReactNode }) {
  return <span className="font-semibold text-warn">{children}</span>
}

function Old({ value }: { value: DisplayValue }) {
  return (
    <del className="text-soft wrap-anywhere">
      <ShortValue value={value} />
    </del>
  )
}

/** What was approved last in place of a value. */
function Earlier({ value }: { value: DisplayValue | undefined }) {
  return (
    <p className="text-sm">
      {value === undefined ? (
        <Difference>{m.requests_new_since_last_time()}</Difference>
      ) : (
        <Sentence
          of={m.requests_changed}
          parts={{
            difference: (children) => <Difference>{children}</Difference>,
            old: () => <Old value={value} />,
          }}
        />
      )}
    </p>
  )
}
