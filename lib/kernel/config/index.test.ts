import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '@/lib/kernel/service/start-problem'
import { parseConfig, warningsOf } from '.'
import { defaultLimits } from './limits'
import { rotateStoredSecret } from './secret-files'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'beak-config-'))
const parse = (env: Record<string, string> = {}) => parseConfig({ NODE_ENV: 'test', DATA_DIR, ...env })

const postgres = {
  DATABASE_URL: 'postgresql://localhost/beak',
  BEAK_SECRET: 'a secret of more than 32 bytes, all told',
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    parse(env)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults
    throw error
  }
  return []
}

describe('an empty environment', () => {
  it('gives the defaults of the contract', () => {
    const config = parse()
    expect(config).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:3000',
      origin: 'http://localhost:3000',
      basePath: '',
      databaseUrl: null,
      redis: null,
      smtp: null,
      twilio: null,
      hasOutbox: true,
      smsDailyMax: 1000,
      smsCountries: null,
      trustedProxies: null,
      webhookAllowPrivate: false,
      tlogWitnesses: [],
      limits: defaultLimits,
    })
    expect(config.secret.length).toBeGreaterThanOrEqual(32)
    expect(warningsOf(config)).toEqual([])
  })

  it('ignores empty values', () => {
    expect(parse({ PORT: '', BASE_URL: '', SMTP_URL: '', LIMIT_SIGNUP: '', TWILIO_FROM: '' })).toEqual(
      parse(),
    )
  })
})

