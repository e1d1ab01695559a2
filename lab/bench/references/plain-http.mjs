/**
 * What a hand-written server costs, on node:http alone. Each request is authenticated with an EdDSA token and runs one prepared
 * statement: `/select` reads a row by its key, `/insert` commits a new row. `/token` returns a token.
 */
import { createServer } from 'node:http'
import { generateKeyPair, jwtVerify, SignJWT } from 'jose'
import pg from 'pg'

const people = 10_000
const issuer = 'bench'
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
await pool.query(`
  CREATE TABLE IF NOT EXISTS person (id int PRIMARY KEY, email text UNIQUE NOT NULL, name text NOT NULL, tier text NOT NULL);
  CREATE TABLE IF NOT EXISTS event (id bigserial PRIMARY KEY, person_id int NOT NULL, kind text NOT NULL, at timestamptz NOT NULL DEFAULT now());
  INSERT INTO person SELECT n, 'p' || n || '@example.test', 'Duck ' || n, 'T1' FROM generate_series(1, ${people}) n ON CONFLICT DO NOTHING;
  ANALYZE person`)
const { privateKey, publicKey } = await generateKeyPair('EdDSA')

async function personOf(request) {
  const token = (request.headers.authorization ?? '').replace('Bearer ', '')
  const { payload } = await jwtVerify(token, publicKey, { issuer, algorithms: ['EdDSA'] })
  return Number(payload.sub)
}

const routes = {
  '/token': async () => {
    const subject = String(1 + Math.floor(Math.random() * people))
    const token = new SignJWT({ tier: 'T1' }).setProtectedHeader({ alg: 'EdDSA' }).setSubject(subject)
    return { token: await token.setIssuer(issuer).setIssuedAt().setExpirationTime('1d').sign(privateKey) }
  },
  '/select': async (request) => {
    const values = [await personOf(request)]
    const text = 'SELECT id, email, name, tier FROM person WHERE id = $1'
    return (await pool.query({ name: 'select', text, values })).rows[0]
  },
  '/insert': async (request) => {
    const values = [await personOf(request), 'peck.sent']
    const text = 'INSERT INTO event (person_id, kind) VALUES ($1, $2) RETURNING id'
    return (await pool.query({ name: 'insert', text, values })).rows[0]
  },
}

function answer(response, status, value) {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

createServer((request, response) => {
  const route = routes[request.url] ?? (async () => ({}))
  route(request).then(
    (value) => answer(response, 200, value),
    (error) => answer(response, 401, { error: error.message }),
  )
}).listen(Number(process.env.PORT), 'localhost')
