import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { Choices } from '@/components/ui/choices'
import { CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { readAgents } from '../read'
import { defaultCapabilities, knownCapabilities, suggestedTypes } from '../words'
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
        lead="A program that acts for you. It gets its own key, and you are responsible for what it does."
      />
      <Card className="grid gap-8">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name"
            name="agent_name"
            autoComplete="off"
            maxLength={64}
            hint="Shown to the people it asks."
          />
          <TextField
            label="Type"
            name="agent_type"
            autoComplete="off"
            maxLength={64}
            list="agent-types"
            defaultValue="assistant"
            hint="A short label, for example assistant."
          />
          <datalist id="agent-types">
            {suggestedTypes.map((type) => (
              <option key={type} value={type} />
            ))}
          </datalist>
        </div>
        <Choices
          legend="What it may do"
          name="capabilities"
          hint="Can't be changed later; register a new agent for more."
          choices={knownCapabilities}
          ticked={defaultCapabilities}
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
          hint="For your own services that check this agent with us. Write verb:object, separated by spaces."
        />
        <CheckField
          label="Allow the key in URLs"
          name="allow_query_key"
          hint="As ?beak_key=, for programs that can't send headers. URLs end up in logs, so leave this off if you can."
        />
        <SubmitButton pending="Registering …">Register agent</SubmitButton>
      </Card>
    </RegisterForm>
  )
})
