/** A shop, or an owner, that uses the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '@/lab/bench/cleanup'
import { runHere } from '@/packages/client/test/beak-process'
import type { Offer } from '../people/terms'
import type { World } from '../people/world'
import type { Column } from './columns'
import { policyOf } from './typescript'

let folder: string | null = null
let files = 0

/** Writes a file that the command line reads. Returns its path. */
export function fileOf(content: unknown): string {
  if (folder === null) {
    const made = mkdtempSync(join(tmpdir(), 'beak-liar-'))
    atEnd(() => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  const path = join(folder, `${files++}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Runs the command line of the client. Returns true for 0 and false for 4 (not valid). Throws for another exit code. */
export async function beak(...args: string[]): Promise<boolean> {
  const { code, stdout, stderr } = await runHere(args, process.env)
  if (code === 0 || code === 4) return code === 0
  throw new Error(`beak ${args.slice(0, 2).join(' ')} ended with ${code}:\n${stdout}${stderr}`)
}

/** Joined with `=`, because a challenge or a key may begin with a hyphen. */
const each = (name: string, values: readonly string[] = []) => values.map((value) => `${name}=${value}`)

/** Whether `beak receipt verify` accepts a receipt. Without a requirement, no receipt is accepted. */
export function acceptsReceipt(
  world: World,
  column: Column | null,
  { terms, answer }: Offer,
): Promise<boolean> {
  const { jwks } = world.host
  const args = ['receipt', 'verify', fileOf(answer.receipt), '--jwks', fileOf(jwks)]
  if (column === null) return beak(...args)
  const policy = policyOf(world, column, terms)
  const { require, action, params, audience, target, challenge, approver, pins, vkeys, witnesses } = policy
  const texts = Object.entries({
    require,
    'expect-action': action,
    audience,
    target,
    challenge,
    approver,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  return beak(
    ...args,
    ...texts,
    '--params',
    fileOf(params),
    ...each(
      '--pin',
      (pins ?? []).map(({ credential_id, public_key }) => `${credential_id}:${public_key}`),
    ),
    ...each('--vkey', vkeys),
    ...each('--witness', witnesses),
    ...(policy.logged ? ['--logged'] : []),
    ...(policy.rules === 'accept' ? ['--accept-rules'] : []),
  )
}
