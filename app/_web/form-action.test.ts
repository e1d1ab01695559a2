import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { field, idleForm } from '@/components/ui/form-state'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { formAction } from './form-action'
import { fieldProblem } from './problem'

const signedIn = (token: string) => ({ cookies: { [cookieName()]: token } })

const formOf = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const changeBio = formAction({
  call: 'POST /beak/profile/update',
  input: (form) =>
    field(form, 'bio') === 'forbidden' ? fieldProblem('bio', 'not this word') : { bio: field(form, 'bio') },
  page: '/profile',
  changes: ['/profile', '/agents/*'],
  done: ({ bio }) => ({ message: 'Saved.', data: bio }),
})

const confirmEmail = formAction({
  call: 'POST /beak/verify-email',
  input: (form) => ({ otp: field(form, 'otp') }),
  page: '/welcome',
  done: 'Confirmed.',
})

const changeName = formAction({
  call: 'POST /beak/name-change',
  input: (form) => ({ new_display_name: field(form, 'name') }),
  page: '/profile',
  done: 'Saved.',
  refusal: () => fieldProblem('name', 'choose another name'),
  keep: () => ({ step: 2 }),
})

const submit = (token: string, fields: Record<string, string>) =>
  inPageRequest(signedIn(token), () => changeBio(idleForm, formOf(fields)))

const bioOf = async ({ token }: ADuckling) => (await call('GET /beak/profile', { token })).body.bio

describe('the action of a form', () => {
  it('writes the fields, revalidates the pages that changed and returns message and data', async () => {
    const duckling = await aDuckling()
    const { result, revalidated } = await submit(duckling.token, { bio: 'Likes ponds' })
    expect(result).toEqual({
      ...idleForm,
      status: 'succeeded',
      message: 'Saved.',
      data: 'Likes ponds',
      turn: 1,
    })
    expect(revalidated).toEqual(['/profile', '/agents/layout'])
    expect(await bioOf(duckling)).toBe('Likes ponds')
  })

  it('puts an error of the API beside its field and keeps what was typed', async () => {
    const duckling = await aDuckling()
    const bio = 'x'.repeat(281)
    const { result, revalidated } = await submit(duckling.token, { bio })
    expect(result).toMatchObject({
      status: 'failed',
      message: 'Check the highlighted fields.',
      values: { bio },
    })
    expect(result.errors.bio).toMatch(/280/)
    expect(revalidated).toEqual([])
  })

  it('does not call the API when the page itself finds an error', async () => {
    const duckling = await aDuckling()
    const { result } = await submit(duckling.token, { bio: 'forbidden' })
    expect(result).toMatchObject({
      status: 'failed',
      errors: { bio: 'Not this word.' },
      values: { bio: 'forbidden' },
    })
    expect(await bioOf(duckling)).toBeNull()
  })

  it('leads to sign-in and back to its page when the session has ended', async () => {
    const { token } = await aDuckling()
    await call('POST /beak/signout', { token, body: {} })
    await expect(submit(token, { bio: 'Likes ponds' })).rejects.toMatchObject({
      digest: expect.stringContaining('/signin?next=%2Fprofile'),
    })
  })

  it('shows a wrong code at the form and does not lead to sign-in', async () => {
    const { token } = await aDuckling({ tier: 'T0' })
    const { result } = await inPageRequest(signedIn(token), () =>
      confirmEmail(idleForm, formOf({ otp: '000000' })),
    )
    expect(result).toMatchObject({ status: 'failed', errors: {} })
    expect(result.message).not.toBe('')
    expect(result.values).toEqual({})
  })

  it('revalidates its page after a conflict, since the page is outdated', async () => {
    const { token } = await aDuckling()
    const { result, revalidated } = await inPageRequest(signedIn(token), () =>
      confirmEmail(idleForm, formOf({ otp: '000000' })),
    )
    expect(result.status).toBe('failed')
    expect(revalidated).toEqual(['/welcome'])
  })

  it('rewords a refusal, and keeps the step that the form is at', async () => {
    const { token } = await aDuckling()
    const { result } = await inPageRequest(signedIn(token), () => changeName(idleForm, formOf({ name: '' })))
    expect(result).toMatchObject({ errors: { name: 'Choose another name.' }, data: { step: 2 } })
  })
})
