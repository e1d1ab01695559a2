/** Examples of rules in plain words, for agents that have not asked yet. Each is a rule with the same steps as a rule from a request. */
import type { Constraint } from '@beak/proofs/rules/rule'
import { m } from '@/lib/kernel/messages'
import { hostName } from '@/lib/kernel/request/host-name'
import { day } from '@/lib/kernel/runtime/clock'
import { keptText } from '@/lib/kernel/text/kept-values'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import type { SentRule } from './reads'
import { daysPart, moneyStep, type Part, type Step, usesEachStep, withParam } from './steps'

/** What only the person knows, such as the shop. */
export interface Question {
  name: string
  label: () => string
  /** An example of what to type. */
  placeholder?: string
  /** Returns the answer as the rule needs it, or null with `fault` as the reason. Left out: any text. */
  reads?: (typed: string) => string | null
  fault?: () => string
}

export interface Template {
  id: string
  /** What the agent may do with the rule that the page proposes first, with marks around its name. */
  says: (agent: string) => string
  questions: Question[]
  action: string
  /** The reasons of risk that the rule accepts. Left out: those of its action. */
  reasons?: string[]
  /** Returns the parts below the agent, and the step that the page proposes of each. */
  parts: (answers: Record<string, string>) => [Part, number][]
}

const paramPart = (name: string, ...steps: [Step['words'], Constraint][]): [Part, number] => [
  {
    kind: 'param',
    name,
    steps: steps.map(([words, constraint]) => ({ words, change: withParam(name, constraint) })),
  },
  0,
]
const anything = (name: string) => paramPart(name, [{ kind: 'any' }, { any: true }])
const exactly = (name: string, value = '') => paramPart(name, [{ kind: 'value', value }, { equals: value }])
const upTo = (name: string, most: (string | number)[], proposed = 0): [Part, number] => [
  paramPart(
    name,
    ...most.map((value): [Step['words'], Constraint] => [
      { kind: 'up_to', value: String(value) },
      { at_most: value },
    ]),
  )[0],
  proposed,
]
const moneyAMonth = (amounts: string[], proposed: number): [Part, number] => [
  { kind: 'money', name: '', steps: amounts.map((amount) => moneyStep(amount, 'month')) },
  proposed,
]
const timesADay = (...counts: number[]): [Part, number] => [
  { kind: 'uses', name: '', steps: counts.map((count) => usesEachStep(count)) },
  0,
]

