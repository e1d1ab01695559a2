import { TriangleAlert } from 'lucide-react'
import type { DisplayValue } from '../_peck/reads'
import { EmailAddress, UrlText } from './addresses'
import { DateValue } from './date-value'
import { Diff } from './diff'
import { JsonValue } from './json-value'
import { LongText } from './long-text'
import { MarkedText } from './marked-text'
import { Secret } from './secret'

interface ValueProps {
  /** The value as the service shows it. */
  value: DisplayValue
  /** The param itself. */
  raw: unknown
  /** The time zone of the viewer. Null: unknown. */
  zone: string | null
}

/** One param of a request, in the form of its type. */
export function Value({ value: { type, text }, raw, zone }: ValueProps) {
  switch (type) {
    case 'money':
      return (
        <span className="font-display text-2xl font-semibold tabular-nums wrap-anywhere">
          <MarkedText text={text} />
        </span>
      )
    case 'date':
      return <DateValue text={text} raw={raw} zone={zone} />
    case 'email':
      return <EmailAddress text={text} />
    case 'url':
      return <UrlText text={text} />
    case 'text':
      return <LongText text={text} />
    case 'diff':
      return <Diff value={raw} />
    case 'secret':
      return <Secret text={text} />
    case 'value':
      return <JsonValue value={raw} />
  }
}

/** A param on one line, for lists and comparisons. */
export function ShortValue({ value: { type, text } }: Pick<ValueProps, 'value'>) {
  if (type === 'secret') return '••••••••'
  const [line = ''] = text.split('\n')
  const characters = Array.from(line)
  const isCut = characters.length > shortMax || line !== text
  return (
    <>
      <MarkedText
        text={characters.slice(0, shortMax).join('')}
        marksLetters={type === 'email' || type === 'url'}
      />
      {isCut ? ' …' : null}
    </>
  )
}

const shortMax = 60

/** What to look at twice about a value, in a sentence of the service. */
export function ValueWarning({ text }: { text: string }) {
  return (
    <p className="mt-1 flex items-start gap-2 text-sm font-medium text-warn">
      <TriangleAlert aria-hidden="true" size={16} className="mt-1 shrink-0" />
      {text}
    </p>
  )
}
