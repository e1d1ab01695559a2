import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { counts as names } from '@/lib/infrastructure/events/kinds'
import { counts, number } from './words'

/** The values of the charts as tables. */
export function HistoryTable({
  history: { days, counts: values, views },
}: {
  history: ResponseOf<'GET /beak/metrics/history'>
}) {
  return (
    <div className="mt-14 grid border-y border-line py-2">
      <details className="group">
        <Summary>The counts as a table</Summary>
        <Scrolling label="The counts as a table">
          <thead>
            <tr>
              <Head>Day</Head>
              {names.map((name) => (
                <Head key={name}>{counts[name].short}</Head>
              ))}
            </tr>
          </thead>
          <tbody>
            {days
              .map((day, index) => (
                <tr key={day} className="border-t border-line">
                  <Day>{day}</Day>
                  {names.map((name) => (
                    <Cell key={name}>{number(values[name][index] ?? 0)}</Cell>
                  ))}
                </tr>
              ))
              .reverse()}
          </tbody>
        </Scrolling>
      </details>
      {views.length === 0 ? null : (
        <details className="group">
          <Summary>The page views as a table</Summary>
          <Scrolling label="The page views as a table">
            <thead>
              <tr>
                <Head>{views[0]?.days === 7 ? 'Week from' : 'Day'}</Head>
                <Head>Page views</Head>
              </tr>
            </thead>
            <tbody>
              {views
                .map(({ day, value }) => (
                  <tr key={day} className="border-t border-line">
                    <Day>{day}</Day>
                    <Cell>{number(value)}</Cell>
                  </tr>
                ))
                .reverse()}
            </tbody>
          </Scrolling>
        </details>
      )}
    </div>
  )
}

function Summary({ children }: { children: string }) {
  return (
    <summary className="flex min-h-11 items-center gap-2 text-sm font-semibold">
      <ChevronRight
        aria-hidden="true"
        size={16}
        className="transition-transform duration-150 group-open:rotate-90"
      />
      {children}
    </summary>
  )
}

function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to reach a scrollable area
    <section aria-label={label} tabIndex={0} className="mb-4 max-h-96 overflow-auto">
      <table className="w-full text-sm tabular-nums">{children}</table>
    </section>
  )
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th
      scope="col"
      className="sticky top-0 bg-ground px-3 py-2 text-end font-semibold first:ps-0 first:text-start"
    >
      {children}
    </th>
  )
}

function Day({ children }: { children: string }) {
  return (
    <th scope="row" className="py-2 pe-3 text-start font-normal whitespace-nowrap">
      {children}
    </th>
  )
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="px-3 py-2 text-end">{children}</td>
}