/** Returns the host of a web address as people type it: with or without scheme, path and `www.`. Null: it is none. */
function webHost(typed: string): string | null {
  const address = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`
  const host = URL.canParse(address) ? hostName(new URL(address).hostname.replace(/^www\./, '')) : null
  return host?.includes('.') ? host : null
}

const amounts = ['€20.00', '€50.00', '€100.00']

export const templates: Template[] = [
  {
    id: 'spend',
    says: (agent) => keptText(m.rules_example_spend, { agent }),
    questions: [
      {
        name: 'shop',
        label: m.rules_ask_shop,
        placeholder: 'shop.example',
        reads: webHost,
        fault: m.rules_ask_shop_fault,
      },
    ],
    action: 'buy:item',
    parts: ({ shop = '' }) => [
      paramPart('shop', [{ kind: 'domain', value: shop }, { domain: shop }]),
      upTo('amount', amounts, 1),
      anything('item'),
      moneyAMonth(amounts, 1),
    ],
  },
  {
    id: 'calendar',
    says: (agent) => keptText(m.rules_example_calendar, { agent }),
    questions: [],
    action: 'read:calendar',
    parts: () => [anything('day'), timesADay(20, 100)],
  },
  {
    id: 'push',
    says: (agent) => keptText(m.rules_example_push, { agent }),
    questions: [
      { name: 'repository', label: m.rules_ask_repository, placeholder: 'github.com/ada/otter' },
      { name: 'folder', label: m.rules_ask_folder, placeholder: '/home/ada/otter' },
    ],
    action: 'git:push',
    reasons: ['command', 'outward', 'unlisted'],
    parts: ({ repository, folder }) => [
      exactly('repository', repository),
      exactly('folder', folder),
      paramPart(
        'branches',
        [{ kind: 'value', value: 'feature/…' }, { equals: 'feature/…' }],
        [{ kind: 'value', value: 'fix/…' }, { equals: 'fix/…' }],
      ),
      anything('branch'),
      anything('line'),
      paramPart('force', [{ kind: 'value', value: 'false' }, { equals: false }]),
      timesADay(20, 100),
    ],
  },
  {
    id: 'event',
    says: (agent) => keptText(m.rules_example_event, { agent }),
    questions: [],
    action: 'create:event',
    parts: () => [anything('title'), anything('day'), anything('time'), timesADay(5, 20)],
  },
  {
    id: 'mail',
    says: (agent) => keptText(m.rules_example_mail, { agent }),
    questions: [{ name: 'to', label: m.rules_ask_mail, placeholder: 'anna@example.com' }],
    action: 'send:email',
    parts: ({ to }) => [exactly('to', to), anything('subject'), anything('text'), timesADay(5, 20)],
  },
  {
    id: 'table',
    says: (agent) => keptText(m.rules_example_table, { agent }),
    questions: [{ name: 'restaurant', label: m.rules_ask_restaurant }],
    action: 'book:table',
    parts: ({ restaurant }) => [
      exactly('restaurant', restaurant),
      upTo('guests', [2, 4, 8], 1),
      anything('day'),
      anything('time'),
      timesADay(2, 5),
    ],
  },
]

/** Returns the answers as the rule needs them. One that is missing or wrong is empty. */
export const answersOf = ({ questions }: Template, typed: (name: string) => string): Record<string, string> =>
  Object.fromEntries(
    questions.map(({ name, reads = (text: string) => text }) => [name, reads(typed(name)) ?? '']),
  )

/** Returns the names that a request must have to be answered by the rule of these parts: "shop, amount and item". */
export const namesAsked = (parts: Part[]): string =>
  listWithAnd(parts.flatMap(({ kind, name }) => (kind === 'param' ? [name] : [])))

/** An agent of the viewer that a rule can be for. */
export interface OwnAgent {
  id: string
  name: string
  /** Whether it is a coding agent that asks before it acts. */
  codes: boolean
}

/** Returns the templates that fit the agents, each with the agent that it proposes. */
export function templatesFor(agents: OwnAgent[]): { template: Template; agent: OwnAgent }[] {
  const coder = agents.find(({ codes }) => codes)
  const other = agents.find(({ codes }) => !codes) ?? coder
  return templates.flatMap((template) => {
    const agent = template.id === 'push' ? coder : other
    return agent === undefined ? [] : [{ template, agent }]
  })
}

/** The agents to choose from, the proposed one first. */
function whoPart(agents: OwnAgent[], proposed: string, viewerId: string): Part {
  const [first, others] = [
    agents.filter(({ id }) => id === proposed),
    agents.filter(({ id }) => id !== proposed),
  ]
  const one = ({ id, name }: OwnAgent): Step => ({
    words: { kind: 'value', value: `“${name}”` },
    change: (rule) => ({ ...rule, agent_id: id }),
  })
  const all: Step = {
    words: { kind: 'own_agents' },
    change: ({ agent_id: _, ...rule }) => ({ ...rule, operator_id: viewerId }),
  }
  return {
    kind: 'who',
    name: '',
    steps: [...[...first, ...others].slice(0, 6).map(one), ...(others.length > 0 ? [all] : [])],
  }
}

/** Returns the rule of a template before its steps, its parts, and the steps that the page proposes first. */
export function fromTemplate(
  template: Template,
  agents: OwnAgent[],
  { who, viewerId, answers }: { who: string; viewerId: string; answers: Record<string, string> },
): { start: SentRule; parts: Part[]; proposed: number[] } {
  const own = template.parts(answers)
  return {
    start: {
      agent_id: who,
      actions: [template.action],
      ...(template.reasons === undefined ? {} : { reasons: template.reasons }),
      params: {},
      budget: {},
      expires_in: 30 * day,
      answer: 'approve',
    },
    parts: [whoPart(agents, who, viewerId), ...own.map(([part]) => part), daysPart],
    proposed: [0, ...own.map(([, step]) => step), 0],
  }
}
