import type { ReactNode } from 'react'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { CheckField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'

type Scope = ResponseOf<'POST /beak/consent/view'>['scopes'][number]

const words: Record<Exclude<Scope, 'ask'>, { label: () => string; hint: () => string }> = {
  'ask:others': { label: m.consent_ask_others, hint: m.consent_ask_others_hint },
  profile: { label: m.consent_profile, hint: m.consent_profile_hint },
  activity: { label: m.consent_activity, hint: m.consent_activity_hint },
}

export const optionalScopes = Object.keys(words) as (keyof typeof words)[]

interface ScopeTicksProps {
  offered: readonly Scope[]
  ticked: readonly Scope[]
  /** What is folded together with the ticks. Without it, they stand open. */
  children?: ReactNode
}

/** What a connected program may do, as sentences: one that always holds, and those of `offered` to tick. */
export function ScopeTicks({ offered, ticked, children }: ScopeTicksProps) {
  const ticks = optionalScopes
    .filter((scope) => offered.includes(scope))
    .map((scope) => (
      <CheckField
        key={scope}
        name={`scopes:${scope}`}
        label={words[scope].label()}
        hint={words[scope].hint()}
        defaultChecked={ticked.includes(scope)}
      />
    ))
  return (
    <fieldset className="grid gap-4">
      {/* The page of an agent has a heading above. */}
      <legend className={children === undefined ? 'visually-hidden' : 'mb-3 font-semibold'}>
        {m.consent_may()}
      </legend>
      <p className="text-sm font-semibold">{m.consent_ask()}</p>
      {children === undefined ? (
        ticks
      ) : (
        <Folded isOpen={ticked.some((scope) => scope !== 'ask' && offered.includes(scope))}>
          {ticks}
          {children}
        </Folded>
      )}
    </fieldset>
  )
}

/** Opens by itself when the name was refused, so that everybody sees why. `isOpen`: something in it is ticked. */
function Folded({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const { errors } = useAnswer()
  return (
    <details open={isOpen || errors.agent_name !== undefined}>
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">{m.consent_more()}</summary>
      <div className="mt-2 grid gap-4">{children}</div>
    </details>
  )
}
