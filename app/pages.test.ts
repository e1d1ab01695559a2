/** Rules that every page has to follow and no compiler checks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const pages = readdirSync(join(process.cwd(), 'app'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('page.tsx'))
  .map((path) => ({ path, text: readFileSync(join(process.cwd(), 'app', path), 'utf8') }))

const offenders = (pattern: RegExp) => pages.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

describe('every page', () => {
  it('is found', () => {
    expect(pages.length).toBeGreaterThan(30)
  })

  it('wraps an async page component with withProblemPage, which answers refused reads', () => {
    expect(offenders(/export default async function/)).toEqual([])
  })

  it('wraps generateMetadata with withProblemTitle, which answers refused reads', () => {
    expect(offenders(/export async function generateMetadata/)).toEqual([])
  })
})
