import { afterEach, expect, it, vi } from 'vitest'
import { barOf } from './steps.mjs'

afterEach(() => {
  vi.useRealTimers()
})

const pages = { title: 'Building the pages', seconds: 40, started: 0 }
const server = { title: 'Building the server', seconds: 5, started: 0 }

it('shows the longest step that runs, with its time', () => {
  vi.useFakeTimers({ now: 10_500 })
  expect(barOf([server, pages], 80)).toBe('█████░░░░░░░░░░░░░░░ Building the pages, 10 s of about 40 s')
})

it('is not full before the step ends, and not wider than the terminal', () => {
  vi.useFakeTimers({ now: 90_000 })
  expect(barOf([pages], 80)).toMatch(/^█{19}░ Building the pages, 90 s/)
  expect(barOf([pages], 30)).toHaveLength(29)
})
