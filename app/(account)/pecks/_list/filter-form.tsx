import { withBasePath } from '@/components/base-path'
import { Button, ButtonLink } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { actionWords } from '@/lib/kernel/text/action-words'
import { grantBadges, statusLabels } from '../_peck/words'
import type { AskerChoices } from './asker-choices'
import { grantStatuses, type PeckFilter, statuses } from './filter'
import { sentenceCase } from './row-words'

interface FilterFormProps {
  path: string
  label: string
  filter: PeckFilter
  choices: AskerChoices
  /** The list contains requests of every status that the viewer sent and received. */
  isHistory?: boolean
}

/** The filters of a list, folded until they are used. A plain form, so that it works without scripts. */
export function FilterForm({ path, label, filter, choices, isHistory = false }: FilterFormProps) {
  const used = Object.values(filter).filter((value) => value !== undefined).length
  return (
    <details open={used > 0} className="group mb-4">
      <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-control border border-edge bg-surface px-4 text-sm font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden">
        Filter{used > 0 ? ` (${used})` : ''}
        <span aria-hidden="true" className="text-soft transition-[rotate] group-open:rotate-180">
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
          <Button type="submit">Apply</Button>
          {used > 0 ? (
            <ButtonLink href={path} kind="quiet">
              Clear filters
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
    <SelectField label="Asked by" name="asker" defaultValue={asker ?? ''}>
      <option value="">Anyone</option>
      <Options choices={own} label="Your agents" />
      <Options choices={others} label="People and their agents" />
      {isListed ? null : <option value={asker}>{asker}</option>}
    </SelectField>
  )
}

function Options({ choices, label }: { choices: AskerChoices['own']; label: string }) {
  if (choices.length === 0) return null
  return (
    <optgroup label={label}>
      {choices.map(({ value, label: name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </optgroup>
  )
}

function ActionField({ filter: { action }, choices }: FieldProps) {
  const actions = new Set([...choices.actions, ...(action === undefined ? [] : [action])])
  return (
    <SelectField label="Action" name="action" defaultValue={action ?? ''}>
      <option value="">Any</option>
      {[...actions].map((name) => (
        <option key={name} value={name}>
          {sentenceCase(actionWords(name))}
        </option>
      ))}
    </SelectField>
  )
}

function HistoryFields({ filter }: Pick<FilterFormProps, 'filter'>) {
  return (
    <>
      <SelectField label="Direction" name="direction" defaultValue={filter.direction ?? ''}>
        <option value="">Sent and received</option>
        <option value="received">Received</option>
        <option value="sent">Sent by me or my agents</option>
      </SelectField>
      <SelectField label="Request" name="status" defaultValue={filter.status ?? ''}>
        <option value="">Any status</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Permission" name="grant_status" defaultValue={filter.grant_status ?? ''}>
        <option value="">Any or none</option>
        {grantStatuses.map((status) => (
          <option key={status} value={status}>
            {grantBadges[status].label}
          </option>
        ))}
      </SelectField>
    </>
  )
}
