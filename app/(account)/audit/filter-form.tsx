import { withBasePath } from '@/components/base-path'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { eventGroups, eventKinds } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'

/** Finds one kind of event among all. */
export function FilterForm({ filter: { action, outcome } }: { filter: { action: string; outcome: string } }) {
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