describe('each variable', () => {
  it('has its meaning when it is valid', () => {
    const rows: [Record<string, string>, object][] = [
      [{ PORT: '3410' }, { port: 3410, baseUrl: 'http://localhost:3410' }],
      [{ BASE_URL: 'https://beak.example/' }, { baseUrl: 'https://beak.example', hasOutbox: false }],
      [{ BASE_URL: 'https://beak.example' }, { smtp: null, supportEmail: 'support@beak.example' }],
      [
        { BASE_URL: 'https://Beak.example:443/prod/' },
        { baseUrl: 'https://beak.example/prod', origin: 'https://beak.example', basePath: '/prod' },
      ],
      [
        { BASE_URL: 'http://localhost:3000/eu/stage-2' },
        { origin: 'http://localhost:3000', basePath: '/eu/stage-2', hasOutbox: true },
      ],
      [{ BASE_URL: 'http://127.0.0.1:8080' }, { baseUrl: 'http://127.0.0.1:8080', hasOutbox: true }],
      [{ BASE_URL: 'http://[::1]:8080' }, { hasOutbox: true }],
      [{ BASE_URL: 'http://beak.localhost:8080' }, { hasOutbox: true }],
      [{ LIMIT_ASK: '14.4/3' }, { limits: { ...defaultLimits, ask: { perMinute: 0.01, burst: 3 } } }],
      [{ LIMIT_SIGNUP: '7.5/3' }, { limits: { ...defaultLimits, signup: { perMinute: 7.5, burst: 3 } } }],
      [{ WEBHOOK_ALLOW_PRIVATE: 'true' }, { webhookAllowPrivate: true }],
      [
        { CHANNEL_HOSTS: 'Ntfy.internal, [::1],10.0.0.5' },
        { channelHosts: new Set(['ntfy.internal', '[::1]', '10.0.0.5']) },
      ],
      [{ LOG_LEVEL: 'fatal' }, { logLevel: 'fatal' }],
      [{ SMTP_URL: 'smtp://localhost:25' }, { smtp: { url: 'smtp://localhost:25', from: 'beak@localhost' } }],
      [
        {
          SMTP_URL: 'smtp://us%40er:p%23%40%2Fw@mail.example:587',
          MAIL_FROM: 'Beak Team <noreply@beak.example>',
        },
        {
          smtp: { url: 'smtp://us%40er:p%23%40%2Fw@mail.example:587', from: 'noreply@beak.example' },
          mailName: 'Beak Team',
        },
      ],
      [
        { SMTP_URL: 'smtp://localhost', MAIL_FROM: '"Grüße, Beak" <a@münchen.example>' },
        { mailName: 'Grüße, Beak' },
      ],
      [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: '<a@beak.example>' }, { mailName: 'Beak' }],
      [{ SUPPORT_EMAIL: 'help@münchen.example' }, { supportEmail: 'help@xn--mnchen-3ya.example' }],
      [{ ...postgres, DATABASE_URL: 'postgresql:///beak?host=/run/postgresql&user=a@b' }, { processes: 1 }],
      [{ SMS_DAILY_MAX: '0' }, { smsDailyMax: 0 }],
      [{ SMS_COUNTRIES: 'US, de' }, { smsCountries: new Set(['US', 'DE']) }],
      [{ REDIS_URL: 'redis://localhost' }, { redis: { url: 'redis://localhost' } }],
      [{}, { listenerUrl: null }],
      [{ BEAK_ROLES: 'worker, api' }, { roles: new Set(['api', 'worker']) }],
      [{}, { signUp: { mode: 'open' } }],
      [{ SIGNUP: 'closed' }, { signUp: { mode: 'closed' } }],
      [
        { SIGNUP: 'domains:Pond.example, münchen.example' },
        { signUp: { mode: 'domains', domains: ['pond.example', 'xn--mnchen-3ya.example'] } },
      ],
      [postgres, { databaseWait: 60 }],
      [{ ...postgres, DATABASE_WAIT: '0' }, { databaseWait: 0 }],
      [{ ...postgres, WEB_CONCURRENCY: '4' }, { processes: 4 }],
      [{ WEB_CONCURRENCY: '1' }, { processes: 1 }],
      [{}, { metrics: null }],
      [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 } }],
      [{ METRICS_PORT: '9464', METRICS_HOST: '::' }, { metrics: { host: '::', port: 9464 } }],
      [{ ...postgres, DATABASE_DIRECT_URL: '' }, { listenerUrl: postgres.DATABASE_URL }],
      [
        { ...postgres, DATABASE_DIRECT_URL: 'postgresql://direct/beak' },
        { databaseUrl: postgres.DATABASE_URL, listenerUrl: 'postgresql://direct/beak' },
      ],
    ]
    for (const [env, expected] of rows) expect(parse(env), JSON.stringify(env)).toMatchObject(expected)
  })

  it('is named once as a fault when it is not valid', () => {
    const rows: [name: string, value: string][] = [
      ['PORT', 'abc'],
      ['PORT', '70000'],
      ['PORT', '80.5'],
      ['BASE_URL', 'beak.example'],
      ['BASE_URL', 'ftp://beak.example'],
      ['BASE_URL', 'https://somebody:secret@beak.example'],
      ['BASE_URL', 'https://beak.example/?stage=1'],
      ['BASE_URL', 'https://beak.example/prod?'],
      ['BASE_URL', 'https://beak.example/prod#top'],
      ['BASE_URL', 'https://beak.example/prod/../test'],
      ['BASE_URL', 'https://beak.example/prod/%2e%2e'],
      ['BASE_URL', 'https://beak.example//prod'],
      ['BASE_URL', 'https://beak.example/prod//'],
      ['BASE_URL', 'https://beak.example\\prod'],
      ['BASE_URL', 'https://beak.example/_next'],
      ['BASE_URL', 'https://beak.example/.well-known'],
      ['BASE_URL', 'https://beak.example/a b'],
      ['BASE_URL', 'https:beak.example'],
      ['DATABASE_URL', 'mysql://localhost/beak'],
      ['DATABASE_DIRECT_URL', 'postgresql://direct/beak'],
      ['REDIS_URL', 'http://localhost'],
      ['SMTP_URL', 'http://localhost'],
      ['MAIL_FROM', 'nobody'],
      ['SUPPORT_EMAIL', 'nobody'],
      ['TWILIO_API_URL', 'twilio'],
      ['BEAK_SECRET', 'short'],
      ['PORT', '0x10'],
      ['PORT', '3e3'],
      ['DATABASE_WAIT', '1e2'],
      ['SMS_DAILY_MAX', '1e3'],
      ['DATA_DIR', '~/beak'],
      ['DATA_DIR', '$HOME/beak'],
      ['DATA_DIR', '/srv/beak '],
      ['DATA_DIR', "'/srv/beak'"],
      ['NODE_ENV', 'prod'],
      ['MAIL_FROM', 'a@beak.example, b@beak.example'],
      ['MAIL_FROM', 'Beak <a@beak.example> <b@beak.example>'],
      ['MAIL_FROM', 'Beak, Inc. <a@beak.example>'],
      ['MAIL_FROM', 'noreply@beak .example'],
      ['MAIL_FROM', 'noreply@-beak.example'],
      ['MAIL_FROM', 'grüße@beak.example'],
      ['MAIL_FROM', 'noreply@'],
      ['MAIL_FROM', 'Beak noreply@beak.example'],
      ['SUPPORT_EMAIL', '<help@beak.example>'],
      ['SUPPORT_EMAIL', 'help@beak.example>'],
      ['TWILIO_API_URL', 'https://user:pass@api.twilio.com'],
      ['TWILIO_API_URL', 'https://api.twilio.com/?region=ie1'],
      ['REDIS_URL', 'redis://localhost/limits'],
      ['REDIS_URL', 'redis://:p/w@localhost'],
      ['REDIS_URL', 'redis://'],
      ['SMTP_URL', 'smtp://localhost:465'],
      ['SMTP_URL', 'smtps://localhost:587'],
      ['SMTP_URL', 'smtp://user:p#w@localhost'],
      ['SMTP_URL', 'smtp://user:1/2@localhost'],
      ['SMTP_URL', 'smtp://user:p@w@localhost'],
      ['SMTP_URL', 'smtp://user:p%w@localhost'],
      ['DATABASE_URL', 'postgres://beak:12/3@localhost/beak'],
      ['DATABASE_URL', 'postgres://beak:12#3@localhost/beak'],
      ['DATABASE_URL', 'postgres://beak:p@w@localhost/beak'],
      ['DATABASE_URL', 'postgres://beak:12?3@localhost/beak'],
      ['DATABASE_URL', 'postgres://localhost/beak?sslmode=requir'],
      ['LIMIT_SIGNUP', `${'9'.repeat(400)}/5`],
      ['TRUSTED_PROXIES', 'everybody'],
      ['TRUSTED_PROXIES', '10.0.0.0/33'],
      ['TRUSTED_PROXIES', '10.0.0.0/'],
      ['TRUSTED_PROXIES', '10.0.0.0/8.5'],
      ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
      ['TRUSTED_PROXIES', '10.0.0.1, nobody'],
      ['WEBHOOK_ALLOW_PRIVATE', 'perhaps'],
      ['CHANNEL_HOSTS', 'ntfy.internal:8080'],
      ['CHANNEL_HOSTS', 'https://ntfy.internal'],
      ['CHANNEL_HOSTS', 'user@ntfy.internal'],
      ['SMS_DAILY_MAX', 'many'],
      ['SMS_DAILY_MAX', '-1'],
      ['SMS_COUNTRIES', 'Germany'],
      ['SMS_COUNTRIES', 'DE,XX'],
      ['SMS_COUNTRIES', 'DE,'],
      ['LOG_LEVEL', 'loud'],
      ['SIGNUP', 'Open'],
      ['SIGNUP', 'domains:'],
      ['SIGNUP', 'domains:pond.example,'],
      ['SIGNUP', 'domains:@pond.example'],
      ['SIGNUP', 'pond.example'],
      ['DATABASE_WAIT', 'long'],
      ['DATABSE_URL', 'postgres://localhost/beak'],
      ['BEAK_MODE', 'fast'],
      ['BEAK_ROLES', 'api,mail'],
      ['BEAK_ROLES', 'api,'],
      ['WEB_CONCURRENCY', '2'],
      ['METRICS_PORT', '0'],
      ['METRICS_PORT', '3000'],
      ['METRICS_HOST', '0.0.0.0'],
      ['WEB_CONCURRENCY', '0.5'],
      ['TLOG_WITNESSES', 'https://witness.example'],
      ['LIMIT_SIGNUP', '10'],
      ['LIMIT_SIGNUP', '0/5'],
      ['LIMIT_SIGNUP', '10/0'],
      ['LIMIT_SIGNUP', '-10/5'],
      ['LIMIT_AUTHENTICATED', 'many/5'],
    ]
    const secret = { BEAK_SECRET: 'a secret of more than 32 bytes, all told' }
    for (const [name, value] of rows) {
      const faults = faultsOf({ ...(name === 'DATABASE_URL' ? secret : {}), [name]: value })
      expect(faults, `${name}=${value}`).toEqual([expect.stringContaining(name)])
    }
  })
})

