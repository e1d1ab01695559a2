/** What the host of a service should know and mend: each check says what it found, and what to do. */

import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { duration } from '@beak/decision/duration'
import { database, db } from '@/lib/db/client'
import { connectRedis } from '@/lib/db/redis'
import { roleWarning, settingsWarning } from '@/lib/db/role'
import { clockWarning, measureClock } from '@/lib/db/service-clock'
import { describeGap, findGap, findMarkPath, hasMarkFolder, readMark } from '@/lib/domain/backup/watch-age'
import { findLastBackup } from '@/lib/domain/metrics/read-host-facts'
import { lateLogSeconds, readLogLag, readWitnesses } from '@/lib/domain/tlog/lag'
import { findCheckpoint } from '@/lib/domain/tlog/published'
import { checkMailServer } from '@/lib/infrastructure/mail/send'
import { config, isLoopback, warningsOf } from '@/lib/kernel/config'
import { pagesFolder } from '@/lib/kernel/config/base-url.mjs'
import { day, machineOffset, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { freeBytes } from '@/lib/kernel/runtime/free-bytes'
import { howToBuildPages, operatorCommand } from '@/lib/kernel/service/release'
import { isTestService } from '@/lib/kernel/service/test-service'

export interface Finding {
  state: 'ok' | 'warning' | 'fault'
  /** One sentence or more: what is there and, unless all is well, what to do. */
  text: string
}

type Found = Finding | Finding[]
type Check = (now: Date) => Promise<Found> | Found

const secondsBetween = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 1000)

const ok = (text: string): Finding => ({ state: 'ok', text })
const warning = (text: string): Finding => ({ state: 'warning', text })
const fault = (text: string): Finding => ({ state: 'fault', text })

const checkConfiguration: Check = () => {
  const { baseUrl, trustedProxies, signUp } = config()
  const findings = warningsOf(config()).map(warning)
  if (!isLoopback(baseUrl) && trustedProxies === null)
    findings.push(
      warning(
        'TRUSTED_PROXIES is not set: when a proxy stands before this service, all its users share the limits of one address. Set TRUSTED_PROXIES to the address of the proxy.',
      ),
    )
  return [
    ok(`${baseUrl}, sign-up: ${signUp.mode === 'domains' ? signUp.domains.join(', ') : signUp.mode}`),
    ...findings,
  ]
}

/** The triggers that keep the audit log and the transparency log append-only. */
const protectingTriggers = [
  'audit_append_only',
  'audit_no_truncate',
  'log_entry_append_only',
  'log_entry_no_truncate',
  'log_hash_append_only',
  'log_hash_no_truncate',
  'log_checkpoint_append_only',
  'log_checkpoint_no_truncate',
  'log_cosignature_append_only',
  'log_cosignature_no_truncate',
]

interface DatabaseFacts {
  version: string
  name: string
  enabledTriggers: string[]
}

const checkDatabase: Check = async () => {
  const [facts] = await db().rows<DatabaseFacts>`
    SELECT current_setting('server_version') AS "version", current_database()::text AS "name",
      ARRAY(SELECT "tgname"::text FROM pg_trigger WHERE NOT "tgisinternal" AND "tgenabled" IN ('O', 'A')) AS "enabledTriggers"`
  if (facts === undefined) throw new Error('the database gave no answer')
  const { embedded, tx } = database()
  const findings = [
    ok(
      embedded === null
        ? `PostgreSQL ${facts.version}, database ${facts.name}`
        : `embedded, PostgreSQL ${facts.version}. A power cut can damage it: keep backups, or use PostgreSQL`,
    ),
  ]
  const disabled = protectingTriggers.filter((name) => !facts.enabledTriggers.includes(name))
  if (disabled.length > 0)
    findings.push(
      fault(
        `These triggers are switched off, so rows of the logs can be changed: ${disabled.join(', ')}. Find out who did it, and switch them on: ALTER TABLE … ENABLE TRIGGER ….`,
      ),
    )
  const warnings = embedded === null ? [await roleWarning(tx), await settingsWarning(tx)] : []
  for (const text of warnings) if (text !== null) findings.push(warning(text))
  if (embedded === null) findings.push(await checkClock())
  return findings
}

