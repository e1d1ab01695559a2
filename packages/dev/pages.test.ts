/** The pages that the answers of a test service link to. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { announced, callsTo, type DevProcess, startDev } from '@/lib/fixtures/dev-service'
import { errorCodes, failureNames } from '@/lib/kernel/request/failures'
import { testAccounts } from './accounts'
import { requestText } from './pages'
import type { Announcement } from './service'

let child: DevProcess
let dev: Announcement
let call: ReturnType<typeof callsTo>

beforeAll(async () => {
  child = startDev(['--json', '--port', '0'])
  dev = await announced(child)
  call = callsTo(dev)
}, 120_000)
afterAll(() => void child.kill('SIGKILL'))

/** Asks an account that never answers. */
const ask = async (action: string) => {
  const body = { target_duckling_id: '@never-answers', action, scope: 'limited' }
  return (await call('POST /beak/peck/request', body)).body.peck_id as string
}

/** Returns the addresses of the service in an answer. */
const linksIn = (answer: unknown) =>
  JSON.stringify(answer).match(new RegExp(`${dev.url}/[^"\\\\\\s<>)]*`, 'g')) ?? []

it('answers every link in its answers and mails', async () => {
  const owner = { Authorization: `Bearer ${dev.person.token}` }
  const peckId = await ask('send:mail')
  const decisionPage = `${dev.url}/pecks/${peckId}`
  const answers = await Promise.all([
    call('GET /beak/nothing'),
    call('POST /beak/peck/request', {}),
    call('GET /beak/profile', undefined, { Authorization: 'Bearer wrong' }),
    call('POST /beak/cert/issue', {}, owner),
    call('POST /beak/invitation/create', {}, owner),
    call('POST /beak/device/authorize', {}),
    call('GET /beak/test/mails'),
  ])
  const links = new Set([...answers.flatMap(({ body }) => linksIn(body)), decisionPage])
  const paths = [...links].map((link) => new URL(link).pathname.split('/')[1])
  expect(paths).toEqual(expect.arrayContaining(['docs', 'pecks', 'verify']))
  const statuses = await Promise.all(
    [...links].map(async (link) => [link, (await fetch(link)).status] as const),
  )
  expect(statuses.filter(([, status]) => status === 404)).toEqual([])
})

it('lists every error at the address that a problem names', async () => {
  const { body } = await call('GET /beak/nothing')
  const { hash } = new URL(body.type)
  const text = await (await fetch(body.type)).text()
  expect(text).toContain(`id="${hash.slice(1)}"`)
  for (const id of [...Object.keys(errorCodes), ...failureNames]) expect(text).toContain(`id="${id}"`)
})

it('shows a request as text, without a form or script, to no page of another origin', async () => {
  const peckId = await ask('send:mail')
  const response = await fetch(`${dev.url}/pecks/${peckId}`)
  const text = await response.text()
  for (const word of ['pending', 'NeverAnswers', '@always-approves', peckId]) expect(text).toContain(word)
  expect(text).not.toMatch(/<(?:script|form|button|input)/)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect((await fetch(response.url, { method: 'POST' })).status).toBe(404)
  expect((await call(`GET /beak/peck/status?peck_id=${peckId}`)).body.status).toBe('pending')
})

it('escapes hostile values of a request', () => {
  const text = requestText('PECK-1', { To: `<script>"'&` }, testAccounts)
  expect(text).toContain('<dd>&lt;script&gt;&quot;&#39;&amp;</dd>')
})

it('returns 404 for the page of an unknown request', async () => {
  for (const id of ['PECK-1', '%3Cscript%3E', '%00', "'"])
    expect((await fetch(`${dev.url}/pecks/${id}`)).status).toBe(404)
})