describe('BEAK_SECRET_PREVIOUS', () => {
  const BEAK_SECRET = 'a secret of more than 32 bytes, all told'
  const BEAK_SECRET_PREVIOUS = 'another secret of more than 32 bytes'

  it('is null when it is not set, and the bytes of the variable otherwise', () => {
    expect(parse({ BEAK_SECRET })).toMatchObject({ previousSecret: null, hasStoredSecret: false })
    const { secret, previousSecret } = parse({ BEAK_SECRET, BEAK_SECRET_PREVIOUS })
    expect([secret, previousSecret]).toEqual([Buffer.from(BEAK_SECRET), Buffer.from(BEAK_SECRET_PREVIOUS)])
  })

  it.each([
    ['without BEAK_SECRET', { BEAK_SECRET_PREVIOUS }],
    ['when both are the same', { BEAK_SECRET, BEAK_SECRET_PREVIOUS: BEAK_SECRET }],
    ['shorter than 32 bytes', { BEAK_SECRET, BEAK_SECRET_PREVIOUS: 'short' }],
  ])('is rejected %s', (_, env) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining('BEAK_SECRET_PREVIOUS')])
  })

  it('is a file in the data folder when the secret is one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beak-config-'))
    const old = parse({ DATA_DIR: folder })
    expect(old).toMatchObject({ previousSecret: null, hasStoredSecret: true })
    await rotateStoredSecret(folder)
    expect(parse({ DATA_DIR: folder }).previousSecret).toEqual(old.secret)
    expect(parse({ DATA_DIR: folder, BEAK_SECRET }).previousSecret).toBeNull()
  })
})

