import type { ReactNode } from 'react'
import { Stamp } from '@/components/stamp'
import { Button, ButtonLink } from '@/components/ui/button'
import type { Problem } from '@/lib/web/call-api'

/** How pressing the button went; rides in the address, so what the page says is chosen here by name and never taken from there. */
export type LinkResult = 'done' | 'failed' | 'later'

interface LinkFormProps {
  title: string
  lead: string
  button: string
  token: string
  result: string
  /** What it means that it is done. */
  done: { title: string; text: string }
  action: (form: FormData) => Promise<void>
}

/** What came of a call with a link's token. A link that is no good stays so; anything else is worth another try. */
export function resultOf(answer: { ok: true } | { ok: false; problem: Problem }): LinkResult {
  if (answer.ok) return 'done'
  return answer.problem.status === 400 || answer.problem.status === 404 ? 'failed' : 'later'
}

/** A page a mailed link leads to: opening it changes nothing, pressing its one button does. Works without JavaScript. */
export function LinkForm({ title, lead, button, token, result, done, action }: LinkFormProps) {
  const form = (
    <form action={action}>
      <input type="hidden" name="token" value={token} />
      <Button type="submit" kind="primary">
        {button}
      </Button>
    </form>
  )
  if (result === 'done') return <Sheet {...done} />
  if (result === 'later')
    return (
      <Sheet title="Not just now." text="Beak could not do this at the moment. Try again in a minute.">
        {form}
      </Sheet>
    )
  if (result === 'failed' || token === '')
    return (
      <Sheet
        title={
          token === '' && result !== 'failed'
            ? 'This link is incomplete.'
            : 'This link is not valid any more.'
        }
        text="Open the one in the newest letter, or ask for a new letter."
      >
        <ButtonLink href="/newsletter">Ask for a new letter</ButtonLink>
      </Sheet>
    )
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
