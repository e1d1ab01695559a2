import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { foldText } from './fold-text'
import { MarkedText } from './marked-text'

/** A text of another person. A long one is folded, with the number of hidden characters. Works without scripts. */
export function LongText({ text }: { text: string }) {
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
