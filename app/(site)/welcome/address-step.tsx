import type { Viewer } from '@/app/_web/viewer'
import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { Sentence } from '@/components/sentence'
import { ActionForm, CodeField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { minute, readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { confirmAddress, correctAddress, resendCode } from './actions'
import { UnhatchedEgg } from './hatching'
import { Steps } from './steps'

/** How long a code is valid, in seconds. */
const codeLifetime = 10 * minute
/** How long after a code another one can be sent, in seconds. */
const resendAfter = minute / 2

interface AddressStepProps {
  viewer: Viewer
  next: string
  referralCode: string
}

/** Asks for the code that confirms the email, and helps when the code does not arrive or does not work. */
export function AddressStep({ viewer, next, referralCode }: AddressStepProps) {
  const age = Math.max(0, (readClock().getTime() - Date.parse(viewer.created_at)) / 1000)
  const isFresh = age < codeLifetime
  return (
    <PicturePage
      above={<Steps at="address" done={[]} />}
      title={m.welcome_confirm_your_email()}
      lead={
        isFresh ? (
          <Sentence
            of={m.welcome_we_sent_six_digit_code_enter}
            parts={{ email: () => <Email of={viewer} /> }}
          />
        ) : (
          <Sentence
            of={m.welcome_code_we_sent_when_you_signed}
            parts={{ email: () => <Email of={viewer} /> }}
          />
        )
      }
      picture={(size) => <UnhatchedEgg id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={confirmAddress} label={m.welcome_confirm_your_email()}>
        <input type="hidden" name="next" value={next} />
        <CodeField submitsItself autoFocus hint={m.welcome_valid_for_ten_minutes_submits_automatically()} />
        <SubmitButton>{m.welcome_confirm()}</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">{m.welcome_no_email_after_minute_check_your()}</p>
        <ResendCode action={resendCode} wait={Math.max(0, Math.ceil(resendAfter - age))}>
          <input type="hidden" name="next" value={next} />
        </ResendCode>
        <WrongEmail isFresh={isFresh} next={next} referralCode={referralCode} />
        <OutboxHint />
      </div>
    </PicturePage>
  )
}

function Email({ of: { email } }: { of: Viewer }) {
  return <strong className="text-ink wrap-anywhere">{email}</strong>
}

/** Corrects a mistyped email. That closes a duckling, which needs a recent sign-in: later the profile page changes the email. */
function WrongEmail({
  isFresh,
  next,
  referralCode,
}: Omit<AddressStepProps, 'viewer'> & { isFresh: boolean }) {
  if (!isFresh)
    return (
      <p className="text-sm text-soft">
        <Sentence
          of={m.welcome_wrong_email_change_it_on_your}
          parts={{
            link: (children) => (
              <Link href="/profile" className="inline-block py-1 font-semibold text-ink underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    )
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center text-sm font-semibold underline decoration-line hover:decoration-ink">
        {m.welcome_wrong_email()}
      </summary>
      <ActionForm action={correctAddress} className="mt-3" label={m.welcome_correct_the_email()}>
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="referral_code" value={referralCode} />
        <TextField
          label={m.welcome_correct_email_address()}
          name="email"
          type="email"
          autoComplete="email"
          hint={m.welcome_you_keep_your_name_we_send()}
        />
        <SubmitButton kind="plain">{m.welcome_send_code_to_this_email()}</SubmitButton>
      </ActionForm>
    </details>
  )
}
