import type { ReactNode } from 'react'
import type { Problem } from '@/app/_web/problem'
import { Stamp } from '@/components/stamp'
import { Button, ButtonLink } from '@/components/ui/button'
import { answerWith } from '@/lib/http/page-status'

/** How pressing the button went; rides in the address, so what the page says is chosen here by name and never taken from there. */
export type LinkResult = 'done' | 'failed' | 'later'

interface Next {
  href: string
  label: string
}

interface LinkFormProps {
  title: string
  lead: string
  button: string
  token: string
  result: string
  /** What it means that it is done. */
  done: { title: string; text: string; next?: Next }
  /** What to do when the link has expired, was used or is cut off. The answer has status 404. */
  dead: { text: string; next: Next }
  action: (form: FormData) => Promise<void>
}

/** What came of a call with a link's token. A link that is no good stays so; anything else is worth another try. */
export function resultOf(answer: { ok: true } | { ok: false; problem: Problem }): LinkResult {
  if (answer.ok) return 'done'
  return answer.problem.status === 400 || answer.problem.status === 404 ? 'failed' : 'later'
}

/** A page a mailed link leads to: opening it changes nothing, pressing its one button does. Works without JavaScript. */
export function LinkForm({ title, lead, button, token, result, done, dead, action }: LinkFormProps) {
  const form = (
    <form action={action}>
      <input type="hidden" name="token" value={token} />
      <Button type="submit" kind="primary">
        {button}
      </Button>
    </form>
  )
  if (result === 'done')
    return (
      <Sheet title={done.title} text={done.text}>
        {done.next ? <ButtonLink href={done.next.href}>{done.next.label}</ButtonLink> : null}
      </Sheet>
    )
  if (result === 'later')
    return (
      <Sheet title="Not just now." text="Beak could not do this at the moment. Try again in a minute.">
        {form}
      </Sheet>
    )
  if (result === 'failed' || token === '') {
    answerWith(404)
    return (
      <Sheet
        title={
          token === '' && result !== 'failed'
            ? 'This link is incomplete.'
            : 'This link has expired or was used.'
        }
        text={dead.text}
      >
        <ButtonLink href={dead.next.href}>{dead.next.label}</ButtonLink>
      </Sheet>
    )
  }
  return (
    <Sheet title={title} text={lead}>
      {form}
    </Sheet>
  )
}

function Sheet({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid gap-x-20 gap-y-10 md:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
      <div>
        <div role="status">
          <h1>{title}</h1>
          <p className="mt-2 text-soft">{text}</p>
        </div>
        {children ? <div className="mt-6">{children}</div> : null}
      </div>
      <div className="max-md:hidden">
        <Stamp id="DUCK-QXQH" />
      </div>
    </div>
  )
}
