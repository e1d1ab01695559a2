import { PrismaPg } from '@prisma/adapter-pg'
import { afterAll, expect, it } from 'vitest'
import { openEmbedded } from './embedded/open'
import { migrate, migrationNames } from './migrate'

const opened = await Promise.all([openEmbedded({ dataDir: null }), openEmbedded({ dataDir: null })])
afterAll(() => Promise.all(opened.map(({ close }) => close())))

it('migrates two databases at the same time, and finds nothing to do afterwards', async () => {
  const run = () => Promise.all(opened.map(({ pool }) => migrate(new PrismaPg(pool))))
  expect(await run()).toEqual([migrationNames(), migrationNames()])
  expect(await run()).toEqual([[], []])
}, 120_000)
