import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { BackLink } from '@/components/ui/back-link'
import { ActionForm, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { askPeck } from '../actions'

export const metadata: Metadata = { title: 'Ask somebody', robots: { index: false } }

const waits = [
  ['3600', 'One hour'],
  ['86400', 'One day'],
  ['604800', 'One week'],
  ['2592000', '30 days'],
] as const

/** A person asks for a permission themselves. */
export default withProblemPage(async function AskPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[] }>
}) {
  await requireViewer('/pecks/new')
  const { to } = await searchParams
  return (
    <>
      <BackLink href="/pecks/sent">Pecks you sent</BackLink>
      <PageHead
        title="Ask somebody"
        lead="They see who you are, what exactly you ask, and your own words. Then they approve or reject it."
      />
      <Card className="max-w-2xl">
        <ActionForm action={askPeck} label="Ask somebody">
          <TextField
            label="Whom"
            name="target_duckling_id"
            defaultValue={typeof to === 'string' ? to : ''}
            placeholder="DUCK-…"
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={70}
            hint="The ID of a duckling. It stands on their own profile: let them send it to you."
          />
          <TextField
            label="What"
            name="action"
            placeholder="read:calendar"
            className="font-mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={97}
            hint="A verb and an object, with a colon between them."
          />
          <SelectField label="How often" name="scope" defaultValue="limited">
            <option value="limited">Once</option>
            <option value="timed">Any number of times, for a while</option>
            <option value="standing">
              Any number of times, until they revoke it (T2, confirmed by passkey)
            </option>
          </SelectField>
          <SelectField
            label="How long it holds once approved"
            name="grant_expires_in"
            hint="They can shorten it."
            defaultValue=""
          >
            <option value="">
              As is usual: a day for one use, an hour for several, no end until revoked
            </option>
            {waits.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextArea
            label="Parameters"
            name="params"
            optional
            rows={3}
            spellCheck={false}
            placeholder={'{"week": 12}'}
            hint="What exactly it is to be done with, as a JSON object. The approval holds for these and no others."
          />
          <TextArea
            label="Your own words"
            name="message"
            optional
            rows={2}
            maxLength={280}
            hint="Shown to them as yours."
          />
          <SelectField label="How long it waits for an answer" name="expires_in" defaultValue="86400">
            {waits.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <SubmitButton pending="Asking …">Ask</SubmitButton>
        </ActionForm>
      </Card>
    </>
  )
})
