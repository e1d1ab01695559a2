import { withBasePath } from '@/components/base-path'
import { Button, ButtonLink } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { Empty } from '@/components/ui/surface'
import { eventGroups, eventKinds } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'

export interface Filter {
  action: string
  outcome: '' | 'denied'
  cursor: string
}

/** Returns the filter in the address. An unknown event type or outcome means no filter, because addresses get cut and mistyped. */
export function filterIn(given: Record<string, string | string[] | undefined>): Filter {
  // A parameter that is given twice becomes a text that the API rejects.
  const text = (name: string) => String(given[name] ?? '')
  return {
    action: Object.hasOwn(eventKinds, text('action')) ? text('action') : '',
    outcome: text('outcome') === 'denied' ? 'denied' : '',
    cursor: text('cursor'),
  }
}

export function FilterForm({ filter: { action, outcome } }: { filter: Filter }) {
  return (
    <form
      key={`${action} ${outcome}`}
      action={withBasePath('/audit')}
      aria-label={m.audit_filter_events()}
      className="mt-10 flex flex-wrap items-end gap-4 border-t border-line pt-7"
    >
      <div className="w-full sm:w-64">
        <SelectField label={m.audit_event()} name="action" defaultValue={action}>
          <option value="">{m.audit_all_events()}</option>
          <KindOptions />
        </SelectField>
      </div>
      <div className="w-full sm:w-56">
        <SelectField label={m.audit_outcome()} name="outcome" defaultValue={outcome}>
          <option value="">{m.audit_any()}</option>
          <option value="denied">{m.audit_refused_only()}</option>
        </SelectField>
      </div>
      <Button type="submit">{m.audit_apply()}</Button>
      {action || outcome ? (
        <ButtonLink kind="quiet" href="/audit">
          {m.audit_clear_filters()}
        </ButtonLink>
      ) : null}
    </form>
  )
}

function KindOptions() {
  return eventGroups.map(({ name, label, kinds }) => (
    <optgroup key={name} label={label()}>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {eventKinds[kind].label()}
        </option>
      ))}
    </optgroup>
  ))
}

export function NoEvents({ filter: { action, outcome } }: { filter: Filter }) {
  return (
    <div className="mt-8">
      <Empty
        title={outcome ? m.audit_no_refused_events() : m.audit_no_events_of_this_type()}
        action={<ButtonLink href="/audit">{m.audit_clear_filters()}</ButtonLink>}
      >
        {action
          ? m.audit_choose_another_event_or_clear_filters()
          : m.audit_nothing_was_refused_on_your_account()}
      </Empty>
    </div>
  )
}

export function Pages({ filter, next }: { filter: Filter; next: string | null }) {
  if (filter.cursor === '' && next === null) return null
  const hrefOf = (cursor: string) => {
    const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== '')
    return given.length === 0 ? '/audit' : `/audit?${new URLSearchParams(given)}`
  }
  return (
    <nav aria-label={m.audit_pages()} className="mt-7 flex flex-wrap gap-3">
      {filter.cursor === '' ? null : <ButtonLink href={hrefOf('')}>{m.audit_newest()}</ButtonLink>}
      {next === null ? null : <ButtonLink href={hrefOf(next)}>{m.audit_older()}</ButtonLink>}
    </nav>
  )
}
