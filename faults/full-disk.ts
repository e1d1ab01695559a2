/**
 * A full disk, as PostgreSQL reports it: each statement that writes fails with 53100. A trigger of every table asks a row outside of the data
 * of the service whether the disk is full, so filling and freeing it locks no table.
 */
import { Client } from 'pg'
import { db } from '@/lib/db/client'

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Prepares the tables of the database at that address, and returns what fills the disk and frees it. */
export async function prepareFullDisk(url: string): Promise<(isFull: boolean) => Promise<void>> {
  const tables = await db().rows<{ name: string }>`
    SELECT tablename::text AS "name" FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE '\\_prisma%'`
  await run(
    url,
    `
    CREATE SCHEMA faults;
    CREATE TABLE faults.disk ("isFull" boolean NOT NULL);
    INSERT INTO faults.disk VALUES (false);
    CREATE FUNCTION faults.write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT "isFull" FROM faults.disk) THEN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END IF;
        RETURN NULL;
      END $$;
    ${tables.map(({ name }) => `CREATE TRIGGER "fault_full" BEFORE INSERT OR UPDATE ON "${name}" FOR EACH STATEMENT EXECUTE FUNCTION faults.write();`).join('\n')}`,
  )
  return (isFull) => run(url, `UPDATE faults.disk SET "isFull" = ${isFull}`)
}
