/** A function tool of the OpenAI Agents SDK that asks first, driven by the SDK with a scripted model. */
import { guardTool } from '@beak/client/adapters/openai-agents'
import {
  Agent,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  Runner,
  tool,
  Usage,
} from '@openai/agents-core'
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

/** Calls the tool once with these arguments, then ends. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []

  constructor(private readonly args: string) {}

  async getResponse(request: ModelRequest) {
    this.requests.push(request)
    const call: AgentOutputItem = {
      type: 'function_call',
      callId: 'call-1',
      name: 'send_email',
      status: 'completed',
      arguments: this.args,
    }
    const end: AgentOutputItem = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'done' }],
    }
    return { usage: new Usage(), output: [this.requests.length === 1 ? call : end] }
  }

  getStreamedResponse(): never {
    throw new Error('the test does not stream')
  }
}

const sendEmail = (options: object = {}) =>
  tool({
    name: 'send_email',
    description: 'Sends an email.',
    parameters: z.object({ to: z.string(), subject: z.string() }),
    execute: async (input) => mailer.send(input),
    ...options,
  })

const guard = () => ({ beak: people.beak, target: people.target, action: 'send:email' })

/** Runs the agent and returns what the model reads as the result of the tool. */
async function resultFor(
  guarded: ReturnType<typeof sendEmail>,
  args = JSON.stringify(mail),
): Promise<string> {
  const model = new ScriptedModel(args)
  const agent = new Agent({ name: 'Scout', model, tools: [guarded] })
  await new Runner({ tracingDisabled: true }).run(agent, 'Write to A.')
  const input = model.requests[1]?.input
  const last = Array.isArray(input) ? input.at(-1) : undefined
  if (last?.type !== 'function_call_result') throw new Error('the model read no result')
  return typeof last.output === 'object' && 'text' in last.output ? last.output.text : String(last.output)
}

it('runs the tool after the approval', async () => {
  const [result, peck] = await Promise.all([resultFor(guardTool(sendEmail(), guard())), people.approve()])
  expect(result).toBe('sent 1')
  expect(peck.params).toEqual(mail)
  expect(mailer.sent).toEqual([mail])
})

it('gives the model the reason of a rejection instead of a result', async () => {
  const [result] = await Promise.all([
    resultFor(guardTool(sendEmail(), guard())),
    people.reject('Not today.'),
  ])
  expect(JSON.parse(result)).toMatchObject({
    done: false,
    refusal: 'rejected',
    message: expect.stringContaining('Not today.'),
  })
  expect(mailer.sent).toEqual([])
})

it('does not run, and withdraws the request, when the tool timed out before the approval', async () => {
  const result = await resultFor(guardTool(sendEmail({ timeoutMs: 50 }), guard()))
  expect(result).toContain('timed out')
  await expect.poll(people.openRequests).toBe(0)
  const kept = async () => (await people.person.listPecks({ direction: 'received' })).items
  await expect.poll(async () => (await kept()).filter(({ status }) => status !== 'cancelled')).toEqual([])
  expect(mailer.sent).toEqual([])
})

it('neither asks nor runs when the arguments are not JSON', async () => {
  expect(await resultFor(guardTool(sendEmail(), guard()), '{to')).toContain('valid JSON')
  expect((await people.person.listPecks({})).items).toEqual([])
  expect(mailer.sent).toEqual([])
})
