import { describe, expect, it } from 'vitest'
import { parseConfig } from '@/lib/kernel/config'
import { limitGroups } from '@/lib/kernel/config/limits'
import { DevFault, parseOptions, refuseRealEnvironment, testEnvironment } from './options'
import { namesThisComputer } from './service'

describe('refuseRealEnvironment', () => {
  it.each([
    { DATABASE_URL: 'postgres://db.example/beak' },
    { REDIS_URL: 'redis://redis.example' },
    { SMTP_URL: 'smtp://mail.example' },
    { BEAK_SECRET: 'x'.repeat(32) },
    { NODE_ENV: 'production' },
    { BASE_URL: 'https://beak.example' },
    { BASE_URL: 'http://192.168.1.5:4010' },
    { BASE_URL: 'nothing' },
  ])('refuses %j', (env) => {
    expect(() => refuseRealEnvironment(env as NodeJS.ProcessEnv)).toThrow(DevFault)
  })

  it('accepts the environment of a developer', () => {
    const env = { NODE_ENV: 'test', HOST: 'laptop', PORT: '80', BASE_URL: 'http://localhost:3000' } as const
    expect(() => refuseRealEnvironment(env)).not.toThrow()
  })
})

describe('testEnvironment', () => {
  const own = { port: 4010, dataDir: '/tmp/beak-dev', isJson: true }

  // security: stranger-41
  it('takes nothing from the environment that leads elsewhere', () => {
    const hostile = {
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: '80',
      BASE_URL: 'https://beak.example',
      DATA_DIR: '/var/lib/beak',
      DATABASE_URL: 'postgres://db.example/beak',
      BEAK_ROLES: 'web',
    } as const
    expect(testEnvironment(hostile, own)).toEqual(testEnvironment({ NODE_ENV: 'test' }, own))
  })

  it('has no limits unless the environment names one', () => {
    const { limits, roles } = parseConfig(testEnvironment({ NODE_ENV: 'test', LIMIT_OTP: '5/5' }, own))
    expect(limits.otp).toEqual({ perMinute: 5, burst: 5 })
    for (const group of limitGroups) if (group !== 'otp') expect(limits[group].burst).toBe(1_000_000)
    expect([...roles]).toEqual(['api', 'worker'])
  })
})

describe('parseOptions', () => {
  it('reads port, folder and JSON', () => {
    expect(parseOptions(['--json', '--port', '0', '--data', '/x'])).toEqual({
      port: 0,
      data: '/x',
      isJson: true,
      isHelp: false,
    })
  })

  it.each([[['--port', 'x']], [['--port', '70000']], [['--host', '0.0.0.0']], [['more']]])(
    'refuses %j',
    (words) => {
      expect(() => parseOptions(words)).toThrow(DevFault)
    },
  )
})

describe('namesThisComputer', () => {
  it.each([
    ['localhost:4010', true],
    ['127.0.0.1:4010', true],
    ['[::1]:4010', true],
    ['localhost', true],
    ['evil.example', false],
    ['localhost.evil.example:4010', false],
    ['127.0.0.1.evil.example', false],
    ['127.0.0.1:4010@evil.example', false],
    ['', false],
  ])('for the host %j is %s', (host, expected) => {
    expect(namesThisComputer({ headers: { host } })).toBe(expected)
  })
})
