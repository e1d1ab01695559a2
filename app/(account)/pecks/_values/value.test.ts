import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { foldText, ShortValue } from './value'

const short = (text: string) =>
  renderToStaticMarkup(createElement(ShortValue, { value: { name: 'path', type: 'text', text } })).replaceAll(
    /<[^>]+>/g,
    '',
  )

it('keeps the end of a long path, which names the file, and the beginning of any other text', () => {
  const path = `/home/teresa/${'folder/'.repeat(12)}src/components/old/Chart.tsx`
  expect(short(path)).toMatch(/^\/home\/teresa\/\S+ … \S+\/components\/old\/Chart\.tsx$/)
  expect(short(path).replace(' … ', '')).toHaveLength(60)
  expect(short(`https://evil.example/${'a'.repeat(80)}`)).toMatch(/^https:\/\/evil\.example\/a+ …$/)
})

it('counts the characters after the first 280, each character once', () => {
  const { start, hidden } = foldText('🦆'.repeat(3692))
  expect(Array.from(start)).toHaveLength(280)
  expect(hidden).toBe(3412)
})

it('shows a text whole when folding would hide only a few characters', () => {
  expect(foldText('a'.repeat(300))).toEqual({ start: 'a'.repeat(300), hidden: 0 })
})
