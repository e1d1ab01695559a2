/** `npm run approver`: builds the page of the approver and serves it on this computer. `npm run approver -- build` only builds it. */
import { parseArgs } from 'node:util'
import { generate, install, root, runScript } from './prepare.mjs'

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '4800' } },
    allowPositionals: true,
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('--port takes a number from 1 to 65535.')
  if (positionals.some((word) => word !== 'build'))
    throw new Error('npm run approver -- [build] [--port 4800]')
  install()
  generate()
  // These import packages, which are there only now.
  const { buildApprover, outputFolder, writeApprover } = await import('../approver/build.mjs')
  const page = await buildApprover(root)
  writeApprover(root, page)
  process.stdout.write(`${outputFolder}/index.html\nSHA-256 ${page.digest}\n`)
  if (positionals.includes('build')) return
  const { serveApprover } = await import('../approver/serve.mjs')
  const { url } = await serveApprover(page, port)
  process.stdout.write(`\nThe approver is at ${url}\n`)
})
