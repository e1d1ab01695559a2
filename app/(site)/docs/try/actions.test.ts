import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'
import { idleForm } from '@/components/ui/form-state'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { openapiDocument } from '@/lib/http/openapi'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import numbers from '@/packages/contract/numbers.json'
import { groupsOf, type OpenapiDocument } from '../api/reference'
import { tryOperation } from './actions'
import type { Tried } from './fields'
import { findOffered, isOffered } from './offered'

const groups = groupsOf(openapiDocument(table, 'test') as unknown as OpenapiDocument)
const operations = groups.flatMap((group) => group.operations)

async function attempt(fields: Record<string, string>, token?: string) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const cookies = token === undefined ? {} : { [cookieName()]: token }
  const { result } = await inPageRequest({ cookies }, () => tryOperation({ ...idleForm }, form))
  return result
}

const answerOf = ({ data }: { data?: Tried }) => ({ status: data?.status, ...JSON.parse(data?.body ?? '{}') })

describe('an operation on the page', () => {
  it('is called with the session of the viewer, and keeps what was typed', async () => {
    const { id, token } = await aDuckling()
    const profile = await attempt({ operation: 'getProfile' }, token)
    expect(answerOf(profile)).toMatchObject({ status: 200, duckling_id: id })
    const fields = { operation: 'listPecks', 'query:limit': '1', 'query:status': '' }
    const list = await attempt(fields, token)
    expect(list).toMatchObject({ status: 'succeeded', values: fields })
    expect(answerOf(list)).toMatchObject({ status: 200, items: [], next_cursor: null })
  })

  it('changes nothing unless the viewer ticked that', async () => {
    const { token } = await aDuckling()
    const fields = { operation: 'updateProfile', body: '{"bio": "I swim."}' }
    const bio = async () => (await call('GET /beak/profile', { token })).body.bio
    expect(await attempt(fields, token)).toMatchObject({
      status: 'failed',
      errors: { sure: 'Tick this first: the call changes your account.' },
      values: fields,
    })
    expect(await bio()).toBeNull()
    expect(answerOf(await attempt({ ...fields, sure: 'on' }, token)).status).toBe(200)
    expect(await bio()).toBe('I swim.')
  })

  it('shows a refusal of the service as its answer', async () => {
    const { token } = await aDuckling()
    expect(answerOf(await attempt({ operation: 'getProfile' }))).toMatchObject({ status: 401, code: 'E4006' })
    const fields = { operation: 'getPeck', 'query:peck_id': '../../etc/passwd' }
    expect(answerOf(await attempt(fields, token))).toMatchObject({ status: 400, code: 'E4000' })
  })

  it.each(['{', '[]', 'null', '"text"'])('refuses the body %s at its field', async (body) => {
    const { token } = await aDuckling()
    const refused = await attempt({ operation: 'updateProfile', sure: 'on', body }, token)
    expect(refused).toMatchObject({ status: 'failed', errors: { body: expect.stringContaining('JSON') } })
  })

  it.each(numbers.filter(({ accepted }) => !accepted))(
    'refuses the number $text at its field',
    async ({ text }) => {
      const body = `{"params":{"ids":[${text}]}}`
      const refused = await attempt({ operation: 'requestPeck', sure: 'on', body })
      expect(refused).toMatchObject({
        status: 'failed',
        errors: {
          body: 'The number at params.ids.0 has more digits than JSON keeps. Put it in quotes.',
        },
        values: { body },
      })
    },
  )

  it('keeps a value of the path inside its segment', async () => {
    const fields = { operation: 'getProtectedResourceAt', 'path:path': '../../beak/profile?x=' }
    const { token } = await aDuckling()
    expect(answerOf(await attempt(fields, token)).status).toBe(404)
  })
})

describe('the page', () => {
  it.each([
    'approvePeck',
    'rejectPeck',
    'decidePecks',
    'removePasskey',
    'recoverPasskeys',
    'denyDevice',
    'revokeSession',
    'closeAccount',
    'signOut',
    'approveDevice',
    'bridgeSsoToken',
    'signIn',
    'signUp',
    'redeemDeviceCode',
    'streamPecks',
    'bondAgent',
    'issueAgentToken',
    'nothing',
    '',
  ])('does not offer %s, whoever sends its form', async (operation) => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target)
    expect(findOffered(groups, operation)).toBeNull()
    await expect(
      attempt({ operation, sure: 'on', body: JSON.stringify({ peck_id }) }, target.token),
    ).rejects.toThrow('not one of this page')
  })

  it('offers no operation that answers with a session token', () => {
    const answers = (name: string) =>
      JSON.stringify(operations.find(({ operation }) => operation.operationId === name)?.operation.responses)
    // A list of what each of these may show, so that a new operation with a token is decided by a person.
    const withTokens = operations
      .filter(
        (listed) => isOffered(listed) && /"\w*token"|secret/.test(answers(listed.operation.operationId)),
      )
      .map(({ operation }) => operation.operationId)
    expect(withTokens).toEqual(['registerAgent', 'createHandshake', 'rotateKey', 'issueSsoToken'])
  })
})
