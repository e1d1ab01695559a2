import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'

/** Shown before the first rule: what a rule is, in two sentences, with a drawing of one. */
export function EmptyRules({ viewerId }: { viewerId: string }) {
  return (
    <div className="border-y border-line py-10">
      <div aria-hidden="true" className="flex items-end gap-3">
        <Duck id="four" size={64} />
        <SignedNote />
        <Duck id={viewerId} size={96} />
      </div>
      <h2 className="mt-6">{m.rules_none_yet()}</h2>
      <p className="mt-2 max-w-xl text-soft">{m.rules_none_yet_text()}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink kind="primary" href="/rules/new">
          {m.rules_make_first()}
        </ButtonLink>
        <ButtonLink href="/pecks">{m.rules_open_inbox()}</ButtonLink>
      </p>
    </div>
  )
}

/** A note with three lines and a seal, which the duck of the agent shows instead of asking. */
function SignedNote() {
  return (
    <svg width="84" height="72" viewBox="0 0 84 72" className="mb-3" aria-hidden="true">
      <path d="M2 58h10M72 58h10" stroke="var(--edge)" strokeWidth="2" strokeDasharray="3 4" />
      <rect
        x="18"
        y="6"
        width="48"
        height="60"
        rx="6"
        fill="var(--surface)"
        stroke="var(--edge)"
        strokeWidth="2"
      />
      <path
        d="M27 20h30M27 30h30M27 40h16"
        stroke="var(--edge)"
        strokeWidth="3"
        strokeLinecap="round"
        fill="none"
      />
      <circle cx="53" cy="51" r="9" fill="var(--accent)" />
      <path d="m49 51 3 3 5-6" stroke="var(--accent-ink)" strokeWidth="2" strokeLinecap="round" fill="none" />
    </svg>
  )
}
