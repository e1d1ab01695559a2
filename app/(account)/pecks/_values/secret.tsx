import { m } from '@/lib/kernel/messages'
import { hiddenSecret } from '@/lib/kernel/text/secret-values'
import { MarkedText } from './marked-text'

/** A secret value, hidden until the viewer reveals it. Works without scripts. */
export function Secret({ text }: { text: string }) {
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
