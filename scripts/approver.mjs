/**
 * `npm run approver`: builds the page of the approver and serves it on this computer. `npm run approver -- build` only builds it, and
 * `npm run approver -- digest` prints its line of the release notes.
 */
import { parseArgs } from 'node:util'
import { generate, install, root, runScript } from './prepare.mjs'

const usage = 'npm run approver -- [build | digest] [--port 4800]'

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '4800' } },
    allowPositionals: true,
  })
  const [command = 'serve', ...rest] = positionals
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('--port takes a number from 1 to 65535.')
  if (!['serve', 'build', 'digest'].includes(command) || rest.length > 0) throw new Error(usage)
  await install()
  await generate()
  // These import packages, which are there only now.
  const { buildApprover, outputFolder, releaseNote, writeApprover } = await import(
    '../packages/approver/build.mjs'
  )
  const page = await buildApprover(root)
  if (command === 'digest') return void process.stdout.write(`${releaseNote(page)}\n`)
  writeApprover(root, page)
  process.stdout.write(`${outputFolder}/index.html\nSHA-256 ${page.digest}\n`)
  if (command === 'build') return
  const { serveApprover } = await import('../packages/approver/serve.mjs')
  const { url } = await serveApprover(page, port)
  process.stdout.write(`\nThe approver is at ${url}\n`)
})
