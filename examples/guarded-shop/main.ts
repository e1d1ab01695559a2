/** Runs the shop: `BEAK_URL=http://localhost:3000 npm run example:shop`. `PORT` changes its port. */
import { Beak } from '@beak/client'
import { serve } from '@hono/node-server'
import { guardedShop } from './shop'

const beak = new Beak({ url: process.env.BEAK_URL ?? 'http://localhost:3000' })
const shop = guardedShop(beak, beak.url, await beak.getPublicKeys({}))
serve({ fetch: shop.fetch, port: Number(process.env.PORT ?? 4000), hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(
    `The shop is open at http://localhost:${port}. It accepts permissions from ${beak.url}.\n`,
  )
})
