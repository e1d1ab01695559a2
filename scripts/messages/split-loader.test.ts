import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { readLanguage } from '@/lib/fixtures/sentences'

const english = readLanguage('en')
const split: (this: { addDependency: (path: string) => void }, source: string) => string = createRequire(
  import.meta.url,
)('./split-loader.cjs')
const load = (source: string) => split.call({ addDependency: () => {} }, source)
const line = "import { m } from '@/lib/kernel/messages'\n"

it('writes a sentence without values into the code', () => {
  const text = JSON.stringify(english.theme_dark)
  expect(load(`${line}const dark = m.theme_dark()`)).toBe(`\nconst dark = ${text}`)
  expect(load(`${line}const dark = { label: m.theme_dark }`)).toBe(
    `\nconst dark = { label: (() => ${text}) }`,
  )
})

it('imports a sentence with values from the module of its area', () => {
  expect(load(`${line}m.common_at_utc({ at })`)).toBe(
    "import { common_at_utc as m_common_at_utc } from '@/lib/kernel/messages/generated/area-common.js'\nm_common_at_utc({ at })",
  )
})

it('leaves a module without sentences as it is', () => {
  expect(load('const m = { x_y: 1 }\nm.x_y')).toBe('const m = { x_y: 1 }\nm.x_y')
})
