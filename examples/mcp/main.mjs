/** Asks its person for permission to send a mail, waits for the decision, sends one mail, and is refused the second time. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { BEAK_URL = 'http://localhost:3000', BEAK_KEY } = process.env
if (BEAK_KEY === undefined) throw new Error('Set BEAK_KEY to the beak key of a bonded agent.')

/** The client says that it opens pages. A program with a window would open a browser, after asking. */
const client = new Client(
  { name: 'beak-example', version: '1.0.0' },
  { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'auto' } },
)
client.setRequestHandler('elicitation/create', ({ params }) => {
  console.log(`\n  ${params.message}\n  Decide here: ${params.url}\n`)
  return { action: 'accept' }
})

/** Calls a tool and returns its data. Throws the sentence of a refusal, which says what to do next. */
async function call(name, args, options) {
  const result = await client.callTool({ name, arguments: args }, options)
  if (result.isError) throw new Error(result.content[0].text)
  return result.structuredContent
}

await client.connect(
  new StreamableHTTPClientTransport(new URL(`${BEAK_URL}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${BEAK_KEY}` } },
  }),
)
try {
  const self = await call('whoami', {})
  console.log(`I am ${self.agent_name} and act for ${self.operator.display_name}.`)

  const params = { to: 'pond@example.com', subject: 'Ice on the north bank' }
  const message = 'The draft that you asked for is ready.'
  let peck = await call('ask_permission', { action: 'send:mail', scope: 'limited', params, message })

  console.log(`Waiting for the decision about ${peck.peck_id} …`)
  const { peck_id } = peck
  while (peck.status === 'pending') peck = await call('wait_for_decision', { peck_id, wait_seconds: 50 })
  if (peck.status !== 'approved') throw new Error(`The request is ${peck.status}, so no mail is sent.`)

  await call('use_permission', { peck_id, params })
  console.log(`Approved: sending a mail to ${params.to}.`)

  const refusal = await call('use_permission', { peck_id, params }).catch((error) => error.message)
  console.log(`A second mail is refused. ${refusal}`)
} finally {
  await client.close()
}
