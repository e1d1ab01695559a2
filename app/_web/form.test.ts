import { describe, expect, it } from 'vitest'
import { idleForm } from '@/components/ui/form-state'
import { invalid } from './form'
import type { Problem } from './problem'

const problem: Problem = {
  status: 403,
  code: 'E4009',
  reason: 'fresh_passkey_needed',
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
  it('names the proof that the API asks for', () => {
    expect(invalid(idleForm, form(), { ...problem, required: 'passkey' }).needs).toBe('passkey')
    expect(invalid(idleForm, form(), { ...problem, required: 'fresh_sign_in' }).needs).toBe('fresh_sign_in')
  })

  it('names no proof when the refusal asks for none, even after a refusal that did', () => {
    const before = invalid(idleForm, form(), { ...problem, required: 'passkey' })
    expect(invalid(before, form(), problem)).not.toHaveProperty('needs')
  })

  it('says that the same submission can be repeated while an attempt is running, and after a failure', () => {
    const running: Problem = { ...problem, status: 409, reason: 'idempotency_key_busy' }
    expect(invalid(idleForm, form(), running)).toMatchObject({
      lost: 'busy',
      message: 'Your first attempt is still running. Wait a moment, then retry: it counts only once.',
    })
    expect(invalid(idleForm, form(), { ...problem, status: 503 }).lost).toBe('broken')
    expect(invalid(idleForm, form(), problem)).not.toHaveProperty('lost')
  })

  it('keeps the typed values, but no code', () => {
    const { values } = invalid(idleForm, form(), { ...problem, required: 'passkey' })
    expect(values).toEqual({ new_email: 'anas@lake.example' })
  })
})
