import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { ActionForm, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { WordHelp } from '@/components/ui/word-help'
import { m } from '@/lib/kernel/messages'
import { ActionField } from '../../_forms/action-field'
import { PersonChoice } from '../person-choice'
import { sendRequest } from './actions'
import { DetailsField } from './details-field'

export const generateMetadata = (): Metadata => ({ title: m.ask_new_request(), robots: { index: false } })

/** The form with which a person asks for a permission. */
export default withProblemPage(async function NewRequestPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[]; action?: string | string[] }>
}) {
  const { to: givenTo, action: givenAction } = await searchParams
  const [to = '', action = ''] = [givenTo, givenAction].map((given) =>
    typeof given === 'string' ? given : '',
  )
  const query = Object.entries({ to, action }).filter(([, value]) => value !== '')
  await requireViewer(
    query.length === 0 ? '/pecks/new/action' : `/pecks/new/action?${new URLSearchParams(query)}`,
  )
  return (
    <>
      <BackLink href="/pecks/new">{m.ask_somebody()}</BackLink>
      <PageHead title={m.ask_new_request()} lead={m.ask_page_intro()} />
      <Card className="max-w-2xl">
        <ActionForm action={sendRequest} label={m.ask_new_request()}>
          <TargetAndAction to={to} action={action} />
          <Extent />
          <WordHelp words={['permission']} />
          <DetailsField />
          <Message />
          <SelectField label={m.ask_answer_within()} name="expires_in" defaultValue="86400">
            <DurationOptions />
          </SelectField>
          <SubmitButton pending={m.ask_sending()}>{m.ask_send_request()}</SubmitButton>
        </ActionForm>
      </Card>
    </>
  )
})

function TargetAndAction({ to, action }: { to: string; action: string }) {
  return (
    <>
      <TextField
        label={m.ask_to()}
        name="target_duckling_id"
        defaultValue={to}
        placeholder="@mallard"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={254}
        hint={m.requests_to_hint()}
      />
      <PersonChoice />
      <ActionField
        label={m.ask_action()}
        hint={m.ask_verb_object_separated_by_colon()}
        defaultValue={action}
      />
    </>
  )
}

function Extent() {
  return (
    <>
      <SelectField label={m.ask_how_often()} name="scope" defaultValue="limited">
        <option value="limited">{m.ask_once()}</option>
        <option value="timed">{m.ask_any_number_times_for_limited_time()}</option>
        <option value="standing">{m.ask_lifetime_until_revoked_option()}</option>
      </SelectField>
      <SelectField
        label={m.ask_valid_for()}
        name="grant_expires_in"
        hint={m.ask_lifetime_hint()}
        defaultValue=""
      >
        <option value="">{m.ask_lifetime_default_option()}</option>
        <DurationOptions />
      </SelectField>
    </>
  )
}

function Message() {
  return (
    <TextArea
      label={m.ask_message()}
      name="message"
      optional
      rows={2}
      maxLength={280}
      hint={m.ask_shown_them_as_your_own_words()}
    />
  )
}

const durations = [
  { seconds: 3600, label: () => m.common_count_hours({ count: 1 }) },
  { seconds: 86_400, label: () => m.common_count_days({ count: 1 }) },
  { seconds: 604_800, label: m.ask_one_week },
  { seconds: 2_592_000, label: () => m.common_count_days({ count: 30 }) },
]

function DurationOptions() {
  return durations.map(({ seconds, label }) => (
    <option key={seconds} value={seconds}>
      {label()}
    </option>
  ))
}
