import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { inServer } from '@/lib/fixtures/operator'
import { recorded } from './actions'
import { commands, getCommand } from './commands'

const [actions, limit, outbox] = [inServer('actions'), inServer('limit'), inServer('outbox')]

const newest = () => db().operatorAction.findFirstOrThrow({ orderBy: { id: 'desc' } })

it('lists a command that changed something, with its arguments and its result', async () => {
  const { id } = await aDuckling()
  await limit(id, '6000/1000')
  expect(await newest()).toMatchObject({ command: `limit ${id} 6000/1000`, succeeded: true })
  await limit('DUCK-NOBODY', 'default')
  expect(await newest()).toMatchObject({ command: 'limit DUCK-NOBODY default', succeeded: false })
  const { output } = await actions()
  const [first, second] = output.split('\n')
  expect([first, second]).toEqual([
    expect.stringMatching(/^\d{4}-\S+Z {2}- +refused +limit DUCK-NOBODY default$/),
    expect.stringMatching(new RegExp(`^\\d{4}-\\S+Z {2}- +done +limit ${id} 6000/1000$`)),
  ])
})

it('lists a command that is running or was killed as not finished', async () => {
  await recorded(getCommand('limit'), ['DUCK-1'], 'anna', async () => {
    expect(await newest()).toMatchObject({ command: 'limit DUCK-1', by: 'anna', succeeded: null })
    expect((await actions()).output).toMatch(/^\S+ {2}anna +not finished +limit DUCK-1$/m)
  })
})

it('does not list a command that only reads, nor one with wrong arguments', async () => {
  const before = await db().operatorAction.count()
  await actions()
  await outbox('list')
  await outbox('retry')
  expect(await db().operatorAction.count()).toBe(before)
  const reading = commands.filter(({ reads }) => reads !== undefined).map(({ name }) => name)
  expect(reading).toEqual(expect.arrayContaining(['doctor', 'actions', 'list-keys', 'incident', 'outbox']))
  expect(reading).not.toContain('limit')
})