/** Compares the clock of this machine with the clock of the database. */
async function checkClock(): Promise<Finding> {
  await measureClock(db())
  const text = clockWarning()
  return text === null
    ? ok(`its clock and that of this machine differ by ${Math.abs(machineOffset()).toFixed(1)} s`)
    : warning(text)
}

const checkRedis: Check = async () => {
  const redis = connectRedis()
  if (redis === null) return ok('not set: each process counts its own limits')
  const started = performance.now()
  try {
    await redis.ping()
    return ok(`answers after ${Math.round(performance.now() - started)} ms`)
  } catch (error) {
    return fault(
      `${(error as Error).message}. Start Redis, or correct REDIS_URL. Until then sign-in and codes answer 503, and each process counts its own limits.`,
    )
  }
}

const checkMail: Check = async () => {
  const { smtp, mailName, hasOutbox, dataDir } = config()
  if (smtp === null)
    return hasOutbox
      ? ok(`one file per message in ${join(dataDir, 'outbox')}`)
      : fault('SMTP_URL is not set: nobody can verify an address or sign in by code. Set SMTP_URL.')
  try {
    await checkMailServer()
    // It has not seen the sender yet: only --mail sends one.
    return ok(
      `the mail server answers. Mails have MAIL FROM:<${smtp.from}> and From: ${JSON.stringify(mailName)} <${smtp.from}>`,
    )
  } catch (error) {
    return fault(
      `${(error as Error).message}. Check SMTP_URL, and that this machine may reach the mail server.`,
    )
  }
}

interface QueueFacts {
  late: number
  failed: number
  oldest: Date | null
  lastError: string | null
}

const checkQueue: Check = async (now) => {
  const [facts] = await db().rows<QueueFacts>`
    SELECT count(*) FILTER (WHERE "failedAt" IS NULL)::int AS "late",
      count(*) FILTER (WHERE "failedAt" > ${secondsAfter(now, -day)}::timestamptz)::int AS "failed",
      min("createdAt") FILTER (WHERE "failedAt" IS NULL) AS "oldest",
      (array_agg("lastError" ORDER BY "id" DESC) FILTER (WHERE "failedAt" IS NULL))[1] AS "lastError"
    FROM "Outbox"
    WHERE ("failedAt" IS NULL AND "lateAt" < ${now}::timestamptz) OR "failedAt" > ${secondsAfter(now, -day)}::timestamptz`
  const { late = 0, failed = 0, oldest = null, lastError = null } = facts ?? {}
  const findings: Finding[] = []
  if (late > 0 && oldest !== null)
    findings.push(
      fault(
        `${late === 1 ? 'One message is' : `${late} messages are`} late, the oldest for ${duration(secondsBetween(oldest, now))}. The last error: ${lastError ?? 'none'}. They are tried again by themselves.`,
      ),
    )
  if (failed > 0)
    findings.push(
      warning(
        `${failed === 1 ? 'One message was' : `${failed} messages were`} given up in the last 24 hours. ${operatorCommand('outbox list')} says why.`,
      ),
    )
  return findings.length > 0 ? findings : ok('nothing is late')
}

const littleBytes = 1024 ** 3
const tooLittleBytes = 128 * 1024 ** 2

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const checkDisk: Check = () => {
  const { dataDir, databaseUrl } = config()
  // With PostgreSQL nothing needs the folder.
  if (databaseUrl !== null && !existsSync(dataDir))
    return ok(`no folder ${dataDir}, and PostgreSQL needs none`)
  const free = freeBytes(dataDir)
  const text = `${Math.floor(free / 1_000_000).toLocaleString('en')} MB free for ${dataDir}`
  if (free < tooLittleBytes)
    return fault(`${text}. Free some space: with less than 64 MB the embedded database takes no writes.`)
  return free < littleBytes ? warning(`${text}. Free some space before it runs out.`) : ok(text)
}

