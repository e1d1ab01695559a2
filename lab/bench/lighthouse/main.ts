/** Measures the pages of the demo world with Lighthouse on a simulated phone: `npm run lighthouse -- [runs=5] [/path …]`. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DemoWorld } from '@/e2e/demo-people'
import { sharedServer } from '@/e2e/shared-server'
import { titleOf, type Visit, visits } from '@/e2e/visits'
import { migratedTemplate } from '@/lib/fixtures/data-folder'
import { type Measured, startBrowser } from './browser'
import { goals, judge, table } from './report'

const args = process.argv.slice(2)
const runs = Number(args.find((arg) => arg.startsWith('runs='))?.slice(5) ?? 5)
const paths = args.filter((arg) => arg.startsWith('/'))

/** Pages that answer with an error are not measured: Lighthouse refuses them. */
const wanted = visits.filter(
  (visit) =>
    visit.status === undefined &&
    visit.fetched === undefined &&
    (paths.length === 0 || paths.includes(visit.path)),
)

process.env.E2E_TEMPLATE = await migratedTemplate()
const { server, tokens, outboxCookie, ids } = await sharedServer<DemoWorld>(
  'demo-world',
  mkdtempSync(join(tmpdir(), 'beak-lighthouse-')),
)
const browser = await startBrowser()

const cookiesOf = ({ as, outbox }: Visit) => [
  ...(as ? [`beak.session=${tokens[as]}`] : []),
  ...(outbox ? [outboxCookie] : []),
]

const results: { title: string; measured: Measured[] }[] = []
for (const visit of wanted) {
  const url = server.url + visit.path.replace(/:([a-z]+)/g, (_, name) => ids[name] ?? name)
  // The first view of a page also loads its code on the server.
  const { redirected } = await fetch(url, { headers: { Cookie: cookiesOf(visit).join('; ') } })
  // The page that it leads to is measured under its own address.
  if (redirected) continue
  const measured: Measured[] = []
  while (measured.length < runs) measured.push(await browser.measure(url, cookiesOf(visit)))
  const result = { title: titleOf(visit), measured }
  results.push(result)
  console.info(table([result]).at(-1))
}
await browser.close()

console.info(`\nMedians of ${runs} runs\n\n${table(results).join('\n')}`)
const missed = results.flatMap(judge)
console.info(missed.length === 0 ? `\nAll pages reach ${goals}.` : `\nBelow ${goals}:\n${missed.join('\n')}`)
process.exit(missed.length === 0 ? 0 : 1)
