/** The README imports what the adapters have. */
import { expect, it } from 'vitest'
import manifest from '../../package.json'
import { readmeBlocks } from '../readme'

const imports = [...readmeBlocks('js'), ...readmeBlocks('ts')].flatMap((block) =>
  [...block.matchAll(/^import \{ (.+) \} from '@beak\/client(\/adapters\/.+)'$/gm)].map(
    ([, names = '', path = '']) => ({ names: names.split(', '), path }),
  ),
)

it('shows every adapter', () => {
  const adapters = Object.keys(manifest.exports).filter((path) => path.startsWith('./adapters/'))
  expect(imports.map(({ path }) => `.${path}`).sort()).toEqual(adapters.sort())
})

it.each(imports)('imports $names from $path', async ({ names, path }) => {
  const module = await import(`@beak/client${path}`)
  expect(Object.keys(module)).toEqual(expect.arrayContaining(names))
})
