/** A program that asks for permission and waits, and that the tests end. `HANDLES`: it has a listener of its own. `GUARD`: it asks with a guard. */
import { Beak } from '../src'
import { runWithPermission } from '../src/adapters/guard'

const { BEAK_URL: url = '', BEAK_KEY: key = '', TARGET: target = '', HANDLES, GUARD, KEEP } = process.env
const beak = new Beak({ url, key })

if (HANDLES !== undefined)
  process.on('SIGTERM', () => {
    console.log('listener')
    process.exitCode = 7
  })
const params = { number: 1 }
if (GUARD === undefined) {
  const question = { target, action: 'send:mail', params }
  const { refusal } = await beak.requestPermission(question, KEEP === undefined ? {} : { keep: true })
  console.log(`refusal ${refusal?.kind}`)
} else {
  const result = await runWithPermission({ beak, target, action: 'send:mail' }, params, () => 'sent')
  console.log(`refusal ${result.refusal?.refusal}`)
}
