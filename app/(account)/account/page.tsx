import type { Metadata } from 'next'
import { Duck } from '@/components/duck'
import { FreshSignIn } from '@/components/fresh-sign-in'
import { buttonClass } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Card, PageHead, Section } from '@/components/ui/surface'
import { requireViewer } from '@/lib/web/viewer'
import { closeAccount } from './actions'

export const metadata: Metadata = { title: 'Account', robots: { index: false } }

const takenDown = [
  'Your birth certificate is revoked. Whoever checks it sees so.',
  'Your agents are deregistered and their keys stop working.',
  'You are signed out everywhere, and your passkeys are removed.',
  'Pecks that still wait are cancelled, and permissions that still hold are revoked.',
  'Your SSO tokens and webhooks end.',
]

export default async function AccountPage() {
  const viewer = await requireViewer('/account')
  return (
    <>
      <PageHead title="Account" lead="Take along what we hold about you, or leave." />
      <Section id="export" title="Export" lead="Everything held about you, as one JSON document.">
        <Card className="grid gap-5">
          <p className="text-sm">
            Your profile, certificates, agents and their keys (never the secrets), pecks both ways, passkeys,
            sessions, webhooks with their deliveries, and your whole audit log with its signed head.
          </p>
          <p className="text-sm">
            The log can be checked without us:{' '}
            <code className="wrap-anywhere">npm run audit:verify -- beak-export.json</code>
          </p>
          {/* A download: no page for the router to fetch. */}
          <a href="/api/export" download className={buttonClass('plain', 'justify-self-start')}>
            Download my data
          </a>
        </Card>
      </Section>
      <Section id="close" title="Close the account" lead="For good. Nobody can bring it back, not even we.">
        <Card>
          <ul className="mb-6 grid list-disc gap-2 ps-5 text-sm marker:text-soft">
            {takenDown.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <Confirm
            trigger="Close my account"
            title="Close your account?"
            text="This cannot be undone. Download your data first if you want to keep it."
          >
            <p className="flex items-center gap-3">
              <Duck id={viewer.duckling_id} />
              <strong className="wrap-anywhere">{viewer.display_name}</strong>
            </p>
            <ActionForm action={closeAccount} label="Close the account">
              <TextField
                label="Your display name"
                name="display_name"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                hint="Type it to show that you mean this account."
              />
              <SubmitButton kind="danger">Close it for good</SubmitButton>
              <FreshSignIn next="/account" />
            </ActionForm>
          </Confirm>
        </Card>
      </Section>
    </>
  )
}
