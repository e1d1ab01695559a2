import { describe, expect, it } from 'vitest'
import { idleForm, invalid } from './form'
import type { Problem } from './problem'

const problem: Problem = {
  status: 403,
  code: 'E4009',
  detail: 'This needs a confirmation with your passkey in the last 10 minutes.',
  action: 'Confirm.',
}

const form = () => {
  const data = new FormData()
  data.set('new_email', 'anas@lake.example')
  data.set('otp', '123456')
  return data
}

describe('the state of a refused form', () => {
  it('says which proof is needed first', () => {
    expect(invalid(idleForm, form(), { ...problem, required: 'passkey' }).needs).toBe('passkey')
    expect(invalid(idleForm, form(), { ...problem, required: 'fresh_sign_in' }).needs).toBe('fresh_sign_in')
  })

  it('needs nothing first when the refusal requires nothing, also after one that did', () => {
    const before = invalid(idleForm, form(), { ...problem, required: 'passkey' })
    expect(invalid(before, form(), problem)).not.toHaveProperty('needs')
  })

  it('keeps what was typed and never sends a code back', () => {
    const { values } = invalid(idleForm, form(), { ...problem, required: 'passkey' })
    expect(values).toEqual({ new_email: 'anas@lake.example' })
  })
})
