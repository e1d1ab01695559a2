/** Hono answers a constant JSON object: the cost of HTTP with a router. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/', (context) => context.json({ ok: true }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: 'localhost' })
