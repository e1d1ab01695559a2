import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { database, db } from '@/lib/db/client'
import { findMarkPath } from '@/lib/domain/backup/watch-age'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { setMachineClock } from '@/lib/fixtures/machine-clock.mjs'
import { aMailServer, mailSettings } from '@/lib/fixtures/mail'
import { inServer } from '@/lib/fixtures/operator'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { ignoreMeasurements, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'

const configured = config()
beforeEach(async () => {
  await db().outbox.deleteMany()
  await db().run`DELETE FROM "LogPending"`
  await db().run`DELETE FROM "LogQueue"`
})
afterEach(() => replaceConfig(configured))

const perform = inServer('doctor')

/** Runs the command, and returns what it found by part. */
async function run(...args: string[]) {
  const { code, output } = await perform(...args)
  const lines = output.split('\n')
  const of = (part: string) =>
    lines
      .filter((line) => line.slice(9, 24).trim() === part)
      .map((line) => `${line.slice(0, 9).trim()}: ${line.slice(24)}`)
  return { code, output, lines, of }
}

describe('doctor', () => {
  it('says for each part that it is well', async () => {
    replaceConfig({ roles: new Set(['api', 'worker'] as const) })
    const { code, of, lines } = await run()
    expect({ code, faults: lines.filter((line) => line.startsWith('fault')) }).toEqual({
      code: 0,
      faults: [],
    })
    expect(of('configuration')[0]).toBe(`ok: ${config().baseUrl}, sign-up: open`)
    expect(of('database')[0]).toMatch(/^ok: (PostgreSQL|embedded, PostgreSQL) \d+/)
    expect(of('queue')).toEqual(['ok: nothing is late'])
    expect(of('disk')[0]).toMatch(/ MB free for /)
    expect(of('age')[0]).toMatch(
      /^(?:ok|warning): (?:no events yet|nothing is checked yet|has the newest event)/,
    )
    expect(lines.at(-1)).toMatch(/^0 faults, (?:1 warning|\d+ warnings)\.$/)
  })

  it('says what to do about a public address without proxies, mail and witnesses', async () => {
    replaceConfig({ baseUrl: 'https://beak.example', hasOutbox: false, smtp: null })
    const { code, of, lines } = await run()
    expect(of('configuration').join()).toMatch(/warning: TRUSTED_PROXIES is not set: .* Set TRUSTED_PROXIES/)
    expect(of('mail')).toEqual([expect.stringMatching(/^fault: .* Set SMTP_URL\.$/)])
    expect(of('witnesses')).toEqual([expect.stringMatching(/^warning: none/)])
    expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^(?:1 fault|\d+ faults), /)])
  })

  it('says how far the clock of this machine is from the clock of the database', async () => {
    if (database().embedded !== null) return
    const { of } = await run()
    expect(of('database')).toContainEqual(
      expect.stringMatching(/^ok: its clock and that of this machine differ by \d\.\d s$/),
    )
    onTestFinished(() => {
      setMachineClock(0)
      ignoreMeasurements(true)
      forget('clock.watch')
    })
    ignoreMeasurements(false)
    setMachineClock(25 * 3600)
    const { of: later } = await run()
    expect(later('database')).toContainEqual(
      expect.stringMatching(
        /^warning: The clock of this machine is 25 hours ahead of the clock of the database/,
      ),
    )
  })

  it('says that nothing is compared without a data folder, which PostgreSQL does not need', async () => {
    await aDuckling()
    replaceConfig({ dataDir: '/nonexistent/beak', databaseUrl: 'postgresql://localhost/beak' })
    const { of } = await run()
    expect(of('age')).toEqual([
      expect.stringMatching(/^warning: nothing is checked: there is no folder \/nonexistent\/beak/),
    ])
    expect(of('disk')).toEqual(['ok: no folder /nonexistent/beak, and PostgreSQL needs none'])
  })

  it('calls a database that lacks the newest event a fault, and names the command', async () => {
    await aDuckling()
    replaceConfig({ dataDir: mkdtempSync(join(tmpdir(), 'beak-doctor-')) })
    const seen = [{ id: 'EVT-LOST', hash: 'lost', until: readClock().toISOString() }]
    writeFileSync((await findMarkPath()) ?? '', JSON.stringify(seen))
    expect((await run()).of('age')).toEqual([
      expect.stringMatching(/^fault: The database is older than it was.*restored --as-of /),
    ])
  })

  it('shows the sender in the envelope and in the header', async () => {
    await aMailServer(async () => undefined)
    replaceConfig({ mailName: 'Beak Team' })
    expect((await run()).of('mail')[0]).toContain(
      'MAIL FROM:<beak@localhost> and From: "Beak Team" <beak@localhost>',
    )
  })

  it('connects to the mail server, and shows its refusal', async () => {
    await aMailServer(async () => undefined)
    expect((await run()).of('mail')[0]).toMatch(/^ok: /)
    mailSettings(9)
    expect((await run()).of('mail')[0]).toMatch(/^fault: .*ECONNREFUSED.* Check SMTP_URL/)
  })

  it('sends a test mail', async () => {
    const address = randomEmail()
    expect((await run('--mail', address)).of('test mail')[0]).toMatch(/^ok: /)
    expect((await sentTo(address)).map(({ kind }) => kind)).toEqual(['test'])
    expect((await run('--mail', 'nobody')).output).toContain('--mail needs an email address')
    expect((await run('--fast')).output).toContain("Unknown option '--fast'")
  })

  it('shows messages that are late and messages that were given up', async () => {
    const now = readClock()
    const row = { kind: 'notice', payload: {}, dueAt: now, createdAt: secondsAfter(now, -300) }
    await db().outbox.createMany({
      data: [
        { ...row, lateAt: secondsAfter(now, -1), lastError: 'ECONNREFUSED: no' },
        { ...row, lateAt: secondsAfter(now, 60), lastError: 'not yet' },
        { ...row, failedAt: now, lastError: 'given up' },
      ],
    })
    expect((await run()).of('queue')).toEqual([
      expect.stringMatching(
        /^fault: One message is late, the oldest for .* The last error: ECONNREFUSED: no\./,
      ),
      expect.stringMatching(/^warning: One message was given up/),
    ])
  })

  it('finds a trigger of the audit log that somebody has switched off', async () => {
    await db().run`ALTER TABLE "AuditEvent" DISABLE TRIGGER audit_append_only`
    try {
      expect((await run()).of('database').join()).toMatch(
        /fault: These triggers are switched off.*audit_append_only\./,
      )
    } finally {
      await db().run`ALTER TABLE "AuditEvent" ENABLE TRIGGER audit_append_only`
    }
  })
})
