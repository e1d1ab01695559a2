import { describe, expect, it } from 'vitest'
import { displayValues } from './display'
import { rowValues } from './row-values'

const rowOf = (action: string, params: Record<string, unknown>, matched: string[] = []) =>
  rowValues({ version: 3, sentence: '', values: displayValues(params, {}) }, { action, params }, (name) =>
    matched.includes(name),
  )
const textsOf = (...given: Parameters<typeof rowOf>) => rowOf(...given).map(({ text }) => text)

describe('rowValues', () => {
  it('has the amount and whom it reaches, with their roles', () => {
    const params = { note: 'Thanks', amount: { amount: 1980, currency: 'EUR' }, payee: 'Hoster GmbH' }
    expect(rowOf('pay:invoice', params)).toMatchObject([
      { role: 'amount', text: '€1,980.00' },
      { role: 'recipient', text: 'Hoster GmbH' },
      { name: 'note' },
    ])
  })

  it('has what tells two requests for the same action apart', () => {
    const deploy = (environment: string) => textsOf('deploy:service', { service: 'webshop', environment })
    expect([deploy('staging'), deploy('production')]).toEqual([
      ['webshop', 'staging'],
      ['webshop', 'production'],
    ])
    expect(textsOf('book:table', { date: '2026-12-06', restaurant: 'Luigi', guests: 4 })).toContain('Luigi')
  })

  it('has a flag only when the risk comes from it', () => {
    const params = { repository: 'firma/webshop', branch: 'main', force: true, quiet: true }
    const names = (matched: string[]) => rowOf('push:git', params, matched).map(({ name }) => name)
    expect(names([])).toEqual(['repository', 'branch'])
    expect(names(['force'])).toEqual(['repository', 'branch', 'force'])
  })

  it('never leaves out an amount, a recipient or an object, whatever stands before them', () => {
    const warned = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'x\u200b']))
    const params = { ...warned, amount: '€40', to: 'eve@pond.example', pin: 'hunter2' }
    expect(textsOf('send:money', params)).toEqual(expect.arrayContaining(['€40.00', 'eve@pond.example']))
  })

  it('finds the value of a risk among many harmless flags', () => {
    const flags = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${index}`, false]))
    expect(textsOf('push:git', { ...flags, force: true }, ['force'])).toContain('true')
  })

  it('hides secrets, and leaves out prose unless there is nothing else', () => {
    const body = 'I would like to ask you about this. '.repeat(5)
    expect(textsOf('send:email', { to: 'eve', body, password: 'hunter2' })).toEqual(['••••••', 'eve'])
    expect(textsOf('publish:post', { body })).toHaveLength(1)
  })

  it('cuts a text that no row can show, and marks the cut', () => {
    const [text = ''] = textsOf('send:email', { to: 'x'.repeat(3000) })
    expect([text.length, text.at(-1)]).toEqual([1000, '…'])
  })
})
