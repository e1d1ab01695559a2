/**
 * `npm run stock`: connects programs of others with a real Beak by its address, as a person does: the program opens the browser, she taps Allow, and the
 * program lists the tools of Beak. Writes what happened into `lab/programs/STOCK.md`. Needs a Chromium.
 */
import { writeFileSync } from 'node:fs'
import { runWithCleanup } from '@/lab/bench/cleanup'
import { build } from '@/scripts/prepare.mjs'
import { makeHome } from './home'
import { installProgram } from './install'
import { programs } from './stock/programs'
import { makeWorld, noteOpenedPages } from './stock/world'

const path = 'lab/programs/STOCK.md'

await runWithCleanup(async () => {
  await build()
  const world = await makeWorld()
  const lines: string[] = []
  for (const { name, title, way, connect } of programs) {
    using home = makeHome()
    noteOpenedPages(home)
    const { version, command } = await installProgram(name)
    const outcome = await connect({ world, home, command }).catch((error: Error) => {
      process.stderr.write(`${title}: ${error.message}\n`)
      return `**failed**: ${error.message.split('\n')[0]}`
    })
    process.stdout.write(`${title} ${version}: ${outcome}\n`)
    lines.push(`| ${title} ${version} | ${way} | ${outcome} |`)
  }
  lines.push(
    '| Gemini CLI | `/mcp auth` in its terminal | not shown: no run has brought its terminal to the consent |',
  )
  const date = new Date().toISOString().slice(0, 10)
  const head = `# Programs of others that connect by address

Tried live on ${date} (${process.platform} ${process.arch}) by \`npm run stock\`: the unchanged program gets the address \`<BASE_URL>/mcp\`, opens the browser, a person
with a passkey taps Allow, and the program uses its token. The service of this run reads no documents of programs (\`PROGRAM_DOCUMENTS=false\`),
because it reaches no other host: Claude Code and Codex otherwise name such a document instead of registering, which this run cannot show.

| Program | How | What happened |
| --- | --- | --- |
`
  writeFileSync(path, `${head}${lines.join('\n')}\n`)
  if (lines.some((line) => line.includes('**failed**'))) throw new Error('Not every program connected.')
})