const checkLog: Check = async (now) => {
  const { seconds } = await readLogLag(now)
  if (seconds > lateLogSeconds)
    return fault(
      `Entries wait for the transparency log for ${duration(Math.round(seconds))}. Start a process with the role worker: BEAK_ROLES.`,
    )
  const checkpoint = await findCheckpoint(db())
  return ok(
    checkpoint === null
      ? 'no entries yet'
      : `${checkpoint.size} entries, signed ${duration(secondsBetween(checkpoint.signedAt, now))} ago`,
  )
}

const lateWitnessSeconds = 10 * minute

const checkWitnesses: Check = async (now) => {
  const witnesses = await readWitnesses(now)
  if (witnesses.length === 0)
    return warning('none. See /docs/witness: without one, only you vouch for the log')
  return witnesses.map(({ name, url, size, behindSeconds }) =>
    behindSeconds > lateWitnessSeconds
      ? fault(
          `${name} has cosigned ${size} entries, and nothing newer for ${duration(Math.round(behindSeconds))}. Ask its operator whether ${url} works.`,
        )
      : ok(`${name} has cosigned ${size} entries`),
  )
}

const lateBackupSeconds = 2 * day

const checkBackup: Check = async (now) => {
  const last = await findLastBackup()
  if (last === null)
    return warning(`none was made with ${operatorCommand('backup')}. See /docs/hosts/backup for one a day.`)
  const age = secondsBetween(last, now)
  const text = `the last one was made ${duration(age)} ago`
  return age > lateBackupSeconds ? warning(`${text}. Make one each day: /docs/hosts/backup`) : ok(text)
}

/** Compares the database with the mark outside of it. */
const checkAge: Check = async () => {
  if (isTestService()) return ok('not compared: a test service may go back')
  const path = await findMarkPath()
  if (path === null) return ok('no events yet')
  const { dataDir } = config()
  const unseen = 'so nobody notices when the database is put back from an older copy'
  if (!hasMarkFolder())
    return warning(
      `nothing is checked: there is no folder ${dataDir}, ${unseen}. Make it, let the service write to it, and keep it on another disk than the database. DATA_DIR names it.`,
    )
  if (!isWritable(dataDir))
    return warning(
      `nothing is checked: ${dataDir} cannot be written, ${unseen}. Let the service write to it.`,
    )
  const seen = await readMark(path)
  if (seen === null)
    return warning(`nothing is checked yet: an instance that runs writes ${path} within a minute.`)
  const gap = await findGap(seen)
  if (gap === null) return ok(`has the newest event that ${path} names, of ${seen[0]?.until ?? ''}`)
  return fault(await describeGap(gap, path))
}

const checkPages: Check = () => {
  const { roles, basePath } = config()
  if (!roles.has('web')) return ok('not served by this process: BEAK_ROLES')
  return existsSync(join(pagesFolder(basePath), 'BUILD_ID'))
    ? ok('built')
    : fault(`not built for ${config().baseUrl}. ${howToBuildPages()}`)
}

const checks: Readonly<Record<string, Check>> = {
  configuration: checkConfiguration,
  database: checkDatabase,
  redis: checkRedis,
  mail: checkMail,
  queue: checkQueue,
  disk: checkDisk,
  log: checkLog,
  witnesses: checkWitnesses,
  backup: checkBackup,
  age: checkAge,
  pages: checkPages,
}

/** Runs every check, one after another, and calls `onFinding` for each result. A check that throws is a fault. */
export async function examine(now: Date, onFinding: (part: string, finding: Finding) => void): Promise<void> {
  for (const [part, check] of Object.entries(checks)) {
    const found = await Promise.resolve(now)
      .then(check)
      .catch((error: unknown) =>
        fault(`the check failed: ${error instanceof Error ? error.message : String(error)}`),
      )
    for (const finding of [found].flat()) onFinding(part, finding)
  }
}
