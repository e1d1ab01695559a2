import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { actionLabel, quotedAction } from '@/lib/kernel/text/shown-action'
import { readRuleState } from '../../rules/_rule/reads'
import { ValuesLine } from '../_list/values-line'
import type { Peck, ShownPeck } from '../_peck/reads'
import { requesterName, usesWords } from '../_peck/words'
import { revokeAllPermissions, revokePermission, withdrawRequest } from './actions'

/** Revokes a permission, after a confirmation. */
export function RevokeForm({ peck }: { peck: Peck }) {
  const action = actionLabel(peck.action)
  return (
    <Confirm
      trigger={m.requests_revoke()}
      triggerKind="plain"
      title={<Sentence of={m.requests_revoke_title} with={{ action: quotedAction(peck.action) }} />}
      text={m.requests_revoke_warning()}
    >
      <AnnouncedForm action={revokePermission} label={m.requests_revoke_form_label({ action })}>
        <input type="hidden" name="peck_id" value={peck.peck_id} />
        <ConfirmButtons>{m.requests_revoke_permission()}</ConfirmButtons>
      </AnnouncedForm>
    </Confirm>
  )
}

interface RevokeAllFormProps {
  asker: string
  items: [ShownPeck, ...ShownPeck[]]
  /** `items` are all permissions of the asker. */
  isWhole: boolean
  /** The asker is an agent of the viewer. */
  isOwn: boolean
}

/** Revokes all permissions of an asker, after a confirmation that lists them. */
export async function RevokeAllForm({ asker, items, isWhole, isOwn }: RevokeAllFormProps) {
  const { requester } = items[0].peck
  const name = requesterName(requester)
  const mayHaveRules = requester.agent_id !== undefined && (await readRuleState()).living > 0
  const trigger = <Sentence of={m.requests_revoke_everything_name_may_do} with={{ name }} />
  return (
    <Confirm
      trigger={trigger}
      triggerKind="plain"
      title={<>{trigger}?</>}
      text={
        <>
          <p>
            {items.length === 1 && isWhole
              ? m.requests_revoke_all_single_warning()
              : m.requests_revoke_all_warning()}
          </p>
          <ul className="mt-3 grid gap-3">
            {items.map((request) => (
              <Ending key={request.peck.peck_id} {...request} />
            ))}
            {isWhole ? null : (
              <li>
                <Sentence of={m.requests_and_all_others_of_name} with={{ name }} />
              </li>
            )}
          </ul>
          <p className="mt-3">
            {isOwn ? (
              <Sentence of={m.requests_own_agent_can_still_ask} with={{ name }} />
            ) : (
              <Sentence of={m.requests_asker_can_still_ask} with={{ name }} />
            )}
            {mayHaveRules ? ` ${m.requests_rules_stay()}` : null}
          </p>
        </>
      }
    >
      <AnnouncedForm action={revokeAllPermissions} label={m.requests_revoke_everything_name_may_do({ name })}>
        <input type="hidden" name="asker" value={asker} />
        <ConfirmButtons>{m.requests_revoke_everything()}</ConfirmButtons>
      </AnnouncedForm>
    </Confirm>
  )
}

/** A permission that ends. */
function Ending({ peck, details, words }: ShownPeck) {
  return (
    <li className="border-s-2 border-line ps-3">
      <p className="font-semibold text-ink">
        <ActionWords words={words.title} />
      </p>
      <ValuesLine display={details.display} />
      <p>{usesWords(peck)}</p>
    </li>
  )
}

/** Withdraws a pending request of the viewer. */
export function WithdrawForm({ peck }: { peck: Peck }) {
  return (
    <AnnouncedForm
      action={withdrawRequest}
      label={m.requests_withdraw_action({ action: actionLabel(peck.action) })}
    >
      <input type="hidden" name="peck_id" value={peck.peck_id} />
      <SubmitButton kind="plain" pending={m.requests_withdrawing()}>
        {m.requests_withdraw()}
      </SubmitButton>
    </AnnouncedForm>
  )
}
