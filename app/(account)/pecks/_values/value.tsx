import { TriangleAlert } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { groupedIban } from '@/lib/kernel/text/iban'
import { hiddenSecret } from '@/lib/kernel/text/secret-values'
import type { DisplayValue } from '../_peck/reads'
import { EmailAddress, UrlText } from './addresses'
import { DateValue } from './date-value'
import { Diff } from './diff'
import { JsonValue } from './json-value'
import { listText } from './list-text'
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
export function Value({ value: { type, text, domain }, raw, zone }: ValueProps) {
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
      return <EmailAddress text={text} domain={domain} />
    case 'url':
      return <UrlText text={text} domain={domain} />
    case 'text':
      return <LongText text={text} />
    case 'diff':
      return <Diff value={raw} />
    case 'secret':
      return <Secret text={text} />
    case 'value':
      return <PlainValue raw={raw} />
  }
}

/** A value of no special type. The number of a bank account is in groups, because people compare it in groups. */
function PlainValue({ raw }: { raw: unknown }) {
  const iban = typeof raw === 'string' ? groupedIban(raw) : null
  if (iban === null) return <JsonValue value={raw} />
  return (
    <>
      <span translate="no" className="tabular-nums wrap-anywhere">
        {iban}
      </span>{' '}
      <span className="text-sm text-soft">{m.requests_bank_account()}</span>
    </>
  )
}

/** A param on one line, for lists and comparisons. */
export function ShortValue({ value: { type, text } }: Pick<ValueProps, 'value'>) {
  if (type === 'secret') return hiddenSecret
  const iban = type === 'value' ? groupedIban(text) : null
  if (iban !== null) return iban
  const whole = type === 'value' ? listText(text) : text
  const [line = ''] = whole.split('\n')
  const characters = Array.from(line)
  const isCut = characters.length > shortMax || line !== whole
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
      <Icon of={TriangleAlert} size={16} className="mt-1 shrink-0" />
      {text}
    </p>
  )
}
