import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { api } from '@/app/_web/api'
import { isMalformed, isMissing, type Problem } from '@/app/_web/problem'
import { Stamp } from '@/components/stamp'
import { Button, ButtonLink } from '@/components/ui/button'
import { field } from '@/components/ui/form-state'
import { PlainForm } from '@/components/ui/plain-form'
import { answerWith } from '@/lib/http/page-errors'
import { m } from '@/lib/kernel/messages'

/** How the call went. The page's address carries this name, never a text to show. */
type LinkResult = 'guarded' | 'done' | 'waiting' | 'early' | 'suspended' | 'failed' | 'later'

/** The endpoints that take the token of a mailed link. */
type LinkLine =
  | 'POST /beak/newsletter/confirm'
  | 'POST /beak/newsletter/unsubscribe'
  | 'POST /beak/passkey/recover/cancel'
  | 'POST /beak/email-change/undo'
  | 'POST /beak/session/disown'

export interface LinkPageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

interface LinkFormProps {
  searchParams: LinkPageProps['searchParams']
  title: string
  lead: string
  button: string
  /** What the page says after a success. */
  done?: { title: string; text: string; next?: NextStep }
  /** What the page says when the link does not work yet. */
  early?: { title: string; text: string }
  /** What the page says when a link may not do it. */
  guarded?: { title: string; text: string; next: NextStep }
  /** What the page says when the change happens only after a day. */
  waiting?: { title: string; text: string }
  /** What to do when the link is expired, used or cut off. The answer has status 404. */
  dead: { text: string; next: NextStep }
  action: (form: FormData) => Promise<void>
}

interface NextStep {
  href: string
  label: string
}

/** For the server action of a `LinkForm`: calls the endpoint with the token of the form, and shows the result on `page`. */
export async function followLink(line: LinkLine, page: string, form: FormData): Promise<never> {
  const token = field(form, 'token')
  // Only the token counts. A session in this browser may belong to another account.
  const answer = await api(line, { body: { token }, token: '' })
  return showResult(page, token, answer.ok ? successOf(answer.data) : resultOf(answer.problem))
}

/** For a server action that does more than one call: shows on `page` why its first call was refused. */
export function showRefusal(page: string, token: string, problem: Problem): never {
  return showResult(page, token, resultOf(problem))
}

function showResult(page: string, token: string, result: LinkResult): never {
  const isKept = result === 'later' || result === 'early'
  redirect(`${page}?${new URLSearchParams({ ...(isKept ? { token } : {}), result })}`)
}

/** Only the undo of a change of address can wait. */
const successOf = (data: object): LinkResult =>
  'restores_at' in data && data.restores_at !== null ? 'waiting' : 'done'

/** A rejected link stays rejected. Any other refusal may pass. */
function resultOf(problem: Problem): LinkResult {
  if (problem.reason === 'link_too_early') return 'early'
  if (problem.reason === 'session_by_passkey') return 'guarded'
  if (problem.reason === 'account_suspended') return 'suspended'
  return isMalformed(problem) || isMissing(problem) ? 'failed' : 'later'
}

/** The page that a mailed link opens. Opening it changes nothing; its one button does. Works without JavaScript. */
export async function LinkForm({
  searchParams,
  title,
  lead,
  button,
  done,
  waiting,
  guarded,
  early,
  dead,
  action,
}: LinkFormProps) {
  const { token = '', result } = await searchParams
  const form = (
    <PlainForm action={action}>
      <input type="hidden" name="token" value={String(token)} />
      <Button type="submit" kind="primary">
        {button}
      </Button>
    </PlainForm>
  )
  if (result === 'done' && done)
    return (
      <LinkSheet title={done.title} text={done.text}>
        {done.next ? <ButtonLink href={done.next.href}>{done.next.label}</ButtonLink> : null}
      </LinkSheet>
    )
  if (result === 'guarded' && guarded)
    return (
      <LinkSheet title={guarded.title} text={guarded.text}>
        <ButtonLink href={guarded.next.href}>{guarded.next.label}</ButtonLink>
      </LinkSheet>
    )
  if (result === 'waiting' && waiting) return <LinkSheet title={waiting.title} text={waiting.text} />
  if (result === 'early' && early)
    return (
      <LinkSheet title={early.title} text={early.text}>
        {form}
      </LinkSheet>
    )
  if (result === 'suspended')
    return (
      <LinkSheet title={m.linkform_this_account_is_suspended()} text={m.linkform_service_suspended_note()} />
    )
  if (result === 'later')
    return (
      <LinkSheet title={m.linkform_that_didnt_work()} text={m.linkform_submit_failed()}>
        {form}
      </LinkSheet>
    )
  if (result === 'failed' || token === '') {
    answerWith(404)
    const fault = result === 'failed' ? m.linkform_link_spent_title() : m.linkform_this_link_is_incomplete()
    return (
      <LinkSheet title={fault} text={dead.text}>
        <ButtonLink href={dead.next.href}>{dead.next.label}</ButtonLink>
      </LinkSheet>
    )
  }
  return (
    <LinkSheet title={title} text={lead}>
      {form}
    </LinkSheet>
  )
}

function LinkSheet({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
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
