/** The README imports what the package has. */
import { expect, it } from 'vitest'
import manifest from '../../package.json'
import { readmeBlocks } from '../readme'

const imports = [...readmeBlocks('js'), ...readmeBlocks('ts')].flatMap((block) =>
  [...block.matchAll(/^import \{ (.+) \} from '@beak\/client(\/.+)?'$/gm)].map(
    ([, names = '', path = '']) => ({
      names: names.split(', ').filter((name) => !name.startsWith('type ')),
      path,
    }),
  ),
)

it('shows every adapter', () => {
  const adapters = Object.keys(manifest.exports).filter((path) => path.startsWith('./adapters/'))
  expect(imports.map(({ path }) => `.${path}`)).toEqual(expect.arrayContaining(adapters))
})

it.each(imports)('imports $names from @beak/client$path', async ({ names, path }) => {
  const module = await import(`@beak/client${path}`)
  expect(Object.keys(module)).toEqual(expect.arrayContaining(names))
})
