import { personName } from '@beak/decision/person-name'
import type { Viewer } from '@/app/_web/viewer'
import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import { ResendCode } from '@/components/resend-code'
import { Sentence } from '@/components/sentence'
import { ActionForm, CodeField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { minute, readClock } from '@/lib/kernel/runtime/clock'
import { listWithOr } from '@/lib/kernel/text/list-words'
import { FavourFields } from '../_favour/favour-fields'
import { FavourPreview } from '../_favour/favour-preview'
import { ask, enterCode, resendCode, sendCode } from './actions'
import type { AskDraft } from './draft'

interface StepProps {
  token: string
  /** The name of the person who is asked. */
  to: string
  draft: AskDraft | null
}

/** Asks for the sentence. Who is signed in reads here what the other person will see, and sends it. */
export function FavourStep({ token, to, draft, viewer, isConfirmed }: StepProps & FavourStepProps) {
  const sender = viewer?.email_verified ? viewer : null
  return (
    <div className="grid gap-6">
      {isConfirmed && draft !== null ? <Notice role="status">{m.ask_confirmed_not_sent()}</Notice> : null}
      <ActionForm action={ask} label={m.ask_form()} countsOnce={false} keepsDraft="always">
        <input type="hidden" name="link" value={token} />
        <FavourFields
          given={draft}
          preview={
            sender === null ? null : { to, from: { id: sender.duckling_id, name: personName(sender) } }
          }
        />
        <SubmitButton pending={sender === null ? undefined : m.ask_sending()}>
          {sender === null ? m.ask_continue() : m.ask_send()}
        </SubmitButton>
      </ActionForm>
      {viewer === null ? <WhoMaySignUp to={to} /> : null}
    </div>
  )
}

/** Says what somebody without an account needs, where not everybody may sign up. */
function WhoMaySignUp({ to }: Pick<StepProps, 'to'>) {
  const { signUp } = config()
  if (signUp.mode === 'open') return null
  return (
    <Notice>
      {signUp.mode === 'closed' ? (
        <Sentence of={m.ask_new_closed} with={{ name: to }} />
      ) : signUp.mode === 'domains' ? (
        m.ask_new_with_domains({ domains: listWithOr(signUp.domains) })
      ) : (
        m.ask_new_with_pass()
      )}
    </Notice>
  )
}

interface FavourStepProps {
  viewer: Viewer | null
  isConfirmed: boolean
}

/** Shows the request as the other person will see it, and asks who sends it. */
export function CheckStep({ token, to, draft }: StepProps & { draft: AskDraft }) {
  const { signUp } = config()
  const next = `/ask/${token}`
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <FavourPreview favour={draft} to={to} from={null} />
        <p>
          <TextLink href={next}>{m.ask_change()}</TextLink>
        </p>
      </div>
      <WhoMaySignUp to={to} />
      <ActionForm action={sendCode} label={m.ask_who_you_are()} countsOnce={false} keepsDraft="always">
        <input type="hidden" name="link" value={token} />
        {signUp.mode === 'closed' ? null : (
          <TextField
            label={m.ask_your_name()}
            name="full_name"
            autoComplete="name"
            dir="auto"
            hint={<Sentence of={m.ask_your_name_hint} with={{ name: to }} />}
          />
        )}
        <TextField
          label={m.ask_your_email()}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={draft.email}
          hint={signUp.mode === 'closed' ? m.ask_your_email_hint() : m.ask_your_email_hint_new()}
        />
        {signUp.mode === 'open' || signUp.mode === 'closed' ? null : (
          <TextField
            label={m.ask_pass()}
            name="sign_up_pass"
            optional
            maxLength={120}
            autoComplete="off"
            className="font-mono"
            hint={signUp.mode === 'pass' ? m.ask_pass_hint() : m.ask_pass_hint_domains()}
          />
        )}
        <SubmitButton pending={m.ask_sending()}>{m.ask_send_code()}</SubmitButton>
      </ActionForm>
      <p className="text-sm text-soft">
        <Sentence
          of={m.ask_sign_in_instead}
          parts={{
            link: (children) => (
              <TextLink href={`/signin?${new URLSearchParams({ next })}`}>{children}</TextLink>
            ),
          }}
        />
      </p>
    </div>
  )
}

interface CodeStepProps extends StepProps {
  draft: AskDraft
  viewer: Viewer | null
}

/** How long after a code another one can be sent, in seconds. */
const resendAfter = minute / 2

/** Asks for the mailed code. With it, the request of a new account is sent. */
export function CodeStep({ token, to, draft, viewer }: CodeStepProps) {
  const now = readClock().getTime()
  const resendAt =
    viewer === null ? (draft.resendAt ?? 0) : Date.parse(viewer.created_at) + resendAfter * 1000
  const email = viewer?.email ?? draft.email ?? ''
  const isUncertain = viewer === null && ['closed', 'pass'].includes(config().signUp.mode)
  return (
    <div className="grid gap-6">
      <p>
        <Sentence
          of={isUncertain ? m.ask_code_if_account : m.ask_code_sent}
          with={{ email }}
          parts={{ strong: (children) => <strong className="wrap-anywhere">{children}</strong> }}
        />
      </p>
      <ActionForm action={enterCode} label={m.ask_code_form()} countsOnce={false}>
        <input type="hidden" name="link" value={token} />
        <CodeField autoFocus />
        <SubmitButton pending={m.ask_sending()}>
          {viewer === null ? m.ask_confirm() : m.ask_confirm_and_send()}
        </SubmitButton>
      </ActionForm>
      <FavourPreview
        favour={draft}
        to={to}
        from={viewer === null ? null : { id: viewer.duckling_id, name: personName(viewer) }}
      />
      <div className="flex flex-wrap items-start gap-x-6 gap-y-1 text-sm">
        <ResendCode action={resendCode} wait={Math.max(0, Math.ceil((resendAt - now) / 1000))}>
          <input type="hidden" name="link" value={token} />
        </ResendCode>
        <TextLink
          href={
            viewer === null
              ? `/ask/${token}?step=check`
              : `/welcome?${new URLSearchParams({ next: `/ask/${token}` })}`
          }
        >
          {m.ask_wrong_email()}
        </TextLink>
      </div>
      <OutboxHint />
    </div>
  )
}

function TextLink({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-sm font-semibold underline">
      {children}
    </Link>
  )
}
