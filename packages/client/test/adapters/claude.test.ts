/** A tool for Claude that asks first, driven by the tool runner of the SDK against a scripted Messages API. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { guardTool } from '@beak/client/adapters/claude'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startService } from '../service'
import { aMailer, mail, type People, somePeople } from './people'

const url = startService()
let people: People
let mailer: ReturnType<typeof aMailer>
let server: Server
/** The bodies that the API received since the test began. */
let requests: { messages: { role: string; content: unknown }[] }[] = []

/** Calls the tool once, then ends. */
const answerOf = (number: number) => ({
  id: `msg_${number}`,
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content:
    number === 1
      ? [{ type: 'tool_use', id: 'toolu_1', name: 'send_email', input: mail }]
      : [{ type: 'text', text: 'done' }],
  stop_reason: number === 1 ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests.push((await json(request)) as (typeof requests)[number])
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answerOf(requests.length)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())
beforeEach(async () => {
  requests = []
  people = await somePeople(url())
  mailer = aMailer()
})

const sendEmail = () =>
  betaZodTool({
    name: 'send_email',
    description: 'Sends an email.',
    inputSchema: z.object({ to: z.string(), subject: z.string() }),
    run: (input) => mailer.send(input),
  })

const guard = () => ({ beak: people.beak, target: people.target, action: 'send:email' })

/** Runs the agent and returns what the model reads as the result of the tool. */
async function resultFor(guarded: ReturnType<typeof sendEmail>): Promise<{ content: string }> {
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const anthropic = new Anthropic({ apiKey: 'scripted', baseURL, maxRetries: 0 })
  await anthropic.beta.messages.toolRunner({
    model: 'scripted',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Write to A.' }],
    tools: [guarded],
    thread: false,
  })
  const last = requests[1]?.messages.at(-1)?.content
  if (!Array.isArray(last)) throw new Error('the model read no result')
  return last[0]
}

it('runs the tool after the approval', async () => {
  const [result, peck] = await Promise.all([resultFor(guardTool(sendEmail(), guard())), people.approve()])
  expect(result).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sent 1' })
  expect(peck.params).toEqual(mail)
  expect(mailer.sent).toEqual([mail])
})

it('gives Claude the reason of a rejection instead of a result', async () => {
  const [result] = await Promise.all([
    resultFor(guardTool(sendEmail(), guard())),
    people.reject('Not today.'),
  ])
  expect(JSON.parse(result.content)).toMatchObject({
    done: false,
    refusal: 'rejected',
    message: expect.stringContaining('Not today.'),
  })
  expect(mailer.sent).toEqual([])
})
