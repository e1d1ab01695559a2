/**
 * The files for systemd and for containers. There is no container engine here: the Dockerfile is linted, and the configuration in the compose
 * files is parsed.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '@/lib/kernel/config'

interface Service {
  image?: string
  build?: object
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  depends_on?: string[] | Record<string, object>
  networks?: string[]
  read_only?: boolean
  cap_drop?: string[]
  ports?: string[]
}

interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>
  volumes: Record<string, null>
}

const files = ['deploy/compose.yaml', 'deploy/compose.production.yaml']
const variables: Record<string, string> = {
  BEAK_VERSION: '0.2.0',
  BEAK_HOST: 'beak.example',
  MAIL_FROM: 'beak@beak.example',
}

/** Replaces variables as Compose does: `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
const interpolate = (text: string) =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = variables[name] ?? (kind === '-' ? rest : undefined)
    if (value === undefined) throw new Error(`${name} has no value`)
    return value
  })

const read = (file: string): Compose => parse(interpolate(readFileSync(file, 'utf8')), { merge: true })

/** Writes the secrets as `make-secrets.sh` does, and the password of the mail server, which hosts write. Returns the folder. */
function makeSecrets(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-secrets-'))
  execFileSync('sh', ['deploy/make-secrets.sh', folder])
  writeFileSync(join(folder, 'smtp_url'), 'smtps://user:password@mail.example:465\n')
  return folder
}

const isOurs = ({ image = '' }: Service) => image.startsWith('beak:')

describe('Dockerfile', () => {
  const text = readFileSync('Dockerfile', 'utf8')

  it('has no fault and nothing deprecated', () => {
    expect(validate(text).map(({ message }) => message)).toEqual([])
  })

  it('runs as a user who is not root', () => {
    expect(text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
  })

  it('copies nothing but archives of releases, which .dockerignore admits alone', () => {
    const lines = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => /^[^#]/.test(line))
    expect(lines).toEqual(['*', '!build/release/beak-*.tar.gz', '!build/release/beak-*.tar.gz.sha256'])
    const copied = [...text.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, rest = '']) =>
      rest.split(' ').slice(0, -1),
    )
    expect(
      copied.filter((path) => !/^build\/release\/beak-\$\{VERSION\}\.tar\.gz(\.sha256)?$/.test(path)),
    ).toEqual([])
  })
})

describe.each(files)('%s', (file) => {
  const { services, secrets, networks, volumes } = read(file)
  const folder = makeSecrets()

  it.each(Object.entries(services).filter(([, service]) => isOurs(service)))(
    'gives the service %s a configuration without faults, and only secrets that it declares',
    (_, { environment = {}, secrets: given = [] }) => {
      const env = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.startsWith('/run/secrets/') ? join(folder, basename(value)) : value,
        ]),
      )
      const { baseUrl, databaseUrl } = parseConfig({ DATA_DIR: folder, NODE_ENV: 'production', ...env })
      expect(baseUrl).toMatch(/^https:\/\/beak\.example$|^http:\/\/localhost:3000$/)
      expect(databaseUrl === null).toBe(environment.DATABASE_URL_FILE === undefined)
      const named = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
      expect(named.map((path) => basename(path)).sort()).toEqual([...given].sort())
    },
  )

  it('trusts as proxies only the addresses of its own network', () => {
    const subnets = Object.values(networks).flatMap(({ ipam }) => ipam.config.map(({ subnet }) => subnet))
    for (const { environment } of Object.values(services))
      if (environment?.TRUSTED_PROXIES) expect([environment.TRUSTED_PROXIES]).toEqual(subnets)
  })

  it('opens ports of Caddy alone, and keeps the file system of Beak read-only and without capabilities', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.ports === undefined]).toEqual([name, name !== 'caddy'])
      if (isOurs(service)) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  it('names only services, secrets, networks, volumes and files that exist', () => {
    for (const service of Object.values(services)) {
      const needed = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {})
      expect(Object.keys(services)).toEqual(expect.arrayContaining(needed))
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(service.secrets ?? []))
      expect(Object.keys(networks)).toEqual(expect.arrayContaining(service.networks ?? []))
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        // Docker makes a folder that is missing. Where it should find a file, it would make a folder too.
        if (/\.\w+$|file$/.test(source)) expect(statSync(join('deploy', source)).isFile()).toBe(true)
        else if (!source.startsWith('./')) expect(volumes).toHaveProperty(source)
      }
    }
    for (const { file: path } of Object.values(secrets))
      expect(statSync(join(folder, basename(path))).isFile()).toBe(true)
  })
})

describe('deploy/systemd', () => {
  const unit = (name: string) => readFileSync(join('deploy', 'systemd', name), 'utf8')
  const valuesOf = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  it('lets the service write to the folder of the backups, because a running service writes them itself', () => {
    const [path = ''] = /\/var\/lib\/[\w-]+(?=\/beak-)/.exec(unit('beak-backup.service')) ?? []
    expect(valuesOf(unit('beak.service'), 'ProtectSystem')).toEqual(['strict'])
    const folders = valuesOf(unit('beak.service'), 'StateDirectory').flatMap((value) => value.split(' '))
    expect(folders).toContain(basename(path))
  })

  it('runs the programs of a release, with the variables of one file', () => {
    const text = ['beak.service', 'beak-backup.service'].map(unit).join('\n')
    expect(text).not.toMatch(/^Environment|npm|node /m)
    expect(text.match(/\/opt\/beak\/beak (start|operator)/g)).toHaveLength(2)
    expect(readFileSync('scripts/release/files/beak.mjs', 'utf8')).toContain("'/etc/beak/beak.env'")
  })
})

describe('make-secrets.sh', () => {
  it('keeps secrets that are there, and makes others that nobody can guess', () => {
    const folder = makeSecrets()
    const contents = () =>
      ['beak_secret', 'owner_password', 'database_url'].map((name) =>
        readFileSync(join(folder, name), 'utf8'),
      )
    const before = contents()
    expect(before[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(execFileSync('sh', ['deploy/make-secrets.sh', folder], { encoding: 'utf8' })).toBe('')
    expect(contents()).toEqual(before)
    expect(readFileSync(join(makeSecrets(), 'beak_secret'), 'utf8')).not.toBe(before[0])
  })

  it('makes a folder that only its owner can enter', () => {
    const folder = join(makeSecrets(), 'inner')
    execFileSync('sh', ['deploy/make-secrets.sh', folder])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})
