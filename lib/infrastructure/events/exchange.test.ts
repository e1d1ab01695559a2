import { once } from 'node:events'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '@/lib/fixtures/postgres'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { type Exchange, startExchange } from './exchange'

/** Longer than an instance is silent before the others believe that it crashed. */
const silenceMs = 11_000

describeOnPostgres('signals between instances', () => {
  let url: string
  beforeEach(async () => {
    const database = await createDatabase(inject('postgres')?.server ?? '')
    onTestFinished(database.drop)
    ;({ url } = database)
    // The clock stands still, so no beat falls between the messages of a test.
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  interface AnInstance extends Exchange {
    /** What was delivered and not yet taken. Null for all topics. */
    delivered: (string[] | null)[]
    /** Resolves with the next topics that are delivered. */
    next(): Promise<string[] | null>
  }

  /** Starts an instance. Resolves when it listens. */
  async function anInstance(): Promise<AnInstance> {
    const delivered: AnInstance['delivered'] = []
    let wake = (): void => undefined
    const exchange = startExchange(url, (topics) => {
      delivered.push(topics)
      wake()
    })
    onTestFinished(() => exchange.stop())
    const next = async () => {
      while (delivered.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return delivered.shift() as string[] | null
    }
    expect(await next()).toBeNull()
    return { ...exchange, delivered, next }
  }

  /** Listens to what instances send, and sends what a test says. It has the name of an instance, or the others would take it for one of 0.2.0. */
  async function anEar() {
    const client = new Client({ connectionString: url, application_name: 'beak ear' })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('LISTEN beak')
    const heard: { topics: string[]; all?: true }[] = []
    client.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '{}')))
    return {
      heard,
      say: (message: object) => client.query('SELECT pg_notify($1, $2)', ['beak', JSON.stringify(message)]),
      async waitFor(condition: (message: { topics: string[]; all?: true }) => boolean) {
        while (!heard.some(condition)) await once(client, 'notification')
      },
    }
  }

  /** Moves the clock until every other instance would have been heard. */
  function passSilence(): void {
    vi.setSystemTime(Date.now() + silenceMs)
  }

  /** Starts an instance that hears no other one for long enough to be alone. */
  async function aLoneInstance() {
    const ear = await anEar()
    const one = await anInstance()
    await ear.waitFor(() => true)
    passSilence()
    return { ear, one }
  }

  it('arrive at the other instance', async () => {
    const one = await anInstance()
    const other = await anInstance()
    one.send(['PECK-1'])
    expect(await other.next()).toEqual(['PECK-1'])
    other.send(['PECK-2', 'PECK-3'])
    expect(await one.next()).toEqual(['PECK-2', 'PECK-3'])
  })

  it('arrive from an instance that has just started, before it has heard another one', async () => {
    const one = await anInstance()
    const two = await anInstance()
    two.send(['PECK-1'])
    expect(await one.next()).toEqual(['PECK-1'])
  })

  it('are not sent by an instance that is alone', async () => {
    const { ear, one } = await aLoneInstance()
    one.send(['PECK-1'])
    // The next sign of life.
    await ear.waitFor(({ all }) => all === true)
    expect(ear.heard.flatMap(({ topics }) => topics)).toEqual([])
  })

  it('that were left out while an instance was alone reach the next one as "all", and later ones as they are', async () => {
    const { ear, one } = await aLoneInstance()
    one.send(['PECK-1'])
    await ear.say({ from: 'next', version: '0.3.0', topics: [] })
    await ear.waitFor(({ all }) => all === true)
    one.send(['PECK-2'])
    await ear.waitFor(({ topics }) => topics.includes('PECK-2'))
    expect(ear.heard.flatMap(({ topics }) => topics)).toEqual(['PECK-2'])
  })

  it('that were left out are "all" in the goodbye, for an instance that listens and was not heard yet', async () => {
    const { ear, one } = await aLoneInstance()
    // The beat that was due, so that the goodbye comes next.
    await ear.waitFor(() => ear.heard.length === 2)
    one.send(['PECK-1'])
    await one.stop()
    await ear.waitFor(() => ear.heard.length === 3)
    expect(ear.heard.at(-1)).toMatchObject({ topics: [], all: true, isLeaving: true })
  })

  it('that were left out while an instance was believed to have crashed reach it as "all"', async () => {
    const ear = await anEar()
    const one = await anInstance()
    const sayHello = () => ear.say({ from: 'slow', version: '0.3.0', topics: ['PECK-1'] })
    await sayHello()
    expect(await one.next()).toEqual(['PECK-1'])
    passSilence()
    // It may have crashed between a commit and its signal.
    expect(await one.next()).toBeNull()
    one.send(['PECK-2'])
    await sayHello()
    await ear.waitFor(({ all }) => all === true)
    one.send(['PECK-3'])
    await ear.waitFor(({ topics }) => topics.includes('PECK-3'))
    expect(ear.heard.filter(({ topics }) => topics.includes('PECK-2'))).toEqual([])
  })

  it('do not go out without topics', async () => {
    const ear = await anEar()
    const one = await anInstance()
    await anInstance()
    await ear.waitFor(() => ear.heard.length === 2)
    one.send([])
    one.send(['PECK-1'])
    await ear.waitFor(({ topics }) => topics.length > 0)
    expect(ear.heard.map(({ topics }) => topics)).toEqual([[], [], ['PECK-1']])
  })
})
