import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import { longDay } from '@/lib/kernel/text/time-words'
import type { Favour } from './favour'

export interface Sides {
  /** Whom the person asks. */
  to: string
  /** Who asks. Null: not known yet. */
  from: { id: string; name: string } | null
}

/** What the other person will see. The sentence is a quotation, and nothing in it is a link. */
export function FavourPreview({ favour, to, from }: Sides & { favour: Favour }) {
  const { date, amount, currency, place, file } = favour
  const facts = [
    ...(date === undefined
      ? []
      : [{ name: m.ask_date(), value: /^\d{4}-\d{2}-\d{2}$/.test(date) ? longDay(date) : date }]),
    ...(amount === undefined ? [] : [{ name: m.ask_amount(), value: `${amount} ${currency}` }]),
    ...(place === undefined ? [] : [{ name: m.ask_place(), value: place }]),
    ...(file === undefined ? [] : [{ name: m.ask_file(), value: file }]),
  ]
  return (
    <section aria-label={m.ask_preview({ name: to })} className="rounded-card bg-sunken px-5 py-4">
      <p className="text-sm text-soft">
        <Sentence of={m.ask_preview} with={{ name: to }} />
      </p>
      <div className="mt-3 flex items-start gap-3">
        {from === null ? null : <Duck id={from.id} size={36} />}
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">
            {from === null ? (
              m.ask_preview_you_ask()
            ) : (
              <Sentence of={m.ask_preview_asks} with={{ name: from.name }} />
            )}
          </p>
          <blockquote className="mt-1 text-lg wrap-anywhere">
            <Sentence of={m.ask_quoted} parts={{ words: () => <bdi translate="no">{favour.favour}</bdi> }} />
          </blockquote>
          {facts.length === 0 ? null : (
            <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm">
              {facts.map(({ name, value }) => (
                <div key={name} className="flex flex-wrap gap-x-2">
                  <dt className="text-soft">{name}</dt>
                  <dd className="min-w-0 wrap-anywhere">
                    <bdi translate="no">{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      </div>
    </section>
  )
}
