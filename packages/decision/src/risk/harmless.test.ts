/** Nothing that acts is a low risk: each acting word, in each place of a request, beside each kind of harmless action. */
import { describe, expect, it } from 'vitest'
import type { Params } from '../params'
import { harmlessKind } from './harmless'
import { riskOf } from './rules'

const levelOf = (action: string, params: Params, isOwn = true) =>
  riskOf({ action, scope: 'limited', params, isOwn, history: null }).level

const harmless: [string, Params][] = [
  ['list:events', { calendar: 'family', limit: 5 }],
  ['search:hotels', { city: 'Rome', nights: 2 }],
  ['get:weather', { city: 'Rome' }],
  ['read:notes', { notebook: 'home' }],
  ['translate:text', { text: 'Hallo', to: 'en' }],
  ['set:light', { room: 'hall', brightness: 40 }],
  ['create:event', { title: 'Dinner', start: '2026-01-01T10:00' }],
  ['draft:email', { subject: 'Hi', body: 'Hello' }],
  ['git:status', { repo: '.' }],
  ['run:tests', { filter: 'api' }],
  ['book:table', { restaurant: 'Sole', guests: 2 }],
  ['fetch:url', { url: 'https://example.com/a' }],
  ['calculate:vat', { net: 10 }],
  ['run:command', { command: 'npm test' }],
]

const acting =
  'delete remove erase wipe purge destroy forward send share upload publish export transfer pay buy purchase order book subscribe unlock disarm open grant invite authorize execute run eval install deploy disable bypass mute reveal sync copy_to move_to cancel confirm accept submit apply commit löschen weiterleiten bezahlen kaufen supprimer envoyer payer acheter borrar enviar pagar comprar cancella inviare verwijderen удалить d3lete s3nd p4y'.split(
    ' ',
  )

const places: [string, (word: string) => Params][] = [
  ['a flag', (word) => ({ [word]: true })],
  ['a flag in capital letters', (word) => ({ [word.toUpperCase()]: true })],
  ['a flag after another word', (word) => ({ [`auto_${word}`]: 'yes' })],
  ['a flag for later', (word) => ({ [`after_${word}`]: true })],
  ['a flag before another word', (word) => ({ [`${word}All`]: true })],
  ['a flag in an object', (word) => ({ options: { [word]: true } })],
  ['a flag four levels deep', (word) => ({ a: { b: { c: { [word]: 1 } } } })],
  ['a name with whom it reaches', (word) => ({ [`${word}To`]: 'eve@evil.example' })],
  ['a name with details', (word) => ({ [word]: { to: 'x' } })],
  ['what comes next', (word) => ({ next: word })],
  ['a step', (word) => ({ steps: [word] })],
  ['a mode', (word) => ({ mode: word })],
  ['a value in a filter', (word) => ({ filter: { next: `${word}_all` } })],
  ['the query of a URL', (word) => ({ url: `https://example.com/a?${word}=true` })],
  ['a query in a text', (word) => ({ q: `x=1&${word}=true` })],
  ['JSON in a text', (word) => ({ data: JSON.stringify({ [word]: true }) })],
  ['a second sentence', (word) => ({ note: `done, then ${word} it` })],
]

describe('a low risk', () => {
  it.each(harmless)('is %s %j', (action, params) => {
    expect(harmlessKind(action, true)).not.toBeNull()
    expect(levelOf(action, params)).toBe('low')
  })

  // security: agent-8
  it.each(places)('is no request with an acting word as %s', (_, params) => {
    const low = harmless.flatMap(([action, others]) =>
      acting
        .filter((word) => levelOf(action, { ...others, ...params(word) }) === 'low')
        .map((word) => `${action} ${word}`),
    )
    expect(low).toEqual([])
  })

  it('is no action with an acting word beside the harmless one', () => {
    const unclear = new Set(['order', 'book', 'open', 'run', 'apply', 'commit', 'move_to'])
    const low = acting
      .filter((word) => !unclear.has(word))
      .flatMap((word) => [
        `list:events-and-${word}`,
        `${word}:events`,
        `list_and_${word}:events`,
        `events:${word}_all`,
        `check:${word}`,
      ])
      .filter((action) => levelOf(action, {}) === 'low')
    expect(low).toEqual([])
  })

  it.each([
    'npm test; rm -r src',
    'npm test && npm publish',
    'ls > /dev/sda',
    'ls $(reboot)',
    'cat ~/.netrc',
    'cat .env',
    'rg --pre ./x.sh foo',
    'git log --output=notes',
    'find . -exec cat {} +',
    'npx cowsay hi',
    'make deploy',
    'eslint . --fix',
    'sort -o a b',
    'kubectl get secrets',
    "psql shop -c 'DELETE FROM orders'",
    "psql shop -c 'SELECT password FROM users'",
  ])('is no command that does more than read, test or build: %s', (command) => {
    expect(levelOf('run:command', { command })).not.toBe('low')
  })

  it.each([
    'npx eslint src --ext .ts,.tsx',
    'git fetch --prune origin && git branch -vv',
    "rg -n 'useEffect\\(' src --glob '*.tsx' | head -50",
    'go test ./... -run TestParse -v',
    "psql -d shop_dev -c 'SELECT count(*) FROM orders'",
    'docker compose logs --tail=50 postgres',
  ])('is a command that only reads or tests: %s', (command) => {
    expect(levelOf('run:command', { command, cwd: '~/src/pond' })).toBe('low')
  })

  it.each([[{ env: { LD_PRELOAD: './x.so' } }], [{ cwd: '../../etc' }], [{ pre_command: 'sh x' }]])(
    'is no test with %j beside it',
    (params) => {
      expect(levelOf('run:tests', { filter: 'api', ...params })).not.toBe('low')
    },
  )

  it('is for a stranger only what everybody may look up', () => {
    expect(levelOf('get:opening-hours', { shop: 'Kiosk', city: 'Gent' }, false)).toBe('low')
    for (const action of [
      'read:calendar',
      'list:contacts',
      'read:inbox',
      'read:profile',
      'get:balance',
      'list:files',
    ])
      expect([action, levelOf(action, {}, false)]).not.toEqual([action, 'low'])
    for (const include of ['home_address', 'phone', 'calendar'])
      expect(levelOf('get:weather', { city: 'Rome', include: [include] }, false)).not.toBe('low')
  })
})
