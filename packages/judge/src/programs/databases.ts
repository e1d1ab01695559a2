/** Clients of databases. */

import { dangerousCommand } from '@beak/decision/risk/commands'
import { isHarmlessQuery } from '@beak/decision/risk/harmless-commands'
import { checkRead, checkWrite } from '../files'
import { areaOf } from '../paths'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, type Word } from '../shell/words'
import { checkModelCode } from './code'
import { hostOf, isLocal } from './network'
import { type Rule, rulesFor } from './rule'

const destroying =
  /\b(?:drop|delete|truncate|flushall|flushdb|dropdatabase|deletemany|remove|alter|grant|revoke|shutdown|unlink|del)\b/i

/** A statement of MongoDB that only reads. */
const isMongoReading = (text: string) =>
  /^\s*db\.[\w.()'"]*\.(?:find|findOne|count\w*|estimatedDocumentCount|distinct|getIndexes|stats)\([^;\n]*\)[\w.()]*\s*;?\s*$/.test(
    text,
  ) &&
  !/\$(?:out|merge|where|function)\b|\bdb\b.*\bdb\b|=>|`|\b(?:function|process|require|load|eval|run\w*)\b|\.(?:forEach|map|remove|drop|delete|update|insert)\w*\(/.test(
    text,
  )

/** Asks about a statement that changes something, and about every statement for a database on another computer. */
function checkStatement(line: Line, scope: Scope, text: string | null, host: string | null): void {
  if (text !== null && /\\!|\\(?:copy|o|w|i|g)\b.*[|/]|\bcopy\b.*\bprogram\b|\bsystem\s|\\o\s/is.test(text))
    line.ask('runs_inside', scope, { level: 'high' })
  const isHere = host === null || isLocal(host) || host.startsWith('/')
  const params = host === null ? {} : { host }
  if (text !== null && isHere && (isHarmlessStatements(text) || isMongoReading(text))) return
  const isDestroying = text !== null && (destroying.test(text) || dangerousCommand(text) !== null)
  const rule = isDestroying ? 'database_destroys' : isHere ? 'database_changes' : 'database_remote'
  line.ask(rule, scope, {
    level: isDestroying || !isHere ? 'high' : 'medium',
    action: 'run:statement',
    params,
    values: { host: host ?? 'this computer' },
  })
}

/** Commands of the clients that only show: `\dt`, `.tables`. */
const showing =
  /^(?:\\(?:d\w*\+?|l\+?|conninfo|timing|x|pset.*|echo.*|q)(?:\s+[\w.*"]+)?|\.(?:tables|schema|headers?|mode|indexes|databases|dbinfo|width|quit|exit|timer)(?:\s+[\w.*]+)*|pragma\s+(?:table_info|index_list|foreign_key_list|table_list|user_version|database_list|integrity_check)(?:\([\w"']*\))?)$/i

const isHarmlessStatements = (text: string) =>
  text
    .split(/;|\n(?=[\\.])/)
    .map((one) => one.trim())
    .every((one) => one === '' || showing.test(one) || isHarmlessQuery(one.replace(/\s+/g, ' ')))

const client =
  (
    withValue: string,
    statement: string[],
    hostOptions: string[],
    fileOptions: string[],
    userOf: (rest: readonly Word[]) => string | null,
  ): Rule =>
  ({ line, scope, args }) => {
    const { given, rest, has } = readOptions(args, withValue)
    if (has('--version', '-V', '--help') || (has('-l', '--list') && given.size === 1)) return
    const host =
      hostOptions.map((name) => given.get(name)?.text).find((text) => text !== undefined) ?? userOf(rest)
    const file = fileOptions.map((name) => given.get(name)).find((word) => word !== undefined)
    const words = statement.map((name) => given.get(name)).filter((word) => word !== undefined)
    if (file !== undefined) {
      checkRead(line, file, scope)
      return checkStatement(line, scope, null, host)
    }
    if (words.length > 0)
      return checkStatement(
        line,
        scope,
        words.every(isKnown) ? words.map(({ text }) => text).join(';') : null,
        host,
      )
    const { input } = scope
    if (input.kind === 'none' && (host === null || isLocal(host)))
      return checkStatement(line, scope, null, host)
    checkStatement(line, scope, input.kind === 'text' ? input.text : null, host)
  }

/** The host of an address such as `postgres://user@host/name` among the words. */
const addressIn = (rest: readonly Word[]): string | null => {
  const word = rest.find(({ text }) => /:\/\/|\bhost=/.test(text))
  if (word === undefined) return rest.every(isKnown) ? null : 'a computer that is not named'
  return /\bhost=(\S+)/.exec(word.text)?.[1] ?? hostOf(word.text) ?? 'a computer that is not named'
}

