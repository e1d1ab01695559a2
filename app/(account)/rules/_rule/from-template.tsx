import { quotable } from '@beak/decision/quote'
import { read } from '@/app/_web/page-read'
import { withBasePath } from '@/components/base-path'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { BackLink } from '@/components/ui/back-link'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy'
import { TextField } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { Query } from './draft'
import { RuleSteps } from './rule-steps'
import { chosenSteps, withSteps } from './steps'
import { answersOf, fromTemplate, namesAsked, type OwnAgent, type Question, type Template } from './templates'

/** Returns the agents of the viewer. */
export async function readOwnAgents(): Promise<OwnAgent[]> {
  const { items } = await read('GET /beak/agent/list', { query: { limit: '100' } })
  return items.map(({ agent_id: id, agent_name, guard }) => ({
    id,
    name: quotable(agent_name),
    codes: guard !== null,
  }))
}

/** Returns the address of a template for an agent, with the answers to its questions. */
export function templateAddress(
  template: Template,
  who: string,
  answers: Record<string, string> = {},
): string {
  return `/rules/new?${new URLSearchParams({ example: template.id, who, ...answers })}`
}

interface FromTemplateProps {
  template: Template
  agents: OwnAgent[]
  query: Query
  viewerId: string
  hasPasskey: boolean
  now: Date
}

/** A rule that is filled from an example. It asks first for what only the person knows. */
export function FromTemplate({ template, agents, query, viewerId, hasPasskey, now }: FromTemplateProps) {
  const text = (name: string) => String(query[name] ?? '').trim()
  const agent = agents.find(({ id }) => id === text('who')) ?? agents[0]
  const answers = answersOf(template, text)
  if (agent === undefined) return null
  const says = template.says(`“${agent.name}”`)
  if (Object.values(answers).includes(''))
    return (
      <>
        <Head title={m.rules_one_question()} lead={says} />
        <Questions
          questions={template.questions}
          typed={text}
          answers={answers}
          hidden={{ example: template.id, who: agent.id }}
        />
      </>
    )
  const { start, parts, proposed } = fromTemplate(template, agents, { who: agent.id, viewerId, answers })
  const chosen = chosenSteps(parts, text('steps'), proposed)
  const rule = withSteps(start, parts, chosen)
  const named = agents.find(({ id }) => id === rule.agent_id)
  return (
    <>
      <Head title={m.rules_check_sentence()} lead={says} />
      <RuleSteps
        rule={rule}
        name={named === undefined ? m.rules_all_your_agents() : `“${named.name}”`}
        parts={parts}
        chosen={chosen}
        path={templateAddress(template, agent.id, answers)}
        hasPasskey={hasPasskey}
        now={now}
        isAdjusted={text('steps') !== ''}
      >
        <AskingForm template={template} names={namesAsked(parts)} />
      </RuleSteps>
    </>
  )
}

function Head({ title, lead }: { title: string; lead: string }) {
  return (
    <>
      <BackLink href="/rules/new">{m.rules_new()}</BackLink>
      <PageHead title={title} lead={<KeptText text={lead} />} />
    </>
  )
}

/** What to say to the agent, so that it asks in the form that the rule answers. */
function AskingForm({ template: { action }, names }: { template: Template; names: string }) {
  const values = { action, names }
  return (
    <div className="grid max-w-prose justify-items-start gap-3 text-sm">
      <p className="text-soft">{m.rules_example_note()}</p>
      <p className="wrap-anywhere">
        <Sentence of={m.rules_example_say} with={values} />
      </p>
      <CopyButton text={m.rules_example_say(values)} />
    </div>
  )
}

interface QuestionsProps {
  questions: Question[]
  /** What was typed before, also when it is no answer. */
  typed: (name: string) => string
  answers: Record<string, string>
  hidden: Record<string, string>
}

/** The questions of a template, as a form whose fields become the address. */
function Questions({ questions, typed, answers, hidden }: QuestionsProps) {
  return (
    <Card className="max-w-xl">
      <form action={withBasePath('/rules/new')} className="grid gap-5">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {questions.map(({ name, label, placeholder, fault }) => (
          <TextField
            key={name}
            label={label()}
            name={name}
            {...(placeholder === undefined ? {} : { placeholder })}
            defaultValue={typed(name)}
            {...(fault !== undefined && typed(name) !== '' && answers[name] === '' && { fault: fault() })}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        ))}
        <Button type="submit" kind="primary">
          {m.rules_continue()}
        </Button>
      </form>
    </Card>
  )
}
