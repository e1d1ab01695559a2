/**
 * better-auth on Hono and PostgreSQL, with its plugins for mailed codes, API keys and bearer tokens. Its limits are off, as those of
 * Beak. It "mails" a code by appending a line to the file CODES.
 */
import { appendFileSync } from 'node:fs'
import { apiKey } from '@better-auth/api-key'
import { serve } from '@hono/node-server'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { bearer, emailOTP } from 'better-auth/plugins'
import { Hono } from 'hono'
import pg from 'pg'

const { CODES, DATABASE_URL, PORT } = process.env

const options = {
  baseURL: `http://localhost:${PORT}`,
  secret: 'a secret that only the benchmark uses',
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  telemetry: { enabled: false },
  logger: { level: 'error' },
  rateLimit: { enabled: false },
  // The session is read from the database on every request, as in Beak.
  session: { cookieCache: { enabled: false } },
  plugins: [
    emailOTP({
      sendVerificationOTP: async ({ email, otp }) => appendFileSync(CODES, `${email} ${otp}\n`),
    }),
    apiKey({ rateLimit: { enabled: false } }),
    bearer(),
  ],
}

const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)

const app = new Hono()
app.on(['GET', 'POST'], '/api/auth/*', (context) => auth.handler(context.req.raw))
app.get('/ready', (context) => context.json({ ok: true }))
// better-auth verifies API keys only in its own process, so every application writes this route.
app.get('/key', async (context) => {
  const { valid } = await auth.api.verifyApiKey({ body: { key: context.req.header('X-Api-Key') ?? '' } })
  return context.json({ valid }, valid ? 200 : 401)
})
serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' })
