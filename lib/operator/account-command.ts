/** The command for accounts of people. */

import { open, rm } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { quotable } from '@beak/decision/quote'
import { z } from 'zod'
import { closeAccountByHost, previewClosing } from '@/lib/domain/accounts/close'
import { exportAccountByHost } from '@/lib/domain/accounts/export'
import { AccountExport } from '@/lib/domain/accounts/schema'
import { type FoundAccount, findAccount, resumeAccount, suspendAccount } from '@/lib/domain/accounts/suspend'
import { createByHost, newLinkSeconds, recoverByHost } from '@/lib/domain/identity/create-by-host'
import { fullName } from '@/lib/domain/identity/names'
import { endSessionsByHost } from '@/lib/domain/sessions/end'
import { type DucklingContext, hostContext, systemContext } from '@/lib/kernel/request/context'
import { Failure, type FailureName } from '@/lib/kernel/request/failures'
import { day, readClock } from '@/lib/kernel/runtime/clock'
import { operatorCommand } from '@/lib/kernel/service/release'
import { marked } from '@/lib/kernel/service/test-service'
import { email } from '@/lib/kernel/typed/email'
import { type Command, CommandRefused, type PrintLine, UsageError, type Work } from './command'

const usage = `See ${operatorCommand('help account')}.`

/** Returns the account that the words of a command name. Throws `CommandRefused`. */
async function find(who: string, now: Date): Promise<FoundAccount> {
  try {
    return await findAccount(systemContext(now), who)
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== 'duckling_not_found') throw error
    throw new CommandRefused(
      `No account is called ${who}. Name it by its address, its handle or its id, DUCK-….`,
    )
  }
}

/** Returns an open account and the context in which the host acts in it. Throws `CommandRefused`. */
async function findOpen(who: string): Promise<[FoundAccount, DucklingContext<FailureName>]> {
  const now = readClock()
  const account = await find(who, now)
  if (account.deletedAt !== null) throw new CommandRefused(`${account.id} is closed.`)
  return [account, hostContext(account, now)]
}

function stateOf({ deletedAt, suspendedAt, emailVerifiedAt }: FoundAccount): string {
  if (deletedAt !== null) return `closed at ${deletedAt.toISOString()}`
  if (suspendedAt !== null) return `suspended since ${suspendedAt.toISOString()}`
  return emailVerifiedAt === null ? 'open, address not proved' : 'open'
}

const time = (at: Date | null) => at?.toISOString() ?? '-'

async function show(who: string): Promise<string> {
  const account = await find(who, readClock())
  const facts = {
    id: account.id,
    handle: account.handle === null ? '-' : `@${account.handle}`,
    name: account.fullName ?? account.displayName,
    email: account.email ?? '-',
    state: stateOf(account),
    tier: account.trustTier,
    'signed up': time(account.createdAt),
    'address proved': time(account.emailVerifiedAt),
    'last seen': time(account.lastSeenAt),
    sessions: account.sessions,
    agents: account.agents,
    passkeys: account.passkeys,
  }
  return Object.entries(facts)
    .map(([name, fact]) => `${name.padEnd(15)} ${fact}`)
    .join('\n')
}

async function endAllSessions(who: string): Promise<string> {
  const [{ id }, context] = await findOpen(who)
  return `${await endSessionsByHost(context)} sessions of ${id} have ended. Whoever knows a code, a password or a passkey can sign in again.`
}

async function create(address: string, name: string | undefined): Promise<string> {
  const parsed = z
    .object({ email, fullName: fullName.optional() })
    .safeParse({ email: address, fullName: name })
  if (!parsed.success) {
    const [fault] = parsed.error.issues
    throw new CommandRefused(
      fault?.path[0] === 'email' ? `"${address}" is not an email address.` : `--name ${fault?.message}.`,
    )
  }
  const created = await createByHost({ ...parsed.data, fullName: parsed.data.fullName }, readClock())
  if (created === null)
    throw new CommandRefused(`${address} has an account already, or may take one back. See account recover.`)
  return `${created.link}\nThe link signs in to ${created.id} once, within ${newLinkSeconds / day} days. Give it to nobody but the person.`
}

async function recover(who: string): Promise<string> {
  const [{ id, suspendedAt }, context] = await findOpen(who)
  if (suspendedAt !== null) throw new CommandRefused(`${id} is suspended. Resume it first.`)
  const made = await recoverByHost(context)
  if (made === null)
    throw new CommandRefused(`A removal of passkeys waits in ${id}. Wait until it is over or cancelled.`)
  return [
    made.link,
    `The link signs in to ${id} once, from ${time(made.worksFrom)} until ${time(made.expiresAt)}, and removes all its passkeys then.`,
    'Its addresses, phone, webhooks and sessions are told now, and each of them can cancel it. Check that you know who asks you.',
  ].join('\n')
}

async function suspend(who: string, reason: string | null): Promise<string> {
  const [{ id }, context] = await findOpen(who)
  const sessions = await suspendAccount(context, reason)
  if (sessions === null) throw new CommandRefused(`${id} is suspended already.`)
  return `${id} is suspended: ${sessions === 1 ? 'one session has' : `${sessions} sessions have`} ended, and neither the person nor an agent gets in. account resume ${id} lets them in again.`
}

