import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { Choices } from '@/components/ui/choices'
import { CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { InboxQr } from '../../inbox-qr'
import { ProgramChoice } from '../../program-choice'
import { readAgents } from '../../read'
import { defaultCapabilities, knownCapabilities } from '../../words'
import { Advanced, RegisterForm } from './register-form'

export const generateMetadata = (): Metadata => ({
  title: m.agents_register_an_agent(),
  robots: { index: false },
})

export default withProblemPage(async function RegisterAgentPage() {
  const viewer = await requireViewer('/agents/new/key')
  const agents = (await readAgents()).items
  return (
    <RegisterForm
      operatorId={viewer.duckling_id}
      inboxQr={<InboxQr />}
      states={Object.fromEntries(agents.map(({ agent_id, status }) => [agent_id, status]))}
    >
      <BackLink href="/agents/new">{m.agents_by_address()}</BackLink>
      <PageHead title={m.agents_register_an_agent()} lead={m.agents_register_lead()} />
      <Card className="grid gap-8">
        <TextField
          label={m.agents_name()}
          name="agent_name"
          optional
          autoComplete="off"
          maxLength={64}
          className="max-w-md"
          hint={m.agents_name_optional_hint()}
        />
        <ProgramChoice chosen="claude" />
        <Choices
          legend={m.agents_what_it_may_do()}
          name="capabilities"
          hint={m.agents_cant_be_changed_later_register_new()}
          choices={knownCapabilities}
          ticked={defaultCapabilities}
        />
        <Advanced fields={['agent_type', 'own', 'allow_query_key']}>
          <TextField
            label={m.agents_type()}
            name="agent_type"
            optional
            autoComplete="off"
            maxLength={64}
            className="max-w-md"
            hint={m.agents_type_hint()}
          />
          <TextField
            label={m.agents_extra_labels()}
            name="own"
            optional
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="max-w-md font-mono"
            placeholder="book:table"
            hint={m.agents_extra_labels_hint()}
          />
          <CheckField
            label={m.agents_allow_the_key_in_urls()}
            name="allow_query_key"
            hint={m.agents_key_in_urls_hint()}
          />
          <p className="text-sm text-soft">{m.agents_key_lifetime_hint()}</p>
        </Advanced>
        <SubmitButton pending={m.agents_registering()}>{m.agents_register_agent()}</SubmitButton>
      </Card>
    </RegisterForm>
  )
})
