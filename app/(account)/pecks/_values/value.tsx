import { groupedIban } from '@beak/decision/iban'
import { readInstant } from '@beak/decision/read-instant'
import { hiddenSecret } from '@beak/decision/secret-values'
import { TriangleAlert } from 'lucide'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { DisplayValue } from '../_peck/reads'
import { EmailAddress, MarkedText, UrlText } from './addresses'
import { Diff } from './diff'
import { listText } from './list-text'
import { nameWords } from './name-words'
import { isSameClock } from './same-clock'

/** Deeper values are shown as JSON on lines, so that they stay readable on a phone. */
const depthMax = 3

/** A value of JSON: names and values in two columns, lists as lists. */
function JsonValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== 'object' || value === null) return <Single value={value} />
  if (depth >= depthMax)
    return (
      <pre translate="no" className="whitespace-pre-wrap wrap-anywhere">
        <MarkedText text={JSON.stringify(value, null, 2)} />
      </pre>
    )
  if (Array.isArray(value)) return <List items={value} depth={depth} />
  return <Names entries={Object.entries(value)} depth={depth} />
}

function Single({ value }: { value: unknown }) {
  if (value === '') return <span className="text-soft italic">{m.requests_empty_text()}</span>
  if (typeof value === 'string')
    return (
      <span className="whitespace-pre-wrap wrap-anywhere">
        <MarkedText text={value} />
      </span>
    )
  return (
    <span translate="no" className="tabular-nums">
      {JSON.stringify(value)}
    </span>
  )
}

function List({ items, depth }: { items: unknown[]; depth: number }) {
  if (items.length === 0) return <span className="text-soft italic">{m.requests_empty_list()}</span>
  return (
    <ul className="list-disc ps-5 marker:text-soft">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one fixed list
        <li key={index}>
          <JsonValue value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}

function Names({ entries, depth }: { entries: [string, unknown][]; depth: number }) {
  if (entries.length === 0) return <span className="text-soft italic">{m.requests_no_values()}</span>
  return (
    <dl className="grid gap-x-4 gap-y-1 border-s-2 border-line ps-3 sm:grid-cols-[fit-content(40%)_minmax(0,1fr)]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-sm text-soft wrap-anywhere">
            <MarkedText text={nameWords(name)} />
          </dt>
          <dd className="min-w-0 max-sm:mb-1">
            <JsonValue value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const shownMax = 280
/** A fold that hides less than this is more work to open than to read. */
const hiddenMin = 80

/** Returns the start of a long text and the number of characters after it. Zero: the whole text is shown. */
export function foldText(text: string): { start: string; hidden: number } {
  const characters = Array.from(text)
  const hidden = characters.length - shownMax
  if (hidden < hiddenMin) return { start: text, hidden: 0 }
  return { start: characters.slice(0, shownMax).join(''), hidden }
}

/** A text of another person. A long one is folded, with the number of hidden characters. Works without scripts. */
function LongText({ text }: { text: string }) {
  const { start, hidden } = foldText(text)
  const look = 'max-w-prose whitespace-pre-wrap wrap-anywhere'
  if (hidden === 0)
    return (
      <p className={look}>
        <MarkedText text={text} />
      </p>
    )
  return (
    <div className="group/fold">
      <p className={`${look} group-has-[details[open]]/fold:hidden`}>
        <MarkedText text={start} />
        <span aria-hidden="true"> …</span>
      </p>
      <details className="group/text">
        <summary className="inline-flex min-h-9 list-none items-center text-sm font-semibold underline [&::-webkit-details-marker]:hidden">
          <span className="group-open/text:hidden">
            {m.requests_show_hidden_more_characters({ hidden: hidden.toLocaleString(readersLocale()) })}
          </span>
          <span className="hidden group-open/text:inline">{m.requests_show_less()}</span>
        </summary>
        <p className={look}>
          <MarkedText text={text} />
        </p>
      </details>
    </div>
  )
}

/** A date or time as the asker wrote it, in words. A time in another zone also as the time of the viewer. */
function DateValue({ text, raw, zone }: { text: string; raw: unknown; zone: string | null }) {
  const at = readInstant(raw)
  return (
    <>
      <span translate="no" className="block wrap-anywhere">
        {text}
      </span>
      {at === null || isSameClock(at, zone) ? null : (
        <span className="block text-sm text-soft">
          <Sentence of={m.requests_your_time} parts={{ time: () => <TimeText at={at} zone={zone} /> }} />
        </span>
      )}
    </>
  )
}

/** A secret value, hidden until the viewer reveals it. Works without scripts. */
function Secret({ text }: { text: string }) {
  const length = Array.from(text).length
  return (
    <details className="group/secret">
      <summary className="inline-flex min-h-9 list-none flex-wrap items-center gap-x-4 [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="tracking-widest group-open/secret:hidden">
          {hiddenSecret}
        </span>
        <span className="text-sm font-semibold underline">
          <span className="group-open/secret:hidden">{m.requests_reveal_characters({ count: length })}</span>
          <span className="hidden group-open/secret:inline">{m.requests_hide()}</span>
        </span>
      </summary>
      <code translate="no" className="wrap-anywhere">
        <MarkedText text={text} />
      </code>
    </details>
  )
}

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
  // The end of a path names the file.
  const end = isCut && line === whole && isPath.test(line) ? characters.splice(-pathEnd).join('') : ''
  return (
    <>
      <MarkedText
        text={characters.slice(0, shortMax - end.length).join('')}
        marksLetters={type === 'email' || type === 'url'}
      />
      {isCut ? ' …' : null}
      {end === '' ? null : (
        <>
          {' '}
          <MarkedText text={end} marksLetters={false} />
        </>
      )}
    </>
  )
}

const shortMax = 60
const pathEnd = 36
const isPath = /^(~|\.{0,2})\/\S+$/

/** What to look at twice about a value, in a sentence of the service. */
export function ValueWarning({ text }: { text: string }) {
  return (
    <p className="mt-1 flex items-start gap-2 text-sm font-medium text-warn">
      <Icon of={TriangleAlert} size={16} className="mt-1 shrink-0" />
      {text}
    </p>
  )
}