async function resume(who: string): Promise<string> {
  const [{ id }, context] = await findOpen(who)
  if (!(await resumeAccount(context))) throw new CommandRefused(`${id} is not suspended.`)
  return `${id} works again, with its agents and permissions. The person has to sign in.`
}

/** Writes a new file that only its owner can read. Throws `CommandRefused` for an existing one, before `read` is called. */
async function writeNew(path: string, read: () => Promise<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(
      error.code === 'EEXIST'
        ? `${path} exists. Name a new file.`
        : `${path} cannot be written (${error.code}).`,
    )
  })
  try {
    await file.writeFile(await read())
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function exportTo(who: string, path: string): Promise<string> {
  const [{ id }, context] = await findOpen(who)
  await writeNew(path, async () => {
    const data = AccountExport.parse(await exportAccountByHost(context))
    return JSON.stringify(marked(data))
  })
  return `${path} has everything that the service holds about ${id}. The audit log of the account says so.`
}

async function close(who: string, isConfirmed: boolean, print: PrintLine): Promise<string> {
  const [{ id, displayName }, context] = await findOpen(who)
  if (!isConfirmed) {
    const counts = Object.entries(await previewClosing(context)).map(([name, count]) => `${count} ${name}`)
    print(
      `Closing ${id} (${displayName}) would end ${counts.join(', ').replaceAll('_', ' ')}. This cannot be undone.`,
    )
    return 'Nothing was changed. Run the command again with --yes to do this.'
  }
  await closeAccountByHost(context)
  return `${id} is closed. Its personal data is deleted, and its address is free again.`
}

const forms = ['find', 'create', 'recover', 'suspend', 'resume', 'end-sessions', 'export', 'close'] as const
type Form = (typeof forms)[number]
const isForm = (word: string): word is Form => forms.some((form) => form === word)

/** The options of a form. */
const options: { [F in Form]?: ParseArgsConfig['options'] } = {
  create: { name: { type: 'string' } },
  suspend: { reason: { type: 'string' } },
  close: { yes: { type: 'boolean' } },
}

interface Words {
  who: string
  path: string
  reason: string | null
  name: string | undefined
  yes: boolean
}

const reasonMax = 200

function readWords(form: Form, args: string[]): Words {
  try {
    const { positionals, values } = parseArgs({ args, options: options[form] ?? {}, allowPositionals: true })
    const [who = '', path = '', ...others] = positionals
    if (who === '' || others.length > 0 || (path !== '') !== (form === 'export'))
      throw new Error(form === 'export' ? 'needs an account and a file.' : 'needs one account.')
    if (path !== '' && !isAbsolute(path))
      throw new Error('needs an absolute path, because the server may run in another folder.')
    const reason = typeof values.reason === 'string' ? quotable(values.reason).trim() : null
    if (reason !== null && (reason === '' || reason.length > reasonMax))
      throw new Error(`needs a reason of 1 to ${reasonMax} characters.`)
    const name = typeof values.name === 'string' ? values.name : undefined
    return { who, path, reason, name, yes: values.yes === true }
  } catch (error) {
    throw new UsageError(`account ${form}: ${(error as Error).message} ${usage}`)
  }
}

function parse([form = '', ...args]: string[]): Work {
  if (!isForm(form)) throw new UsageError(`account needs ${forms.join(', ')}. ${usage}`)
  const { who, path, reason, name, yes } = readWords(form, args)
  const work: Record<Form, Work> = {
    find: () => show(who),
    create: () => create(who, name),
    recover: () => recover(who),
    suspend: () => suspend(who, reason),
    resume: () => resume(who),
    'end-sessions': () => endAllSessions(who),
    export: () => exportTo(who, path),
    close: (print) => close(who, yes, print),
  }
  return work[form]
}

export const accountCommand: Command = {
  name: 'account',
  forms: [
    {
      args: 'find <who>',
      summary:
        'Shows an account: id, handle, name, address, state, tier, times, and how many sessions, agents and passkeys it has.',
    },
    {
      args: 'create <email> [--name <name>]',
      summary: 'Creates an account and prints a link that signs in to it once.',
    },
    {
      args: 'recover <who>',
      summary: 'Prints a sign-in link that works a day later, and tells everybody who can cancel it.',
    },
    {
      args: 'suspend <who> [--reason <text>]',
      summary: 'Stops an account and its agents until it is resumed, and deletes nothing.',
    },
    { args: 'resume <who>', summary: 'Lets a suspended account work again.' },
    { args: 'end-sessions <who>', summary: 'Signs a person out everywhere.' },
    {
      args: 'export <who> <file>',
      summary: 'Writes all data about an account to a new file, as the person’s own export does.',
    },
    {
      args: 'close <who> [--yes]',
      summary: 'Closes an account for good as its owner can, or shows without `--yes` what would end.',
    },
  ],
  details:
    '<who> is an address, a handle or an id, DUCK-…. What a command does in an account is an event in its\naudit log, by the host, and the person is told by mail: not of an export. No command shows a secret.\n<text> is at most 200 characters, and the person reads it in the mail and in the log.\n<file> is an absolute path. Only the user of the server can read the file.',
  reads: ['find'],
  parse,
}
