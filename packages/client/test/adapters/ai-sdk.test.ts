/** A tool of the Vercel AI SDK that asks first, driven by the SDK with a scripted model. */
import { guardTool } from '@beak/client/adapters/ai-sdk'
import { generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startService } from '../service'
import { aMailer, mail, type People, somePeople } from './people'

const url = startService()
let people: People
let mailer: ReturnType<typeof aMailer>

beforeEach(async () => {
  people = await somePeople(url())
  mailer = aMailer()
})

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Calls the tool once, then ends. */
const scriptedModel = () =>
  new MockLanguageModelV3({
    doGenerate: [
      {
        content: [
          { type: 'tool-call', toolCallId: 'call-1', toolName: 'sendEmail', input: JSON.stringify(mail) },
        ],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })

const sendEmail = () =>
  tool({
    description: 'Sends an email.',
    inputSchema: z.object({ to: z.string(), subject: z.string() }),
    execute: async (input) => mailer.send(input),
  })

/** Runs the agent and returns what the model reads as the result of the tool. */
async function resultFor(guarded: ReturnType<typeof sendEmail>): Promise<unknown> {
  const model = scriptedModel()
  await generateText({
    model,
    prompt: 'Write to A.',
    tools: { sendEmail: guarded },
    stopWhen: stepCountIs(2),
  })
  const last = model.doGenerateCalls[1]?.prompt.at(-1)
  return last?.role === 'tool' && last.content[0]?.type === 'tool-result' ? last.content[0].output : undefined
}

const guard = () => ({ beak: people.beak, target: people.target, action: 'send:email' })

it('runs the tool after the approval', async () => {
  const [result, peck] = await Promise.all([resultFor(guardTool(sendEmail(), guard())), people.approve()])
  expect(result).toEqual({ type: 'text', value: 'sent 1' })
  expect(peck.params).toEqual(mail)
  expect(mailer.sent).toEqual([mail])
})

it('gives the model the reason of a rejection instead of a result', async () => {
  const [result] = await Promise.all([
    resultFor(guardTool(sendEmail(), guard())),
    people.reject('Not today.'),
  ])
  expect(result).toMatchObject({
    type: 'json',
    value: { done: false, refusal: 'rejected', message: expect.stringContaining('Not today.') },
  })
  expect(mailer.sent).toEqual([])
})

it('keeps a refusal away from the conversion of results', async () => {
  const converting = {
    ...sendEmail(),
    toModelOutput: ({ output }: { output: string }) => ({
      type: 'text' as const,
      value: output.toUpperCase(),
    }),
  }
  const [approved] = await Promise.all([resultFor(guardTool(converting, guard())), people.approve()])
  expect(approved).toEqual({ type: 'text', value: 'SENT 1' })
  const [rejected] = await Promise.all([resultFor(guardTool(converting, guard())), people.reject('No')])
  expect(rejected).toMatchObject({ type: 'json', value: { refusal: 'rejected' } })
})

it('returns the last of several preliminary results', async () => {
  const streaming = tool({
    inputSchema: z.object({ to: z.string(), subject: z.string() }),
    async *execute(input) {
      yield 'sending'
      yield mailer.send(input)
    },
  })
  const [result] = await Promise.all([
    resultFor(guardTool(streaming, guard()) as unknown as ReturnType<typeof sendEmail>),
    people.approve(),
  ])
  expect(result).toEqual({ type: 'text', value: 'sent 1' })
})

it('stops waiting when the run is aborted', async () => {
  const controller = new AbortController()
  const run = generateText({
    model: scriptedModel(),
    prompt: 'Write to A.',
    tools: { sendEmail: guardTool(sendEmail(), guard()) },
    abortSignal: controller.signal,
    stopWhen: stepCountIs(2),
  })
  await expect.poll(async () => (await people.person.listPecks({})).items).toHaveLength(1)
  controller.abort()
  await run.catch(() => undefined)
  await expect.poll(people.openRequests).toBe(0)
  expect(mailer.sent).toEqual([])
})

it('refuses a tool without execute', () => {
  const elsewhere = tool({ inputSchema: z.object({}) })
  expect(() => guardTool(elsewhere, guard())).toThrow('execute')
})
