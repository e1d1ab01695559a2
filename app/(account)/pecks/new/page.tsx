import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { ActionForm, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { sendRequest } from './actions'

export const metadata: Metadata = { title: 'New request', robots: { index: false } }

/** The form with which a person asks for a permission. */
export default withProblemPage(async function NewRequestPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[] }>
}) {
  const { to: given } = await searchParams
  const to = typeof given === 'string' ? given : ''
  await requireViewer(to === '' ? '/pecks/new' : `/pecks/new?to=${encodeURIComponent(to)}`)
  return (
    <>
      <BackLink href="/pecks/sent">Sent requests</BackLink>
      <PageHead
        title="New request"
        lead="Ask someone for a permission. They see who you are and exactly what you ask for, then approve or reject it."
      />
      <Card className="max-w-2xl">
        <ActionForm action={sendRequest} label="New request">
          <TargetAndAction to={to} />
          <Extent />
          <ParametersAndMessage />
          <SelectField label="Answer within" name="expires_in" defaultValue="86400">
            <DurationOptions />
          </SelectField>
          <SubmitButton pending="Sending …">Send request</SubmitButton>
        </ActionForm>
      </Card>
    </>
  )
})

function TargetAndAction({ to }: { to: string }) {
  return (
    <>
      <TextField
        label="To"
        name="target_duckling_id"
        defaultValue={to}
        placeholder="@mallard"
        className="font-mono"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={70}
        hint="Their handle with @, or their ID. Both are on their profile."
      />
      <TextField
        label="Action"
        name="action"
        placeholder="read:calendar"
        className="font-mono"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={97}
        hint="A verb and an object, separated by a colon."
      />
    </>
  )
}

function Extent() {
  return (
    <>
      <SelectField label="How often" name="scope" defaultValue="limited">
        <option value="limited">Once</option>
        <option value="timed">Any number of times, for a limited time</option>
        <option value="standing">Until they revoke it (they need T2 and a passkey)</option>
      </SelectField>
      <SelectField
        label="Valid for"
        name="grant_expires_in"
        hint="Counts from the approval. They can choose a shorter time."
        defaultValue=""
      >
        <option value="">Default (1 day / 1 hour / until revoked)</option>
        <DurationOptions />
      </SelectField>
    </>
  )
}

function ParametersAndMessage() {
  return (
    <>
      <TextArea
        label="Parameters"
        name="params"
        optional
        rows={3}
        spellCheck={false}
        placeholder={'{"week": 12}'}
        hint="The details of the action, as a JSON object. The permission covers exactly these."
      />
      <TextArea
        label="Message"
        name="message"
        optional
        rows={2}
        maxLength={280}
        hint="Shown to them as your own words."
      />
    </>
  )
}

const durations = [
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['604800', '1 week'],
  ['2592000', '30 days'],
] as const

function DurationOptions() {
  return durations.map(([seconds, label]) => (
    <option key={seconds} value={seconds}>
      {label}
    </option>
  ))
}
