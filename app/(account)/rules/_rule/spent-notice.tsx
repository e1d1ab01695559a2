import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { pauseRule } from '../actions'
import type { PresentedRule } from './reads'
import { leftTexts } from './words'

interface SpentNoticeProps {
  rule: PresentedRule
  isOnItsPage?: boolean
}

/** Says that the budget of a rule is exceeded, so its requests wait. "Pause this rule" makes Beak ask from now on. */
export function SpentNotice({ rule, isOnItsPage = false }: SpentNoticeProps) {
  return (
    <div className="mb-6" data-spent>
      <Notice tone="warn" title={m.rules_spent()}>
        <p className="wrap-anywhere">
          {isOnItsPage ? null : (
            <>
              <Link href={`/rules/${rule.rule_id}`} className="underline">
                {rule.sentence}
              </Link>{' '}
            </>
          )}
          {m.rules_spent_text({ left: leftTexts({ budget: rule.rule.budget, left: rule.left }).join(', ') })}
        </p>
        <div className="mt-3">
          <ActionForm action={pauseRule} keepsDraft={false}>
            <input type="hidden" name="rule_id" value={rule.rule_id} />
            <SubmitButton kind="plain">{m.rules_ask_me()}</SubmitButton>
          </ActionForm>
        </div>
      </Notice>
    </div>
  )
}
