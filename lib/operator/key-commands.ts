/** Commands for the signing keys. */
import { z } from 'zod'
import { deleteOAuthKey, rotateOAuthKeys } from '@/lib/domain/oauth/keys'
import { listKeys, replaceSignatures } from '@/lib/domain/signing-keys/replace-signatures'
import { distrustKey, retireKey, rotateKeys, rotateLogKey } from '@/lib/infrastructure/keys/rotate'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Command, type PrintLine, UsageError, withoutArguments } from './command'

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform((text) => new Date(text))

/** Reads `<kid> --from <time>`, in any order. Not parseArgs: a kid may begin with a hyphen. */
function readDistrusted(args: string[]): { kid: string; from: Date } {
  const place = args.findIndex((arg) => arg === '--from' || arg.startsWith('--from='))
  const [option = '', value = ''] = place < 0 ? [] : args.slice(place)
  const isOneWord = option.startsWith('--from=')
  const [kid, ...others] = args.filter((_, n) => place < 0 || n < place || n > place + (isOneWord ? 0 : 1))
  if (!kid || others.length > 0) throw new UsageError('distrust-key needs one kid, as list-keys shows it.')
  const from = time.safeParse(isOneWord ? option.slice('--from='.length) : value)
  if (!from.success)
    throw new UsageError(
      'distrust-key needs --from <time>, the earliest time at which somebody else may have had the key, in ISO 8601 with a time zone, for example 2026-11-20T08:00:00Z.',
    )
  return { kid, from: from.data }
}

async function distrust(kid: string, from: Date, print: PrintLine): Promise<string> {
  if (await deleteOAuthKey(kid))
    return `${kid} was a key of ID tokens. Within a minute, no instance signs with it or publishes it.`
  const now = readClock()
  const outcome = await distrustKey(kid, from, now)
  const since = outcome.from.toISOString()
  if (outcome.isRepeated) print(`${kid} was distrusted before, since ${since}. Finishing the remaining work.`)
  else print(`${kid} is distrusted since ${since}. No instance accepts it from the next request on.`)
  if (outcome.newKid !== null) print(`The new key ${outcome.newKid} signs from now on.`)
  if (outcome.purpose === 'log')
    return 'It was a key of the transparency log. The log signs its next checkpoint with another key.'
  await replaceSignatures(kid, now, (name, done, total) => {
    const did = name === 'sessions' ? 'ended' : 'signed again'
    print(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${name} ${did}`)
  })
  return 'Done. Receipts and audit heads are signed with a trusted key when they are read again.'
}

export const keyCommands: readonly Command[] = [
  {
    name: 'list-keys',
    forms: [
      {
        args: '',
        summary:
          'Shows every signing key with its purpose, age and state, and the verifier key of a key of the log.',
      },
    ],
    details:
      'A key signs, will sign, is retired or is distrusted. The command changes nothing. It also works\nwhen the private keys cannot be decrypted.',
    withoutKeys: true,
    reads: true,
    parse: withoutArguments('list-keys', () => listKeys(readClock())),
  },
  {
    name: 'rotate-keys',
    forms: [{ args: '', summary: 'Makes a new signing key for tokens, which signs after two minutes.' }],
    details:
      'The key is published immediately. Signatures of older keys stay valid, and nobody is signed\nout. Run retire-key for the old key two minutes later.',
    parse: withoutArguments(
      'rotate-keys',
      async () =>
        `The new signing key is ${await rotateKeys(readClock())}. It is published now and signs in two minutes.\nThe new keys of ID tokens are ${(await rotateOAuthKeys(readClock())).join(' and ')}. They sign in two minutes too, and the old ones are deleted later.`,
    ),
  },
  {
    name: 'retire-key',
    forms: [
      {
        args: '<kid>',
        summary: 'Deletes the private half of an old signing key, whose signatures stay valid.',
      },
    ],
    details:
      '<kid> is the id of the key, as list-keys shows it. The public half stays published. The command\nrefuses the last key that can sign. For a stolen key use distrust-key.',
    parse: ([kid, ...others]) => {
      if (!kid || others.length > 0)
        throw new UsageError('retire-key needs one kid, as /.well-known/jwks.json shows it.')
      return async () => {
        await retireKey(kid, readClock())
        return `${kid} can no longer sign. Its public half stays published.`
      }
    },
  },
  {
    name: 'distrust-key',
    forms: [
      {
        args: '<kid> --from <time>',
        summary: 'Takes a stolen key out of use, ends its sessions and signs its certificates again.',
      },
    ],
    details:
      '<kid> is the id of the key, as list-keys shows it. <time> is the earliest time at which somebody\nelse may have had the key, in ISO 8601 with a time zone, for example 2026-11-20T08:00:00Z. From the\nnext request on, no instance accepts the key. When the command is interrupted, a running server\nfinishes the work. You can also run the command again.',
    parse: (args) => {
      const { kid, from } = readDistrusted(args)
      return (print) => distrust(kid, from, print)
    },
  },
  {
    name: 'rotate-log-key',
    forms: [{ args: '', summary: 'Makes a new key for the transparency log, which signs immediately.' }],
    details:
      'The old public keys stay published. Tell the operators of your witnesses the new verifier key,\nwhich list-keys shows.',
    parse: withoutArguments(
      'rotate-log-key',
      async () =>
        `The new key of the log is ${await rotateLogKey(readClock())}. It signs from now on; the old public keys stay published.`,
    ),
  },
]
