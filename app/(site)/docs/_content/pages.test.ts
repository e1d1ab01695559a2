/** Every page of the documentation, as it is rendered on the server. */
import { renderToReadableStream } from 'react-dom/server.edge'
import { expect, it } from 'vitest'
import { inPageRequest } from '@/lib/fixtures/page-request'
import DocsTextPage from '../[...slug]/page'
import { readSections } from './pages'

it('x', async () => {
  const page = (await readSections())[1]?.pages[0]
  const params = Promise.resolve({ slug: page?.slug.split('/') ?? [] })
  const { result } = await inPageRequest({}, async () => {
    const stream = await renderToReadableStream(await DocsTextPage({ params }))
    await stream.allReady
    return new Response(stream).text()
  })
  expect(result).toContain('<h1')
  console.log(result.slice(0, 3000))
})
