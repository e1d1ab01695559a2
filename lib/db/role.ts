/**
 * What the database role of the service may do. Triggers keep the audit log and the transparency log append-only. The owner of a table can
 * disable its triggers, and a superuser can disable all with `session_replication_role`. So the service should have a role that is neither.
 */

import type { Tx } from './client'
import { servingSettings } from './postgres'

interface Role {
  name: string
  isSuperuser: boolean
  isOwner: boolean
}

/** Returns the warning about the role of a PostgreSQL server, or null when the role can switch no trigger off. */
export async function roleWarning(tx: Tx): Promise<string | null> {
  const [role] = await tx.rows<Role>`
    SELECT current_user::text AS "name", r."rolsuper" AS "isSuperuser",
      EXISTS (
        SELECT 1 FROM pg_class c
        WHERE c."relnamespace" = current_schema()::regnamespace AND c."relkind" = 'r' AND pg_has_role(c."relowner", 'MEMBER')
      ) AS "isOwner"
    FROM pg_roles r WHERE r."rolname" = current_user`
  if (role === undefined || !(role.isSuperuser || role.isOwner)) return null
  const what = role.isSuperuser ? 'is a superuser' : 'owns the tables'
  return `DATABASE_URL: the role ${role.name} ${what}, so it can switch off the triggers that protect the audit log. Use a role that owns no table: /docs/hosts/operate#the-database-role`
}

/** Returns the owner of the tables when no other role may use them, else null. For the end of a restore. */
export async function ownerAlone(tx: Tx): Promise<string | null> {
  const [found] = await tx.rows<{ owner: string; isAlone: boolean }>`
    SELECT pg_get_userbyid(c."relowner")::text AS "owner",
      NOT EXISTS (SELECT FROM aclexplode(c."relacl") a WHERE a."grantee" <> c."relowner") AS "isAlone"
    FROM pg_class c WHERE c."oid" = '"Duckling"'::regclass`
  return found?.isAlone ? found.owner : null
}

/**
 * Whether the settings of connections arrive at the server. A pooler such as PgBouncer can leave them out: then nothing cancels a statement that
 * hangs, and plans that were made while a table was small read the whole table later.
 */

/** Returns the warning about settings that do not arrive, or null. */
export async function settingsWarning(tx: Tx): Promise<string | null> {
  const wanted = servingSettings.map((setting) => setting.split('=') as [name: string, value: string])
  const rows = await tx.rows<{ name: string; value: string }>`
    SELECT wanted."name", current_setting(wanted."name") AS "value"
    FROM unnest(${wanted.map(([name]) => name)}::text[]) AS wanted ("name")`
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  const missing = wanted.filter(([name, value]) => found.get(name) !== value).map(([name]) => name)
  if (missing.length === 0) return null
  return `DATABASE_URL: a pooler leaves out these settings: ${missing.join(', ')}. Set them for the database, or statements that hang are never cancelled and some become slow: /docs/hosts/capacity#pgbouncer`
}
