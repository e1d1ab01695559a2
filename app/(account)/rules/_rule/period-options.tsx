import { m } from '@/lib/kernel/messages'

/** The periods of a budget, as options of a field. */
export function PeriodOptions() {
  return (
    <>
      <option value="day">{m.rules_each_day()}</option>
      <option value="week">{m.rules_each_week()}</option>
      <option value="month">{m.rules_each_month()}</option>
    </>
  )
}
