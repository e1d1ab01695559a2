import { Fingerprint } from 'lucide'
import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { ButtonLink } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { narrowerRules } from '../_rule/narrower'
import type { PresentedRule } from '../_rule/reads'
import { changeRule, endRule, pauseRule, resumeRule } from '../actions'

interface RuleControlsProps {
  rule: PresentedRule
  hasPasskey: boolean
  /** Permissions that the rule gave and nobody has used. */
  unused: number
}

/**
 * What the owner can do with a rule. Resuming, widening and renewing need a signature. The forms ask for the passkey when ending, pausing or
 * narrowing could let another rule approve more.
 */
export function RuleControls({ rule, hasPasskey, unused }: RuleControlsProps) {
  const id = <input type="hidden" name="rule_id" value={rule.rule_id} />
  return (
    <div className="grid gap-4 border-t border-line pt-5">
      <div className="flex flex-wrap items-start gap-3">
        {rule.status === 'on' ? (
          <ActionForm action={pauseRule} label={m.rules_pause()} keepsDraft={false}>
            {id}
            <SubmitButton kind="plain">{m.rules_pause()}</SubmitButton>
          </ActionForm>
        ) : rule.status === 'expired' ? null : hasPasskey ? (
          <ActionForm action={resumeRule} label={m.rules_resume()} keepsDraft={false}>
            {id}
            <PasskeySubmit challenge={{ purpose: 'rule', rule_id: rule.rule_id }}>
              <Icon of={Fingerprint} size={18} /> {m.rules_resume()}
            </PasskeySubmit>
          </ActionForm>
        ) : (
          <ButtonLink href="/security#add-passkey">{m.decision_add_a_passkey()}</ButtonLink>
        )}
        <ButtonLink href={`/rules/${rule.rule_id}/edit`}>
          {rule.status === 'expired' ? m.rules_renew() : m.rules_change()}
        </ButtonLink>
        <Confirm
          trigger={m.rules_end()}
          title={m.rules_end_title()}
          text={unused === 0 ? m.rules_end_text() : m.rules_end_revokes({ count: unused })}
        >
          <ActionForm action={endRule} label={m.rules_end()} keepsDraft={false}>
            {id}
            <SubmitButton kind="danger">{m.rules_end()}</SubmitButton>
          </ActionForm>
        </Confirm>
      </div>
      {rule.status === 'on' ? <NarrowButtons rule={rule} /> : null}
    </div>
  )
}

/** One tap each: no rule gets wider this way, so none needs a signature. */
function NarrowButtons({ rule }: Pick<RuleControlsProps, 'rule'>) {
  const narrower = narrowerRules(rule)
  if (narrower.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-soft">{m.rules_narrow()}</span>
      {narrower.map(({ label, rule: changed }) => (
        <ActionForm key={label} action={changeRule} label={label} keepsDraft={false} className="contents!">
          <input type="hidden" name="rule_id" value={rule.rule_id} />
          <input type="hidden" name="rule" value={JSON.stringify(changed)} />
          <SubmitButton kind="plain" className="px-3! font-normal!">
            {label}
          </SubmitButton>
        </ActionForm>
      ))}
    </div>
  )
}
