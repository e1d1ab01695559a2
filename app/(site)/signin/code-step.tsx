import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, CodeField, SubmitButton } from '@/components/ui/form'
import { PlainForm } from '@/components/ui/plain-form'
import { readClock } from '@/lib/kernel/clock'
import { changeAddress, enterCode, resendCode } from './actions'
import { type Kept, KeptFields } from './address-step'
import type { PendingSignIn } from './pending-sign-in'

/** Asks for the mailed code, and helps when the code does not arrive or does not work. */
export function CodeStep({ pending, kept }: { pending: PendingSignIn; kept: Kept }) {
  const { email, resendAt } = pending
  const wait = Math.max(0, Math.ceil((resendAt - readClock().getTime()) / 1000))
  return (
    <PicturePage
      title="Enter your code"
      lead={
        <>
          If <strong className="text-ink wrap-anywhere">{email}</strong> has a duckling here, we have sent a
          six-digit code to it.
        </>
      }
      picture={(size) => <Duck id="DUCK-B" size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <ActionForm action={enterCode} label="Sign in with the code" countsOnce={false}>
        <KeptFields kept={kept} />
        <CodeField submitsItself autoFocus hint="Valid for ten minutes. Submits automatically." />
        <SubmitButton>Sign in</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">
          No email after a minute? Check your spam folder and the address above. We send at most three codes
          in ten minutes.
        </p>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-1">
          <ResendCode action={resendCode} wait={wait}>
            <KeptFields kept={kept} />
          </ResendCode>
          <PlainForm action={changeAddress}>
            <KeptFields kept={kept} />
            <button type="submit" className={buttonClass('quiet')}>
              Use another email or a passkey
            </button>
          </PlainForm>
        </div>
        <OutboxHint />
      </div>
    </PicturePage>
  )
}