describe('a password in an address', () => {
  it('that is not encoded is explained with what to write', () => {
    for (const SMTP_URL of [
      'smtp://user:p#w@localhost',
      'smtp://user:p@w@localhost',
      'smtp://user:p/w@localhost',
    ])
      expect(faultsOf({ SMTP_URL }).join(), SMTP_URL).toMatch(
        /^SMTP_URL: .*write # as %23, @ as %40, \/ as %2F/,
      )
  })
})

describe('several faults', () => {
  it('are all listed, also faults between variables beside a fault in one variable', () => {
    const faults = faultsOf({
      PORT: 'abc',
      BASE_URL: 'https://beak.example/?api',
      DATABASE_URL: 'postgres://localhost/beak',
      TRUSTED_PROXIES: 'x',
      LIMIT_OTP: 'x',
      TWILIO_FROM: '+15005550006',
      UPSTASH_REDIS_REST_TOKEN: 'x',
      LOG_LEVEL: 'loud',
    }).join('\n')
    for (const name of [
      'PORT',
      'BASE_URL',
      'BEAK_SECRET',
      'TRUSTED_PROXIES',
      'LIMIT_OTP',
      'TWILIO_ACCOUNT_SID',
      'UPSTASH_REDIS_REST_URL',
      'LOG_LEVEL',
    ])
      expect(faults).toContain(name)
  })
})

describe('an incomplete configuration', () => {
  it('starts with warnings', () => {
    const BEAK_SECRET = 'a secret of more than 32 bytes, all told'
    const warnings = warningsOf(
      parse({ BASE_URL: 'https://beak.example', DATABASE_URL: 'postgres://localhost/beak', BEAK_SECRET }),
    )
    expect(warnings).toEqual(
      ['SMTP_URL', 'TWILIO_ACCOUNT_SID', 'REDIS_URL', 'TLOG_WITNESSES'].map((name) =>
        expect.stringContaining(`${name} is not set: `),
      ),
    )
  })

  it('starts with a warning when every address is a trusted proxy', () => {
    for (const TRUSTED_PROXIES of ['0.0.0.0/0', '10.0.0.1, ::/0'])
      expect(warningsOf(parse({ TRUSTED_PROXIES }))).toEqual([
        expect.stringMatching(/^TRUSTED_PROXIES names every address/),
      ])
  })

  it('starts with a warning when everybody can reach the metrics', () => {
    const warningsFor = (METRICS_HOST: string) => warningsOf(parse({ METRICS_PORT: '9464', METRICS_HOST }))
    for (const host of ['0.0.0.0', '::', '203.0.113.7', '2606:4700::1', '::ffff:203.0.113.7'])
      expect(warningsFor(host), host).toEqual([expect.stringMatching(/^METRICS_HOST is .* port 9464 /)])
    for (const host of ['127.0.0.1', 'localhost', '::1', '10.1.2.3', '192.168.1.1', 'fd00::1', '100.64.0.1'])
      expect(warningsFor(host), host).toEqual([])
  })
})
