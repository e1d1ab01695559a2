import { describe, expect, it } from 'vitest'
import { runStages } from './pool.mjs'

const passed = async () => ({ passed: 1, failed: 0 })

/** Makes stages that write what begins and ends, and tells how many ran at the same time. */
function aRecorder() {
  const log: string[] = []
  let [running, most] = [0, 0]
  const stage = (name: string, after?: string) => ({
    name,
    ...(after === undefined ? {} : { after }),
    run: async () => {
      most = Math.max(most, ++running)
      log.push(`${name} begins`)
      await new Promise(setImmediate)
      log.push(`${name} ends`)
      running--
      return passed()
    },
  })
  return { stage, log, most: () => most }
}

describe('stages', () => {
  it('fill the places and never use more', async () => {
    const { stage, most } = aRecorder()
    expect(
      await runStages(
        ['a', 'b', 'c', 'd', 'e'].map((name) => stage(name)),
        2,
      ),
    ).toHaveLength(5)
    expect(most()).toBe(2)
  })

  it('wait until as many places are free as they take', async () => {
    const { stage, log } = aRecorder()
    await runStages([stage('a'), { ...stage('wide'), places: 2 }, stage('b'), stage('c')], 2)
    const others = ['a', 'b', 'c'].map((name) => log.indexOf(`${name} ends`))
    const [begins, ends] = [log.indexOf('wide begins'), log.indexOf('wide ends')]
    expect(ends).toBe(begins + 1)
    expect(Math.max(...others)).toBeLessThan(begins)
  })

  it('without a place run beside the others, and keep none of them waiting', async () => {
    const { stage, log } = aRecorder()
    const waiting = { ...stage('waiting', 'build'), places: 0 }
    await runStages([stage('build'), waiting, { ...stage('wide'), places: 2 }], 2)
    expect(log.slice(0, 2)).toEqual(['build begins', 'build ends'])
    expect(log.slice(2, 4).sort()).toEqual(['waiting begins', 'wide begins'])
  })

  it('wait for the stage that they need, while others run', async () => {
    const { stage, log } = aRecorder()
    await runStages([stage('build'), stage('e2e', 'build'), stage('tests')], 2)
    expect(log.indexOf('e2e begins')).toBeGreaterThan(log.indexOf('build ends'))
    expect(log.indexOf('tests begins')).toBeLessThan(log.indexOf('build ends'))
  })

  it('count a stage that throws as failed, and go on', async () => {
    const broken = { name: 'broken', run: () => Promise.reject(new Error('no disk')) }
    const outcomes = await runStages([broken, { name: 'tests', run: passed }], 1)
    expect(outcomes.map(({ name, passed, failed }) => [name, passed, failed])).toEqual([
      ['broken', 0, 1],
      ['tests', 1, 0],
    ])
    expect(outcomes[0]?.failures).toEqual([{ title: 'broken', text: 'no disk' }])
  })
})
