import { Fingerprint } from 'lucide'
import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { changeRule, signRule } from '../actions'
import type { SentRule } from './reads'

interface SignFormProps {
  rule: SentRule
  hasPasskey: boolean
  /** The rule that is changed. Undefined: a new rule. */
  ruleId?: string
  /** The waiting request that is approved after the rule is made. */
  peckId?: string
  /** False: the change only makes the rule narrower. */
  needsPasskey?: boolean
}

/** Signs exactly the rule whose sentence the page shows. A change that only makes it narrower needs no signature. */
export function SignForm({ rule, hasPasskey, ruleId, peckId, needsPasskey = true }: SignFormProps) {
  if (!needsPasskey && ruleId !== undefined)
    return (
      <ActionForm action={changeRule} label={m.rules_save_narrower()} keepsDraft={false}>
        <Hidden rule={rule} ruleId={ruleId} />
        <SubmitButton>{m.rules_save_narrower()}</SubmitButton>
        <p className="max-w-prose text-sm text-soft">{m.rules_save_narrower_hint()}</p>
      </ActionForm>
    )
  if (!hasPasskey)
    return (
      <div className="grid justify-items-start gap-2">
        <ButtonLink kind="primary" href="/security#add-passkey">
          {m.decision_add_a_passkey()}
        </ButtonLink>
        <p className="max-w-prose text-sm text-soft">{m.rules_need_passkey()}</p>
      </div>
    )
  const label = peckId === undefined ? m.rules_sign() : m.rules_sign_button()
  return (
    <ActionForm action={ruleId === undefined ? signRule : changeRule} label={label} keepsDraft={false}>
      <Hidden rule={rule} ruleId={ruleId} peckId={peckId} />
      <PasskeySubmit
        // A new sentence is a new challenge.
        key={JSON.stringify(rule)}
        challenge={{ purpose: 'rule', rule, ...(ruleId === undefined ? {} : { rule_id: ruleId }) }}
      >
        <Icon of={Fingerprint} size={18} /> {label}
      </PasskeySubmit>
      <p className="max-w-prose text-sm text-soft">
        {peckId === undefined ? m.rules_sign_hint() : m.rules_sign_and_approve_hint()}
      </p>
    </ActionForm>
  )
}

function Hidden({ rule, ruleId, peckId }: Pick<SignFormProps, 'rule' | 'ruleId' | 'peckId'>) {
  return (
    <>
      <input type="hidden" name="rule" value={JSON.stringify(rule)} />
      {ruleId === undefined ? null : <input type="hidden" name="rule_id" value={ruleId} />}
      {peckId === undefined ? null : <input type="hidden" name="peck_id" value={peckId} />}
    </>
  )
}
