import { CirclePause } from 'lucide'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { PlainForm } from '@/components/ui/plain-form'
import { m } from '@/lib/kernel/messages'
import { pauseAllRules } from './actions'

/** One switch that pauses all rules, in the bar on every page. An icon, because the bar holds all tools at every width. Works without scripts. */
export function RulesSwitch() {
  return (
    <PlainForm action={pauseAllRules} className="flex">
      <button
        type="submit"
        title={m.rules_pause_all_title()}
        className={buttonClass('quiet', 'min-w-11 shrink-0')}
      >
        <Icon of={CirclePause} size={20} label={m.rules_pause_all()} />
      </button>
    </PlainForm>
  )
}

/** A banner on every page while all rules are paused. Resuming needs the passkey, on the page of the rules. */
export function RulesPausedBanner() {
  return (
    <section aria-label={m.rules_all_paused()} className="no-print border-b border-line bg-sunken">
      <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-2 px-5 py-2">
        <p className="flex min-w-0 flex-1 basis-64 items-center gap-3 text-sm">
          <Icon of={CirclePause} size={20} className="shrink-0" />
          <span>
            <strong>{m.rules_all_paused()}</strong> {m.rules_all_paused_text()}
          </span>
        </p>
        <ButtonLink href="/rules">{m.rules_resume_ellipsis()}</ButtonLink>
      </div>
    </section>
  )
}