const sqlite: Rule = ({ line, scope, args }) => {
  const { given, rest, has } = readOptions(args, '-cmd -separator -init -nullvalue -newline -c -s')
  const [file, ...others] = rest
  const option = given.get('-c') ?? given.get('-s') ?? given.get('-cmd')
  const statements = option === undefined ? others : [...others, option]
  if (has('-version', '--version')) return
  if (file !== undefined && file.text !== ':memory:') checkRead(line, file, scope)
  const { input } = scope
  const text =
    statements.length > 0
      ? statements.every(isKnown)
        ? statements.map((word) => word.text).join(';')
        : null
      : input.kind === 'text'
        ? input.text
        : null
  if (
    file?.text === ':memory:' &&
    text !== null &&
    !/\.(?:shell|system|read|load|output|once|import|open)|load_extension|attach/i.test(text)
  )
    return
  if (text !== null && /\.(?:shell|system|load)\b|load_extension|writefile|edit\(/i.test(text))
    line.ask('runs_inside', scope, { level: 'high' })
  const path = file === undefined ? null : line.path(file, scope)
  const isOwn =
    file === undefined || (path !== null && /^(?:folder|temporary)$/.test(areaOf(path, line.place)))
  // A database of the folder is a file of it: adding to it is an edit.
  if (
    isOwn &&
    text !== null &&
    !destroying.test(text) &&
    !/\bupdate\b(?!.*\bwhere\b)|\.(?:restore|open|once|output)\b/is.test(text)
  )
    return
  checkStatement(line, scope, text, null)
}

export const databases: [string, Rule][] = [
  ...rulesFor(
    'psql pgcli cockroach',
    client(
      '-c --command -h --host -p --port -U --username -d --dbname -f --file -v -o --output -P -F',
      ['-c', '--command'],
      ['-h', '--host'],
      ['-f', '--file'],
      addressIn,
    ),
  ),
  ...rulesFor(
    'mysql mariadb mycli',
    client(
      '-e --execute -h --host -P --port -u --user -D --database',
      ['-e', '--execute'],
      ['-h', '--host'],
      [],
      addressIn,
    ),
  ),
  ...rulesFor(
    'mongosh mongo',
    client(
      '--eval --host --port -u -p --username --password -f --file',
      ['--eval'],
      ['--host'],
      ['-f', '--file'],
      addressIn,
    ),
  ),
  ...rulesFor(
    'sqlcmd osql snowsql bq clickhouse-client clickhouse duckdb_ cqlsh cypher-shell influx trino presto',
    client(
      '-q -Q -S -h --host --query -e -d -i -f',
      ['-q', '-Q', '--query', '-e'],
      ['-S', '-h', '--host'],
      ['-i', '-f'],
      addressIn,
    ),
  ),
  ...rulesFor('sqlite3 sqlite duckdb', sqlite),
  ...rulesFor('redis-cli valkey-cli', ({ line, scope, args }) => {
    const { given, rest } = readOptions(args, '-h -p -n -a -u --user --pass -s')
    const host = given.get('-h')?.text ?? (given.has('-u') ? hostOf(given.get('-u')?.text ?? '') : null)
    const isReading =
      /^(?:get|mget|keys|scan|info|ping|ttl|pttl|type|exists|llen|lrange|hget|hgetall|hkeys|smembers|scard|zrange|zcard|dbsize|memory|strlen|client|slowlog|monitor|object|echo|time)$/i.test(
        rest[0]?.text ?? 'x',
      )
    checkStatement(line, scope, isReading ? '' : rest.map(({ text }) => text).join(' '), host)
  }),
  ...rulesFor('pg_dump pg_dumpall mysqldump mongodump pg_basebackup', ({ line, scope, args }) => {
    const { given, rest } = readOptions(args, '-h --host -f --file -U -p -d --dbname -o --out -n -t -F')
    const host = given.get('-h')?.text ?? given.get('--host')?.text ?? addressIn(rest)
    const file = given.get('-f') ?? given.get('--file') ?? given.get('-o') ?? given.get('--out')
    if (file !== undefined) checkWrite(line, file, scope)
    if (host !== null && !isLocal(host))
      line.ask('database_remote', scope, {
        level: 'high',
        action: 'run:statement',
        params: { host },
        values: { host },
      })
  }),
  ...rulesFor(
    'dropdb dropuser mongorestore pg_restore mysqladmin createuser pg_ctl initdb',
    ({ line, scope, args }) => {
      if (!args.some(({ text }) => /^(?:--version|status|ping)$/.test(text)))
        line.ask('database_destroys', scope, {
          level: 'high',
          action: 'run:statement',
          values: { host: 'this computer' },
        })
    },
  ),
  ...rulesFor('createdb pg_isready', () => {}),
  ...rulesFor(
    'prisma drizzle-kit knex sequelize sequelize-cli typeorm alembic flyway liquibase dbmate goose migrate sqlx diesel rails rake atlas mikro-orm supabase_',
    ({ line, scope, args, name }) => {
      const texts = readOptions(args, '--schema --config -c -x --dir --url --database -d').rest.map(
        ({ text }) => text,
      )
      const joined = texts.join(' ')
      if (/^r(?:unner)?$/.test(texts[0] ?? '')) return checkModelCode(line, texts.slice(1).join(' '), scope)
      const isDestroying =
        /\b(?:reset|drop|downgrade|down|clean|undo|revert|rollback|purge|truncate|destroy|redo|db:setup|schema:load)\b|fresh|:drop|:undo|dropAll/i.test(
          joined,
        ) || args.some(({ text }) => /^--(?:force-reset|accept-data-loss|force)$/.test(text))
      const isDeploying =
        /\b(?:deploy|push|execute|repair|force)\b/.test(joined) || /production/i.test(joined)
      const address = args.find(({ text }) => /:\/\//.test(text))
      if (isDestroying)
        return line.ask('database_destroys', scope, {
          level: 'high',
          action: 'run:statement',
          values: { host: 'the database' },
        })
      if (isDeploying || (address !== undefined && !isLocal(hostOf(address.text.replace(/^-+[\w-]+=/, '')))))
        return line.ask('database_changes', scope, {
          level: 'medium',
          action: 'run:statement',
          values: { host: `${name} ${joined}` },
        })
      line.build(scope)
    },
  ),
]
