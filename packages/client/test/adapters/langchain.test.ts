/** A tool of LangChain that asks first, called as LangChain and LangGraph call it. */
import { guardTool } from '@beak/client/adapters/langchain'
import { AIMessageChunk, ToolMessage } from '@langchain/core/messages'
import { RunnableLambda } from '@langchain/core/runnables'
import { isStructuredTool, StructuredTool, tool } from '@langchain/core/tools'
import { FakeStreamingChatModel } from '@langchain/core/utils/testing'
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

const schema = z.object({ to: z.string(), subject: z.string() })
const sendEmail = (fields: object = {}) =>
  tool(async (input: z.infer<typeof schema>) => mailer.send(input), {
    name: 'send_email',
    description: 'Sends an email.',
    schema,
    ...fields,
  })

const guard = () => ({ beak: people.beak, target: people.target, action: 'send:email' })

/** Lets a scripted model call the tool, and returns the message that the model would read. */
async function messageOf(guarded: ReturnType<typeof sendEmail>): Promise<ToolMessage> {
  const args = JSON.stringify(mail)
  const call = { id: 'call-1', name: 'send_email', args, index: 0, type: 'tool_call_chunk' as const }
  const chunks = [new AIMessageChunk({ content: '', tool_call_chunks: [call] })]
  const model = new FakeStreamingChatModel({ chunks, sleep: 0 }).bindTools([guarded])
  const [toolCall] = (await model.invoke('Write to A.')).tool_calls ?? []
  if (toolCall === undefined) throw new Error('the model called no tool')
  const message: unknown = await guarded.invoke({ ...toolCall, type: 'tool_call' })
  if (!ToolMessage.isInstance(message)) throw new Error('the tool returned no message')
  return message
}

it('runs the tool after the approval', async () => {
  const [message, peck] = await Promise.all([messageOf(guardTool(sendEmail(), guard())), people.approve()])
  expect(message).toMatchObject({ content: 'sent 1', tool_call_id: 'call-1', name: 'send_email' })
  expect(peck.params).toEqual(mail)
})

it('gives the model the reason of a rejection instead of a result', async () => {
  const [message] = await Promise.all([
    messageOf(guardTool(sendEmail(), guard())),
    people.reject('Not today.'),
  ])
  expect(JSON.parse(String(message.content))).toMatchObject({
    done: false,
    refusal: 'rejected',
    message: expect.stringContaining('Not today.'),
  })
  expect(mailer.sent).toEqual([])
})

it('answers in the form of a tool with content and artifact', async () => {
  const guarded = guardTool(sendEmail({ responseFormat: 'content_and_artifact' }), guard())
  const [message] = await Promise.all([messageOf(guarded), people.reject('No')])
  expect(message.artifact).toMatchObject({ refusal: 'rejected' })
})

it('guards a tool that is a class of its own', async () => {
  class SendEmail extends StructuredTool {
    name = 'send_email'
    description = 'Sends an email.'
    schema = schema
    protected override async _call(input: z.infer<typeof schema>) {
      return mailer.send(input)
    }
  }
  const guarded = guardTool(new SendEmail(), guard())
  expect(isStructuredTool(guarded)).toBe(true)
  const [result] = await Promise.all([guarded.invoke(mail), people.approve()])
  expect(result).toBe('sent 1')
})

it('asks nobody when the input does not match the schema', async () => {
  await expect(guardTool(sendEmail(), guard()).invoke({ to: 1 } as never)).rejects.toThrow('schema')
  expect((await people.person.listPecks({})).items).toEqual([])
})

it('stops waiting when the run is aborted', async () => {
  const controller = new AbortController()
  const run = guardTool(sendEmail(), guard()).invoke(mail, { signal: controller.signal })
  await expect.poll(async () => (await people.person.listPecks({})).items).toHaveLength(1)
  controller.abort(new Error('too slow'))
  await expect(run).rejects.toThrow('too slow')
  await expect.poll(people.openRequests).toBe(0)
  expect(mailer.sent).toEqual([])
})

it('refuses a runnable that is not a tool', () => {
  const runnable = Object.assign(
    RunnableLambda.from(() => ''),
    { name: 'lambda' },
  )
  expect(() => guardTool(runnable, guard())).toThrow('Only a tool')
})
