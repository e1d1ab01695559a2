import { withBasePath } from '@/components/base-path'
import { Button, ButtonLink } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { actionLabel, isKnownAction } from '@/lib/kernel/text/shown-action'
import { grantBadges, statusLabels } from '../_peck/words'
import { type AskerChoices, grantStatuses, type PeckFilter, statuses } from './filter'

interface FilterFormProps {
  path: string
  label: string
  filter: PeckFilter
  choices: AskerChoices
  /** The list contains requests that the viewer sent and received, and all that are over. */
  isHistory?: boolean
}

/** The filters of a list, folded until they are used. A plain form, so that it works without scripts. */
export function FilterForm({ path, label, filter, choices, isHistory = false }: FilterFormProps) {
  const used = Object.values(filter).filter((value) => value !== undefined).length
  return (
    <details open={used > 0} className="group/filter mb-4">
      <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-control border border-edge bg-surface px-4 text-sm font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden">
        {used > 0 ? m.requests_filters_set({ count: used }) : m.requests_filter()}
        <span aria-hidden="true" className="text-soft transition-[rotate] group-open/filter:rotate-180">
          ⌄
        </span>
      </summary>
      <form
        action={withBasePath(path)}
        aria-label={label}
        className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-3 [&_select]:truncate"
      >
        <AskerField filter={filter} choices={choices} />
        <ActionField filter={filter} choices={choices} />
        {isHistory ? <HistoryFields filter={filter} /> : null}
        <div className="col-span-full flex flex-wrap gap-3">
          <Button type="submit">{m.requests_apply()}</Button>
          {used > 0 ? (
            <ButtonLink href={path} kind="quiet">
              {m.requests_clear_filters()}
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </details>
  )
}

type FieldProps = Pick<FilterFormProps, 'filter' | 'choices'>

function AskerField({ filter: { asker }, choices: { others, own } }: FieldProps) {
  const isListed = asker === undefined || [...others, ...own].some(({ value }) => value === asker)
  return (
    <SelectField label={m.requests_asked_by()} name="asker" defaultValue={asker ?? ''}>
      <option value="">{m.requests_anyone()}</option>
      <Options choices={own} label={m.requests_your_agents()} />
      <Options choices={others} label={m.requests_people_and_their_agents()} />
      {isListed ? null : (
        <option value={asker} translate="no">
          {asker}
        </option>
      )}
    </SelectField>
  )
}

function Options({ choices, label }: { choices: AskerChoices['own']; label: string }) {
  if (choices.length === 0) return null
  return (
    <optgroup label={label}>
      {choices.map(({ value, label: name }) => (
        <option key={value} value={value} translate="no">
          {name}
        </option>
      ))}
    </optgroup>
  )
}

function ActionField({ filter: { action }, choices }: FieldProps) {
  const actions = new Set([...choices.actions, ...(action === undefined ? [] : [action])])
  return (
    <SelectField label={m.requests_action()} name="action" defaultValue={action ?? ''}>
      <option value="">{m.requests_any()}</option>
      {[...actions].map((name) => (
        <option key={name} value={name} translate={isKnownAction(name) ? undefined : 'no'}>
          {actionLabel(name)}
        </option>
      ))}
    </SelectField>
  )
}

function HistoryFields({ filter }: Pick<FilterFormProps, 'filter'>) {
  return (
    <>
      <SelectField label={m.requests_direction()} name="direction" defaultValue={filter.direction ?? ''}>
        <option value="">{m.requests_sent_and_received()}</option>
        <option value="received">{m.requests_received()}</option>
        <option value="sent">{m.requests_sent_by_me_or_my_agents()}</option>
      </SelectField>
      <SelectField label={m.requests_request()} name="status" defaultValue={filter.status ?? ''}>
        <option value="">{m.requests_any_outcome()}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={m.requests_permission()}
        name="grant_status"
        defaultValue={filter.grant_status ?? ''}
      >
        <option value="">{m.requests_any_or_none()}</option>
        {grantStatuses.map((status) => (
          <option key={status} value={status}>
            {grantBadges[status].label}
          </option>
        ))}
      </SelectField>
    </>
  )
}
