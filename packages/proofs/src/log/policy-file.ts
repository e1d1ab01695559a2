/**
 * Reads log policies (C2SP tlog-policy): which logs and witnesses somebody trusts, and which of the witnesses together are enough. The
 * format is line-based, so that people can write it and other programs can read it.
 */
import { bytesOfText } from '../bytes'
import type { LogQuorum } from './quorum'
import { parseVerifierKey, type SignatureType } from './verifier-key'

/** A log in a policy. */
export interface PolicyLog {
  /** Its verifier key. The name of the key is the origin of the log. */
  vkey: string
  url: string | null
}

/** A witness in a policy. */
export interface PolicyWitness {
  /** Its name in the policy file. The name of its key can be another. */
  name: string
  vkey: string
  url: string | null
}

/** What a log policy says. Made by `parseLogPolicy`. */
export interface LogPolicy {
  /** A checkpoint must be signed by one of them. */
  logs: readonly PolicyLog[]
  witnesses: readonly PolicyWitness[]
  /** Which witnesses must have cosigned. Null: none (`quorum none`). */
  quorum: LogQuorum | null
}

/** The specification asks for at least 32 logs, 32 witnesses and 32 groups. A note has at most 64 signatures. */
const definedMax = 64
const bytesMax = 64 * 1024

/** What the lines so far define. */
interface Draft {
  logs: PolicyLog[]
  witnesses: PolicyWitness[]
  groups: number
  /** Witnesses and groups by their names. */
  named: Map<string, LogQuorum>
  /** The names that are members of a group. */
  members: Set<string>
  /** Public keys of logs and of witnesses. */
  keys: Record<SignatureType, Set<string>>
  quorum: LogQuorum | null | undefined
}

/** A fault of one line. `parseLogPolicy` adds the number of the line. */
class LineFault extends Error {}

/** Returns the policy in a file. Throws `TypeError` with the line and what to do when the file is not a log policy that can be used. */
export function parseLogPolicy(text: string): LogPolicy {
  if (bytesOfText(text).length > bytesMax)
    throw new TypeError(`A log policy has at most ${bytesMax} bytes. Remove what you do not need.`)
  const draft: Draft = {
    logs: [],
    witnesses: [],
    groups: 0,
    named: new Map(),
    members: new Set(),
    keys: { ed25519: new Set(), cosignature: new Set() },
    quorum: undefined,
  }
  for (const [index, line] of text.split('\n').entries()) {
    try {
      readLine(line, draft)
    } catch (error) {
      throw error instanceof LineFault ? new TypeError(`Line ${index + 1}: ${error.message}`) : error
    }
  }
  const { logs, witnesses, quorum } = draft
  if (quorum === undefined)
    throw new TypeError('The log policy has no quorum. Add the line: quorum <name>, or: quorum none')
  return { logs, witnesses, quorum }
}

function readLine(line: string, draft: Draft): void {
  checkCharacters(line)
  // Other spaces are ordinary characters of names.
  const [keyword = '', ...items] = line.split(/[\t ]+/).filter((item) => item !== '')
  if (keyword === '' || keyword.startsWith('#')) return
  if (keyword === 'log') readLog(items, draft)
  else if (keyword === 'witness') readWitness(items, draft)
  else if (keyword === 'group') readGroup(items, draft)
  else if (keyword === 'quorum') readQuorum(items, draft)
  else throw new LineFault(`${shown(keyword)} is not known. Begin with log, witness, group, quorum or #.`)
}

function checkCharacters(line: string): void {
  if (line.endsWith('\r'))
    throw new LineFault('It ends with a carriage return. Save the file with line feeds only (as on Unix).')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the format forbids
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line))
    throw new LineFault('It has a control character. Remove all of them but tabs and line feeds.')
}

function readLog([vkey, url, ...rest]: string[], { logs, keys }: Draft): void {
  if (vkey === undefined || rest.length > 0) throw new LineFault('Write: log <vkey> [<url>]')
  addKey(vkey, 'ed25519', keys)
  logs.push({ vkey, url: url ?? null })
  checkCount(logs.length, 'logs')
}

function readWitness([name, vkey, url, ...rest]: string[], draft: Draft): void {
  if (name === undefined || vkey === undefined || rest.length > 0)
    throw new LineFault('Write: witness <name> <vkey> [<url>]')
  addKey(vkey, 'cosignature', draft.keys)
  define(name, { name, vkey }, draft)
  draft.witnesses.push({ name, vkey, url: url ?? null })
  checkCount(draft.witnesses.length, 'witnesses')
}

function readGroup([name, count, ...members]: string[], draft: Draft): void {
  if (name === undefined || count === undefined || members.length === 0)
    throw new LineFault('Write: group <name> <all, any or a number> <member>...')
  const found = members.map((member) => {
    const one = defined(member, draft)
    if (draft.members.has(member))
      throw new LineFault(`${shown(member)} is a member of a group already. Name each member only once.`)
    draft.members.add(member)
    return one
  })
  define(name, { name, threshold: thresholdOf(count, members.length), members: found }, draft)
  draft.groups++
  checkCount(draft.groups, 'groups')
}

function readQuorum([name, ...rest]: string[], draft: Draft): void {
  if (name === undefined || rest.length > 0) throw new LineFault('Write: quorum <name>, or: quorum none')
  if (draft.quorum !== undefined) throw new LineFault('This is the second quorum. Remove one of them.')
  draft.quorum = name === 'none' ? null : defined(name, draft)
}

function defined(name: string, { named }: Draft): LogQuorum {
  const found = named.get(name)
  if (found !== undefined) return found
  throw new LineFault(`No line above defines ${shown(name)}. Define the witness or the group first.`)
}

function define(name: string, what: LogQuorum, { named }: Draft): void {
  if (name === 'none') throw new LineFault('"none" has a meaning of its own. Choose another name.')
  if (named.has(name)) throw new LineFault(`${shown(name)} is defined already. Choose another name.`)
  named.set(name, what)
}

function thresholdOf(count: string, most: number): number {
  if (count === 'all') return most
  if (count === 'any') return 1
  const number = /^[1-9]\d{0,4}$/.test(count) ? Number(count) : 0
  if (number >= 1 && number <= most) return number
  throw new LineFault(
    `${shown(count)} of ${most} members is not possible. Write all, any or a number from 1 to ${most}.`,
  )
}

/** Checks a verifier key. Two names of one key would be two witnesses that one program controls, so a key can be used once. */
function addKey(vkey: string, type: SignatureType, keys: Draft['keys']): void {
  const what = type === 'ed25519' ? 'log' : 'witness'
  const key = parseVerifierKey(vkey)
  if (key?.type !== type)
    throw new LineFault(
      `${shown(vkey)} is not the Ed25519 verifier key of a ${what}. Copy the whole key, as in name+1a2b3c4d+AZ...`,
    )
  const bytes = key.publicKey.join()
  if (keys[type].has(bytes))
    throw new LineFault(`A ${what} above has the same public key. Name each key only once.`)
  keys[type].add(bytes)
}

function checkCount(count: number, what: string): void {
  if (count > definedMax)
    throw new LineFault(`A log policy has at most ${definedMax} ${what}. Remove those that you do not need.`)
}

/** Returns a text of the file for a message. */
function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text)
}
