import { expect, it } from 'vitest'
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { aFullAccount } from '@/lib/fixtures/accounts'
import { kinds, type OwnedModel, takeAway } from './kinds'
import type { Occasion } from './taking'

const occasions: Occasion[] = ['first_proof', 'undo', 'recovery', 'suspension', 'close']
const models = Object.keys(kinds) as OwnedModel[]

/** The columns that say whose a row is, the strongest first. */
const owners = ['ducklingId', 'targetDucklingId', 'agentId', 'peckId', 'email', 'subject'] as const

interface Column {
  name: string
  type: string
  udt: string
  isNeeded: boolean
}

const quoted = (name: string): Sql => Prisma.raw(`"${name}"`)

const columnsOf = (tx: Tx, model: string) => tx.rows<Column>`
  SELECT column_name::text AS "name", data_type::text AS "type", udt_name::text AS "udt",
    is_nullable = 'NO' AND column_default IS NULL AS "isNeeded"
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${model}`

/** Returns the condition for the rows of the account, or null when only a parent says whose they are. */
async function ofAccount(tx: Tx, model: string, id: string): Promise<Sql | null> {
  if (model === 'Duckling') return sql`"id" = ${id}`
  const columns = await columnsOf(tx, model)
  const owner = owners.find((name) => columns.some((column) => column.name === name))
  if (owner === 'agentId') return sql`"agentId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${id})`
  if (owner === 'peckId') return sql`"peckId" IN (SELECT "id" FROM "Peck" WHERE "targetDucklingId" = ${id})`
  if (owner === 'email') return sql`"email" = (SELECT "email" FROM "Duckling" WHERE "id" = ${id})`
  return owner === undefined ? null : sql`${quoted(owner)} = ${id}`
}

/** Returns a value for a column that must have one, with later times, and the last name of an enumeration. */
function valueFor({ name, type, udt }: Column, id: string): Sql {
  if (name === 'ducklingId' || name === 'subject') return sql`${id}`
  if (name === 'email') return sql`(SELECT "email" FROM "Duckling" WHERE "id" = ${id})`
  if (name === 'agentId') return sql`(SELECT "id" FROM "Agent" WHERE "ducklingId" = ${id} LIMIT 1)`
  if (name === 'siteId') return sql`(SELECT "id" FROM "Site" WHERE "ducklingId" = ${id} LIMIT 1)`
  if (udt === 'OtpPurpose') return sql`'email_change'`
  if (name === 'peckId')
    return sql`(SELECT "id" FROM "Peck" WHERE "targetDucklingId" = ${id} AND "status" = 'approved' LIMIT 1)`
  if (type === 'ARRAY') return sql`'{}'`
  if (type === 'USER-DEFINED') return sql`(enum_range(NULL::${quoted(udt)}))[1]`
  if (type === 'text') return sql`gen_random_uuid()::text`
  if (type === 'boolean') return sql`true`
  if (type === 'bytea') return sql`decode(md5(random()::text), 'hex')`
  if (type.startsWith('json')) return sql`'[]'`
  return type.startsWith('timestamp') ? sql`now() + interval '1 hour'` : sql`1`
}

async function addRow(tx: Tx, model: string, id: string): Promise<void> {
  const columns = (await columnsOf(tx, model)).filter(
    ({ name, isNeeded }) => isNeeded || ['ducklingId', 'removesAt', 'alwaysAt'].includes(name),
  )
  const names = columns.map(({ name }) => quoted(name))
  const values = columns.map((column) => valueFor(column, id))
  await tx.run`INSERT INTO ${quoted(model)} (${Prisma.join(names)}) VALUES (${Prisma.join(values)})`
}

/** Returns a digest of the rows that the account has of each kind. */
async function snapshot(tx: Tx, id: string): Promise<Partial<Record<OwnedModel, string>>> {
  const digests: Partial<Record<OwnedModel, string>> = {}
  for (const model of models) {
    const where = await ofAccount(tx, model, id)
    if (where === null) continue
    const [row] = await tx.rows<{ digest: string | null }>`
      SELECT md5(string_agg(r::text, '|' ORDER BY r::text)) AS "digest" FROM ${quoted(model)} r WHERE ${where}`
    digests[model] = row?.digest ?? 'none'
  }
  return digests
}

/** Changes an account so that each occasion finds something of each kind that it takes. */
async function fill(tx: Tx, id: string): Promise<void> {
  const empty = Object.entries(await snapshot(tx, id)).filter(([, digest]) => digest === 'none')
  for (const [model] of empty)
    if (Object.values(kinds[model as OwnedModel]).includes(true)) await addRow(tx, model, id)
  await tx.run`UPDATE "DeviceRequest" SET "status" = 'approved' WHERE "ducklingId" = ${id}`
  await tx.run`UPDATE "OtpCode" SET "purpose" = 'email_change', "deadAt" = NULL WHERE "ducklingId" = ${id}`
  await tx.run`UPDATE "Duckling" SET "settingsSessionIds" = '{SES-OTHER}' WHERE "id" = ${id}`
  await tx.run`UPDATE "BeakKey" SET "createdAt" = "createdAt" + interval '1 second'
    WHERE "agentId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${id} AND "status" = 'registered')`
  await tx.run`UPDATE "Peck" SET "uses" = 1, "maxUses" = 5 WHERE "targetDucklingId" = ${id} AND "status" = 'approved'`
}

class Undone extends Error {}

it.each(occasions)('takes away on %s exactly the kinds that the list names', async (occasion) => {
  const { owner } = await aFullAccount()
  const context = await owner.context()
  const unlike: string[] = []
  await expect(
    transaction(async (tx) => {
      await fill(tx, owner.id)
      const before = await snapshot(tx, owner.id)
      const given = occasion === 'first_proof' ? { sessionId: 'SES-PROVING' } : {}
      await takeAway(tx, { occasion, context, ducklingId: owner.id, ...given })
      const after = await snapshot(tx, owner.id)
      for (const [model, digest] of Object.entries(before)) {
        const answer: true | string = kinds[model as OwnedModel][occasion]
        // Only the streams of the agents end.
        if (answer !== true && answer.startsWith('Goes along')) continue
        if (model === 'Agent' && occasion === 'suspension') continue
        const isTaken = after[model as OwnedModel] !== digest
        if (isTaken !== (answer === true))
          unlike.push(`${model}: ${isTaken ? 'changed' : 'the same'}, ${answer}`)
      }
      throw new Undone()
    }),
  ).rejects.toThrow(Undone)
  expect(unlike).toEqual([])
})
