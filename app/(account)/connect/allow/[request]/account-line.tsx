import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { PlainForm } from '@/components/ui/plain-form'
import { m } from '@/lib/kernel/messages'
import { changeAccount } from './actions'

interface AccountLineProps {
  request: string
  account: { full_name: string | null; display_name: string; email: string | null }
  /** Whether a site asks, and not a program. */
  isSite?: boolean
}

/** Says whose account decides, with the way to another one. */
export function AccountLine({ request, account, isSite = false }: AccountLineProps) {
  return (
    <PlainForm action={changeAccount} className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
      <input type="hidden" name="request" value={request} />
      <span className="wrap-anywhere">
        <Sentence
          of={isSite ? m.consent_site_account : m.consent_account}
          with={{ name: account.full_name ?? account.display_name, email: account.email ?? '' }}
        />
      </span>
      <button type="submit" className={buttonClass('quiet')}>
        {m.consent_another_account()}
      </button>
    </PlainForm>
  )
}
