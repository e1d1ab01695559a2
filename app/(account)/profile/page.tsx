import type { Metadata } from 'next'
import Link from 'next/link'
import { GET as passkeyList } from '@/app/beak/passkey/list/route'
import { Duck } from '@/components/duck'
import { Eggs } from '@/components/eggs'
import { CopyBlock } from '@/components/ui/copy'
import { ActionForm, CheckField, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Card, Notice, PageHead, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { callApi } from '@/lib/web/call-api'
import { PageProblem, requireViewer, type Viewer } from '@/lib/web/viewer'
import { changeEmail, changeName, changeSettings } from './actions'
import { EmailSteps } from './email-steps'

export const metadata: Metadata = { title: 'Profile', robots: { index: false } }

export default async function ProfilePage() {
  const viewer = await requireViewer('/profile')
  const passkeys = await callApi(passkeyList, 'GET', { query: { limit: '1' } })
  if (!passkeys.ok) throw new PageProblem(passkeys.problem)
  return (
    <>
      <PageHead title="Profile" lead="Who you are here, and who may ask you for something." />
      <Who viewer={viewer} />
      <Section id="name" title="Name">
        <Card>
          <Name viewer={viewer} />
        </Card>
      </Section>
      <Section id="settings" title="What others see and ask">
        <Card>
          <Settings viewer={viewer} hasPasskey={passkeys.data.items.length > 0} />
        </Card>
      </Section>
      <Section
        id="email"
        title="E-mail"
        lead={
          <>
            Codes and notices go to <strong className="text-ink wrap-anywhere">{viewer.email}</strong>.
          </>
        }
      >
        <Card>
          <ActionForm action={changeEmail} label="Change the e-mail address">
            <EmailSteps />
          </ActionForm>
        </Card>
      </Section>
      <Section
        id="eggs"
        title="Eggs"
        lead="Pass this link on. When somebody signs up with it and confirms their e-mail, you lay an egg."
      >
        <div className="grid gap-5">
          <div className="flex flex-wrap items-center gap-4">
            <Eggs id={viewer.duckling_id} count={viewer.egg_count} />
            <p className="text-sm text-soft">{eggWords(viewer.egg_count)}</p>
          </div>
          <CopyBlock
            label="Your sign-up link"
            text={`${config().baseUrl}/signup?ref=${viewer.referral_code}`}
            copyLabel="Copy the link"
          />
        </div>
      </Section>
    </>
  )
}

function eggWords(count: number): string {
  if (count === 0) return 'No eggs yet.'
  return count === 1 ? 'One egg so far.' : `${count} eggs so far.`
}

function Who({ viewer }: { viewer: Viewer }) {
  return (
    <div className="mb-12 flex flex-wrap items-center gap-5">
      <Duck id={viewer.duckling_id} size={88} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-display text-xl font-semibold">
          <span className="wrap-anywhere">{viewer.display_name}</span>
          <Pill>{viewer.trust_tier}</Pill>
        </p>
        <p className="mt-1 font-mono text-sm text-soft wrap-anywhere">{viewer.duckling_id}</p>
        <p className="mt-1 text-sm text-soft">
          Here since <Time at={viewer.created_at} dateOnly />
        </p>
      </div>
    </div>
  )
}

function Name({ viewer }: { viewer: Viewer }) {
  const next = viewer.next_name_change_at
  if (next !== null)
    return (
      <p>
        You are <strong>{viewer.display_name}</strong>. You can take another name from{' '}
        <strong>
          <Time at={next} dateOnly />
        </strong>{' '}
        on.
      </p>
    )
  return (
    <ActionForm action={changeName} label="Change the display name">
      <TextField
        label="Display name"
        name="new_display_name"
        defaultValue={viewer.display_name}
        autoComplete="nickname"
        maxLength={32}
        hint="3–32 letters and digits. You can change it once in 30 days."
      />
      <SubmitButton kind="plain">Change my name</SubmitButton>
    </ActionForm>
  )
}

function Settings({ viewer, hasPasskey }: { viewer: Viewer; hasPasskey: boolean }) {
  return (
    <ActionForm action={changeSettings} label="What others see and ask">
      <TextArea
        label="About you"
        name="bio"
        optional
        defaultValue={viewer.bio ?? ''}
        maxLength={280}
        hint="Up to 280 characters."
      />
      <CheckField
        label="Show me in the directory"
        name="directory_visible"
        defaultChecked={viewer.directory_visible}
        hint="With your name, your tier and the month you joined; never your address or your whole number."
      />
      <SelectField
        label="Who may peck you"
        name="min_peck_tier"
        defaultValue={viewer.min_peck_tier}
        hint="Requests from ducklings below this tier never reach you."
      >
        <option value="T0">Anybody who has signed up (T0)</option>
        <option value="T1">Those with a confirmed e-mail (T1)</option>
        <option value="T2">Those with a confirmed phone (T2)</option>
        <option value="T3">Those confirmed by passkey (T3)</option>
      </SelectField>
      <CheckField
        label="Approve pecks with my passkey only"
        name="require_passkey_for_pecks"
        defaultChecked={viewer.require_passkey_for_pecks}
        hint="Your passkey then signs what you approve."
      />
      {hasPasskey ? null : (
        <Notice tone="warn" title="You have no passkey yet">
          With this switched on you could reject pecks, but approve none.{' '}
          <Link href="/security" className="underline">
            See your security page
          </Link>
          .
        </Notice>
      )}
      <SubmitButton>Save</SubmitButton>
    </ActionForm>
  )
}
