import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { BackLink } from '@/components/ui/back-link'
import { Choices } from '@/components/ui/choices'
import { CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { readAgents } from '../read'
import { knownCapabilities, usualCapabilities, usualTypes } from '../words'
import { RegisterForm } from './register-form'

export const metadata: Metadata = { title: 'Register an agent', robots: { index: false } }

export default withProblemPage(async function RegisterAgentPage() {
  const viewer = await requireViewer('/agents/new')
  const agents = (await readAgents()).items
  return (
    <RegisterForm
      operatorId={viewer.duckling_id}
      states={Object.fromEntries(agents.map(({ agent_id, status }) => [agent_id, status]))}
    >
      <BackLink href="/agents">All agents</BackLink>
      <PageHead
        title="Register an agent"
        lead="A program that acts for you. It gets a key of its own, and you stay the one who answers for it."
      />
      <Card className="grid gap-8">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name"
            name="agent_name"
            autoComplete="off"
            maxLength={64}
            hint="Those it asks will read it."
          />
          <TextField
            label="Type"
            name="agent_type"
            autoComplete="off"
            maxLength={64}
            list="agent-types"
            defaultValue="assistant"
            hint="Short label, for example AI assistant."
          />
          <datalist id="agent-types">
            {usualTypes.map((type) => (
              <option key={type} value={type} />
            ))}
          </datalist>
        </div>
        <Choices
          legend="What it may do"
          name="capabilities"
          hint="Chosen for good: an agent that is to do more is another agent, with a key of its own."
          choices={knownCapabilities}
          ticked={usualCapabilities}
          mono
        />
        <TextField
          label="Other capabilities"
          name="own"
          optional
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="font-mono"
          placeholder="book:table"
          hint="For services of your own that ask us about this agent: verb:object, with spaces between."
        />
        <CheckField
          label="Accept its key in addresses"
          name="allow_query_key"
          hint="As ?beak_key=, for programs that cannot send a header. Addresses end up in logs: leave it off if you can."
        />
        <SubmitButton pending="Registering …">Register it</SubmitButton>
      </Card>
    </RegisterForm>
  )
})
