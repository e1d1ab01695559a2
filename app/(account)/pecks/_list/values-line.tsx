import { TriangleAlert } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import type { DisplayValue, PeckDetails } from '../_peck/reads'
import { MarkedText } from '../_values/addresses'
import { nameLabel } from '../_values/name-words'
import { ShortValue } from '../_values/value'

const shownMax = 3

/** The values of a request that decide most, on one line, and how many more it has. */
export function ValuesLine({ display }: Pick<PeckDetails, 'display'>) {
  const { values } = display
  if (values.length === 0) return null
  const [shown, left] = [values.slice(0, shownMax), values.length - shownMax]
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-ink wrap-anywhere">
      {shown.map((value) => (
        <NamedValue key={value.name} value={value} />
      ))}
      {left > 0 ? <span className="text-soft">{m.requests_more_details({ count: left })}</span> : null}
    </p>
  )
}

/** One value with its name. */
export function NamedValue({ value }: { value: DisplayValue }) {
  return (
    <span>
      <span translate="no" className="text-soft">
        <MarkedText text={nameLabel(value.name)} />:
      </span>{' '}
      <span className={value.type === 'money' ? 'font-semibold' : undefined}>
        <ShortValue value={value} />
      </span>
      {value.warning === undefined ? null : (
        <Icon of={TriangleAlert} label={value.warning} size={14} className="ms-1 inline text-warn" />
      )}
    </span>
  )
}
