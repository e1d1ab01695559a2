import type { ResponseOf } from '@/app/beak/_api/lines'
import { Cell, ColumnHead, FoldedTable, RowHead } from '@/components/ui/data-table'
import { counts as names } from '@/lib/infrastructure/events/kinds/kind'
import { m } from '@/lib/kernel/messages'
import { counts, number } from './words'

/** The values of the charts as tables. */
export function HistoryTable({
  history: { days, counts: values, views },
}: {
  history: ResponseOf<'GET /beak/metrics/history'>
}) {
  return (
    <div className="mt-14 grid border-y border-line py-2">
      <FoldedTable title={m.numbers_the_counts_as_a_table()}>
        <thead>
          <tr>
            <ColumnHead>{m.numbers_day()}</ColumnHead>
            {names.map((name) => (
              <ColumnHead key={name}>{counts[name].short}</ColumnHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .map((day, index) => (
              <tr key={day} className="border-t border-line">
                <RowHead>{day}</RowHead>
                {names.map((name) => (
                  <Cell key={name}>{number(values[name][index] ?? 0)}</Cell>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </FoldedTable>
      {views.length === 0 ? null : (
        <FoldedTable title={m.numbers_the_page_views_as_a_table()}>
          <thead>
            <tr>
              <ColumnHead>{views[0]?.days === 7 ? m.numbers_week_from() : m.numbers_day()}</ColumnHead>
              <ColumnHead>{m.numbers_page_views()}</ColumnHead>
            </tr>
          </thead>
          <tbody>
            {views
              .map(({ day, value }) => (
                <tr key={day} className="border-t border-line">
                  <RowHead>{day}</RowHead>
                  <Cell>{number(value)}</Cell>
                </tr>
              ))
              .reverse()}
          </tbody>
        </FoldedTable>
      )}
    </div>
  )
}
