/** Runs the agent against a fresh service and a shop, with a simulated person who decides. `npm run example`. */
import type { AddressInfo } from 'node:net'
import { Beak } from '@beak/client'
import { createAdaptorServer } from '@hono/node-server'
import { guardedShop } from '../guarded-shop/shop'
import { startService } from '../service'
import { askToOrder, sendOrder } from './agent'
import { softwarePasskey } from './passkey'

let steps = 0
const print = (text: string) => process.stdout.write(`${++steps}. ${text}\n`)
const indent = (text: string) => process.stdout.write(`   ${text}\n`)

const service = await startService()
try {
  print(`A fresh Beak runs at ${service.url}.`)

  // A person signs up, registers an agent and adds a passkey. The mailed code proves the address.
  const anonymous = new Beak({ url: service.url })
  const email = 'nadia@example.com'
  const { duckling_id, token } = await anonymous.signUp({ email, display_name: 'Nadia' })
  const nadia = anonymous.with({ token })
  await nadia.verifyEmail({ otp: await service.mailedCode(email) })
  const registered = await nadia.registerAgent({
    agent_name: 'Scout',
    agent_type: 'assistant',
    capabilities: ['request:peck', 'read:peck'],
  })
  const { agent_id, beak_key: key, handshake_token } = registered
  const scout = anonymous.with({ key })
  await scout.bondAgent({ agent_id, handshake_token })
  const passkey = softwarePasskey(service.url)
  const credential = passkey.create(await nadia.startPasskeyRegistration())
  await nadia.finishPasskeyRegistration({ credential, name: 'Phone' })
  print('Nadia has signed up and added a passkey. Her agent Scout is bonded.')

  const keys = await anonymous.getPublicKeys({})
  const server = createAdaptorServer({ fetch: guardedShop(anonymous, service.url, keys).fetch })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  print(`A shop at ${shop} sells to agents that bring a permission.`)

  const order = { item: 'tea', amount: 2 }
  const first = await sendOrder(shop, order, null)
  print(`Scout orders ${order.amount} × ${order.item} without a permission.`)
  indent(`The shop answers ${first.status}: ${first.body.detail}`)
  indent(`It demands an approval that a passkey signs, with the challenge ${first.body.required?.challenge}.`)

  print('Scout asks Nadia for that, and waits.')
  const [answer] = await Promise.all([
    askToOrder(scout, duckling_id, order, shop, first),
    decide(nadia, passkey),
  ])
  if (answer.permission === null) throw new Error(`There is no permission: ${answer.refusal.kind}.`)

  const second = await sendOrder(shop, order, answer.permission)
  print('Scout orders with the permission.')
  indent(`The shop answers ${second.status}: this is order ${second.body.number}.`)

  const third = await sendOrder(shop, order, answer.permission)
  print('Scout orders the same again.')
  indent(`The shop answers ${third.status}: ${third.body.detail}`)

  const receipt = await nadia.getOutcomeReceipt({ peck_id: answer.permission.peck_id })
  await service.stop()
  print('Beak is stopped. Nadia shows the shop the receipt of her approval.')
  indent(`The shop answers: ${await showReceipt(shop, receipt)}`)
  const altered = { ...receipt, statement: { ...receipt.statement, action: 'cancel:order' } }
  indent(`About an altered receipt it answers: ${await showReceipt(shop, altered)}`)
  server.close()
} finally {
  await service.stop()
}

/** Plays the person: reads the next request, and approves it with a passkey. */
async function decide(person: Beak, passkey: ReturnType<typeof softwarePasskey>): Promise<void> {
  for await (const event of person.streamPecks()) {
    const pending = event.type === 'ready' ? await person.listPecks({ status: 'pending' }) : { items: [] }
    const peck = event.type === 'peck' ? event.peck : pending.items[0]
    if (peck?.status !== 'pending') continue
    indent(`Nadia reads: ${peck.summary}`)
    indent(`Scout's words: "${peck.message}" The parameters: ${JSON.stringify(peck.params)}`)
    const { peck_id } = peck
    const request = await person.requestPasskeyChallenge({ purpose: 'approve', peck_id })
    await person.approvePeck({ peck_id, passkey: passkey.get(request) })
    indent('Nadia approves with her passkey.')
    return
  }
}

async function showReceipt(shop: string, receipt: object): Promise<string> {
  const response = await fetch(`${shop}/receipts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(receipt),
  })
  return JSON.stringify(await response.json())
}
