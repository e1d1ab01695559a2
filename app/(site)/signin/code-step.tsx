import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, CodeField, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { changeAddress, enterCode, resendCode } from './actions'
import { type Kept, KeptFields } from './address-step'
import type { PendingSignIn } from './pending-sign-in'

/** Asks for the mailed code, and helps when the code does not arrive or does not work. */
export function CodeStep({ pending, kept }: { pending: PendingSignIn; kept: Kept }) {
  const { email, resendAt } = pending
  const wait = Math.max(0, Math.ceil((resendAt - readClock().getTime()) / 1000))
  return (
    <PicturePage
      title={m.signin_enter_your_code()}
      lead={
        <Sentence
          of={m.signin_if_email_has_duckling_here_we}
          with={{ email }}
          parts={{ strong: (children) => <strong className="text-ink wrap-anywhere">{children}</strong> }}
        />
      }
      picture={(size) => <Duck id="DUCK-B" size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <ActionForm action={enterCode} label={m.signin_sign_in_with_the_code()} countsOnce={false}>
        <KeptFields kept={kept} />
        <CodeField submitsItself autoFocus hint={m.signin_valid_for_ten_minutes_submits_automatically()} />
        <SubmitButton>{m.signin_sign_in()}</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">
          <Sentence
            of={m.signin_no_email_after_minute_check_your}
            parts={{
              link: (children) => (
                <Link href="/docs/people/lost-mailbox" className="inline-block py-1 text-ink underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-1">
          <ResendCode action={resendCode} wait={wait}>
            <KeptFields kept={kept} />
          </ResendCode>
          <PlainForm action={changeAddress}>
            <KeptFields kept={kept} />
            <button type="submit" className={buttonClass('quiet')}>
              {m.signin_use_another_email_or_a_passkey()}
            </button>
          </PlainForm>
        </div>
        <OutboxHint />
      </div>
    </PicturePage>
  )
}
