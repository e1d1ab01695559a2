/** A permission for one number is not used with another (contract A, Numbers). */
import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { shopRule } from '@/lib/factories/rules'
import numbers from '@/packages/contract/numbers.json'

const refused = numbers.filter(({ accepted }) => !accepted).map(({ text }) => text)
const accepted = numbers.filter((number) => number.accepted).map(({ text }) => text)
const paramsOf = (texts: string[]) => `{${texts.map((text, at) => `"n${at}":${text}`).join()}}`

/** Returns a body as JSON in which the text `here` is replaced by other JSON. */
const bodyWith = (body: object, json: string) => JSON.stringify(body).replace('"here"', json)
const asked = (id: string) => ({ target_duckling_id: id, action: 'move:money', scope: 'limited' })
const fields = (answer: { body: { errors?: { field: string }[] } }) =>
  answer.body.errors?.map(({ field }) => field)

// security: agent-5
it('refuses in requests, uses, checks and rules what JSON does not keep, and names every number', async () => {
  const person = await aDuckling()
  const { beakKey: key, agentId } = await anAgent(person)
  const named = refused.map((_, at) => `params.n${at}`)
  const send = (path: string, body: object, credential: object) =>
    call(`POST /beak/${path}`, { ...credential, raw: bodyWith(body, paramsOf(refused)) })
  for (const answer of [
    await send('peck/request', { ...asked(person.id), params: 'here' }, { key }),
    await send('peck/consume', { grant_token: 'x', params: 'here' }, {}),
    await send('peck/check', { grant_token: 'x', params: 'here' }, {}),
  ])
    expect([answer.status, answer.body.code, fields(answer)]).toEqual([400, 'E4000', named])
  for (const constraint of [
    '{"equals":9007199254740993}',
    '{"at_most":1e400}',
    '{"unchanged":[{"a":1e21}]}',
  ]) {
    const rule = { ...shopRule(agentId), params: { to_account: 'here' } }
    for (const path of ['rule/rehearse', 'rule/create']) {
      const raw = bodyWith({ rule }, constraint)
      const answer = await call(`POST /beak/${path}`, { token: person.token, raw })
      expect(fields(answer)?.[0]).toMatch(/^rule\.params\.to_account\./)
    }
  }
  expect((await call('GET /beak/peck/history', { token: person.token })).body.items).toEqual([])
})

// security: agent-5
it('gives a permission for exactly the numbers that were sent', async () => {
  const person = await aDuckling()
  const { beakKey: key } = await anAgent(person)
  const raw = bodyWith({ ...asked(person.id), params: 'here' }, paramsOf(accepted))
  const { peck_id } = (await call('POST /beak/peck/request', { key, raw })).body
  await call('POST /beak/peck/approve', { token: person.token, body: { peck_id } })
  const { grant_token } = (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { key })).body
  const use = async (texts: string[]) => {
    const answer = await call('POST /beak/peck/consume', {
      raw: bodyWith({ grant_token, params: 'here' }, paramsOf(texts)),
    })
    return [answer.status, answer.body.reason]
  }
  for (const at of accepted.keys()) {
    const other = accepted.with(at, accepted[at] === '42' ? '43' : '42')
    expect([accepted[at], ...(await use(other))]).toEqual([accepted[at], 403, 'grant_mismatch'])
  }
  const same = accepted.map((text) => String(Number(text)))
  expect(await use(same)).toEqual([200, undefined])
})
