/** `beak audit verify` as a process, on files and logs that tests make. `cli.test.ts` runs it against a service. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type EntryKind, encodeEntry } from '@beak/proofs/log/entry'
import { beforeAll, describe, expect, it } from 'vitest'
import { cosignNote } from '@/lib/domain/tlog/sign-note'
import { type ALog, aLog, aProof, chainHeadEntry } from '@/lib/fixtures/logs'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import {
  type Any,
  anAuditLog,
  type Exported,
  flip,
  headAnswer,
  rewrittenAndSigned,
} from '@/packages/proofs/test/audit-files'
import { aTerminal } from './beak-process'

let id = ''
let sound: Exported
let page: Any
/** The keys of the service, as a file. */
let jwks = ''
const copy = () => structuredClone(sound)
const third = () => sound.audit.events[2]

const folder = mkdtempSync(join(tmpdir(), 'beak-audit-'))
const write = (name: string, content: unknown): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path, isRaw ? content : JSON.stringify(content))
  return path
}
/** Runs the check without a file. */
const runAlone = async (...args: string[]) => {
  const { code, stdout, stderr } = await aTerminal().run(['audit', 'verify', ...args])
  return { code, output: stdout + stderr, stdout }
}
/** Checks a file with the keys of the service. */
const run = (file: unknown, ...args: string[]) =>
  runAlone(write('export.json', file), '--jwks', jwks, ...args)

/** The usual comparison for files without a proof from the transparency log. */
let kept: string[] = []

beforeAll(async () => {
  ;({ id, sound, page } = await anAuditLog())
  jwks = write('jwks.json', sound.audit.jwks)
  kept = ['--head', write('kept.json', headAnswer(sound.audit.events[0]))]
})

describe('beak audit verify', () => {
  it('prints the number of events, the head and where the keys came from, and exits with 0', async () => {
    const { code, output } = await run(sound, ...kept)
    expect(code).toBe(0)
    const last = sound.audit.events.at(-1)
    expect(output).toContain(`${last.seq} events of ${id}: every hash and every link is correct.`)
    expect(output).toContain(`event ${last.seq}, hash ${last.hash}`)
    expect(output).toContain('You gave the keys of the service.')
    const alone = await runAlone(write('export.json', sound), '--offline', ...kept)
    expect(alone).toMatchObject({ code: 0, output: expect.stringContaining('came from the file itself') })
  })

  it('prints the fault and its event, and exits with 4', async () => {
    const file = copy()
    const event = file.audit.events[2]
    event.outcome = flip(event.outcome)
    const { code, output, stdout } = await run(file)
    expect([code, stdout]).toEqual([4, ''])
    expect(output).toContain(`Event 3 (${event.event_id})`)
    const untrusted = await runAlone(write('export.json', sound), '--jwks', write('none.json', { keys: [] }))
    expect(untrusted).toMatchObject({ code: 4, output: expect.stringContaining('not signed by the service') })
  })

  it('prints every fact as JSON', async () => {
    const last = sound.audit.events.at(-1)
    const { stdout } = await run(sound, '--head', write('head.json', headAnswer(third())), '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      events: last.seq,
      duckling_id: id,
      head: { seq: last.seq, hash: last.hash },
      is_part: false,
      key_source: 'given',
      kept_heads: [join(folder, 'head.json')],
      messages: [],
      log: null,
    })
  })

  it('requires the owner that was named', async () => {
    expect((await run(sound, ...kept, '--duckling', id)).code).toBe(0)
    expect((await run(sound, '--duckling', 'DUCK-01JD0000000000000000000000')).code).toBe(4)
  })

  // security: rewrite-5
  it('refuses a page of a log, unless it has the event of a kept head', async () => {
    const file = { items: page.items }
    expect(await run(file)).toMatchObject({ code: 4, output: expect.stringContaining('not signed') })
    const kept = (event: Any) => ['--head', write('head.json', headAnswer(event))]
    expect(await run(file, ...kept(third()))).toMatchObject({
      code: 0,
      output: expect.stringContaining('a part of a log without a signed end'),
    })
    expect((await run({ items: page.items.slice(0, 2) }, ...kept(third()))).code).toBe(4)
    const rewrittenItems = (await rewrittenAndSigned(sound)).audit.events
    expect((await run({ items: rewrittenItems }, ...kept(third()))).code).toBe(4)
  })

  // security: rewrite-5
  it('exits with 2 for files and options that it cannot use, and with 5 for a service that does not answer', async () => {
    const file = write('export.json', sound)
    for (const args of [
      [],
      ['--head', 'x', '--log', 'y'],
      ['--jwks', jwks, '--log', 'y'],
      [join(folder, 'missing.json'), '--offline'],
      [write('broken.json', '{'), '--offline'],
      [file, '--jwks', write('no-keys.json', {})],
      [file, '--jwks', jwks, '--offline'],
      [file, '--offline', '--checkpoint', write('note.txt', 'x')],
      [file, '--jwks', jwks, '--quorum', '1'],
      [file],
    ])
      expect([args, (await runAlone(...args)).code]).toEqual([args, 2])
    expect((await runAlone(file, '--url', 'http://localhost:9')).code).toBe(5)
    expect((await runAlone(file, '--jwks', 'http://localhost:9/jwks.json')).code).toBe(5)
  })

  describe('with a transparency log', () => {
    const origin = 'localhost:3000/.well-known/tlog'
    const signer = aNoteSigner(origin, 1)
    const others = Array.from({ length: 300 }, (_, index) =>
      chainHeadEntry('DUCK-2', index + 1, 'a'.repeat(64)),
    )
    const kinds: Record<string, EntryKind> = {
      'peck.approved': 'decided',
      'peck.rejected': 'decided',
      'peck.consumed': 'used',
      'passkey.registered': 'passkey_enrolled',
      'passkey.removed': 'passkey_removed',
    }
    /** The entries that the events name, from entry 4 on. */
    const ownEntries = () =>
      sound.audit.events
        .filter(({ metadata }: Any) => metadata.log_digest !== undefined)
        .map(({ action, metadata }: Any, place: number) => ({
          index: 4 + place,
          kind: kinds[action] ?? 'revoked',
          digest: metadata.log_digest,
          passkey_id: null,
          subject_id: null,
        }))
    /** The log at several sizes. Its entry 3 is the third event. */
    const logWith = ({ seq, hash }: Any, size: number) => {
      const own = ownEntries().map(({ kind, digest }: Any) => encodeEntry(kind, digest))
      const entries = [...others.slice(0, 3), chainHeadEntry(id, seq, hash), ...own, ...others.slice(3)]
      return aLog(entries.slice(0, size), signer)
    }
    const publish = (name: string, { files }: ALog): string => {
      for (const [path, bytes] of files) write(join(name, path), bytes)
      return join(folder, name)
    }
    const proofOf = async (event: Any, size: number) => {
      const about = { duckling_id: id, seq: event.seq, hash: event.hash }
      const proof = await aProof(await logWith(event, size), signer, 3, about)
      return {
        ...proof,
        heads: [{ index: 3, seq: event.seq, digest: proof.entry.digest }],
        own_entries: ownEntries().filter(({ index }: Any) => index < size),
      }
    }

    it('accepts a log that has grown, and says which keys it used', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const kept = [
        write('proof.json', await proofOf(third(), 4)),
        write('note.txt', (await logWith(third(), 9)).checkpoint),
      ]
      const exported = { audit: { ...sound.audit, log: await proofOf(third(), 280) } }
      const args = ['--log', log, ...kept.flatMap((path) => ['--checkpoint', path])]
      const { code, output } = await run(exported, ...args, '--head', write('head.json', headAnswer(third())))
      expect(output).toContain(`The transparency log ${origin} has 300 entries`)
      expect(output).toContain(`${kept[0]}: the log still begins with the 4 entries of this checkpoint.`)
      expect(output).toContain('The export: entry 3 of the log is event 3.')
      expect(output).toContain('head.json: the log still contains the event of this head.')
      expect(output).toContain('The keys of the log came from the files.')
      expect(code).toBe(0)
      const alone = await runAlone(...args, '--vkey', signer.vkey)
      expect(alone).toMatchObject({
        code: 0,
        output: expect.stringContaining('You gave the keys of the log.'),
      })
    })

    // security: rewrite-1
    it('finds a chain that was rewritten and signed again, with a saved head and with a saved proof', async () => {
      const kept = write('proof.json', await proofOf(third(), 4))
      const log = publish('still', await logWith(third(), 300))
      const rewritten = await rewrittenAndSigned(sound)
      expect(
        (await run(rewritten, '--head', write('first.json', headAnswer(rewritten.audit.events[0])))).code,
      ).toBe(0)
      const byProof = await run(rewritten, '--checkpoint', kept, '--log', log)
      expect(byProof.code).toBe(4)
      expect(byProof.output).toContain(
        'event 3 had another hash when it was entered in the transparency log (entry 3)',
      )
      const byHead = await run(rewritten, '--head', write('head.json', headAnswer(third())))
      expect(byHead).toMatchObject({ code: 4, output: expect.stringContaining('the log was rewritten') })
    })

    it('finds a transparency log that was rewritten with the chain and signed again', async () => {
      const rewritten = await rewrittenAndSigned(sound)
      const event = rewritten.audit.events[2]
      const log = publish('forged', await logWith(event, 300))
      const exported = { audit: { ...rewritten.audit, log: await proofOf(event, 300) } }
      expect((await run(exported, '--log', log)).code).toBe(0)
      const kept = write('proof.json', await proofOf(third(), 4))
      const { code, output } = await run(exported, '--log', log, '--checkpoint', kept)
      expect(code).toBe(4)
      expect(output).toContain('the first 4 entries have another root now. The log was rewritten')
      expect(output).toContain('the log has something else at entry 3 now, which stood for event 3')
    })

    it('verifies the proof of an export also without the log', async () => {
      const log = await proofOf(third(), 280)
      expect(await run({ audit: { ...sound.audit, log } })).toMatchObject({
        code: 0,
        output: expect.stringContaining('The export: entry 3 of the log is event 3.'),
      })
      const { code, output } = await run({ audit: { ...sound.audit, log: { ...log, inclusion: [] } } })
      expect(code).toBe(4)
      expect(output).toContain('the proof does not show that entry 3 is in the checkpoint of 280 entries')
    })

    // security: rewrite-3
    it('rejects an export that hides its entries from the comparison', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const { heads: _, ...proof } = await proofOf(third(), 280)
      const args = ['--log', log, '--vkey', signer.vkey]
      for (const hiding of [sound, { audit: { ...sound.audit, log: proof } }]) {
        const { code, output } = await run(hiding, ...args)
        expect(code).toBe(4)
        expect(output).toContain('The export does not list its entries of the log (audit.log.heads)')
      }
      // Without reading the log as well.
      expect(await run({ audit: { ...sound.audit, log: proof } })).toMatchObject({ code: 4, stdout: '' })
      const kept = write('head.json', headAnswer(third()))
      expect(await run({ items: page.items }, '--head', kept, ...args)).toMatchObject({ code: 0 })
    })

    it('rejects an export whose entry is missing, and says when there is no proof', async () => {
      const log = { ...(await proofOf(third(), 280)), entry: null, inclusion: null, heads: [] }
      const signedLater = { ...log, signed_at: new Date(Date.now() + 3_600_000).toISOString() }
      const { code, output } = await run({ audit: { ...sound.audit, log: signedLater } })
      expect(code).toBe(4)
      expect(output).toContain('Event 1 is older than The export, but none of its 280 entries covers')
      const unproven = await run(sound)
      expect(unproven).toMatchObject({ code: 4, stdout: '' })
      expect(unproven.output).toContain('The export has no proof from the transparency log')
    })

    // security: rewrite-3
    it('compares with the events and the head of an older export', async () => {
      const older = write('older.json', { audit: { ...sound.audit, log: await proofOf(third(), 280) } })
      const rewritten = await rewrittenAndSigned(sound)
      // The host hides the old head, and logs the new end honestly.
      const last = rewritten.audit.events.at(-1)
      const log = publish('hiding', await logWith(third(), 300))
      const proof = { ...(await proofOf(third(), 280)), entry: null, inclusion: null, heads: [] }
      const hiding = { audit: { ...rewritten.audit, log: proof } }
      const args = ['--log', log, '--vkey', signer.vkey]
      expect((await run(hiding, ...args)).code).toBe(0)
      const { code, output } = await run(hiding, ...args, '--checkpoint', older)
      expect([code, last.seq]).toEqual([4, sound.audit.events.length])
      expect(output).toMatch(/older\.json says that event \d+ has the hash .* the log was rewritten/)
    })

    it('requires the cosignatures of the named witnesses', async () => {
      const witness = aNoteSigner('w.example/witness', 3, 'cosignature')
      const log = publish('honest', await logWith(third(), 300))
      const { code, output } = await runAlone('--log', log, '--witness', witness.vkey)
      expect(code).toBe(4)
      expect(output).toContain('0 of 1 required cosignatures; it has no valid one of w.example/witness')
      const wrong = await runAlone('--log', log, '--witness', witness.vkey, '--quorum', '2')
      expect(wrong).toMatchObject({
        code: 2,
        output: expect.stringContaining('--quorum must be a number from 1 to 1'),
      })
    })

    it('reads a log over HTTP, obeys Retry-After, and follows no redirect', async () => {
      const { files, readFile } = await logWith(third(), 300)
      let isBusy = true
      const server = createServer(async ({ url = '' }, response) => {
        const path = url.slice('/tlog/'.length)
        const answer = (status: number, headers = {}) => response.writeHead(status, headers).end()
        if (path.startsWith('moved/'))
          return answer(302, { Location: `/tlog/${path.slice('moved/'.length)}` })
        if (path.startsWith('large/')) return response.end(Buffer.alloc(140_000))
        if (path === 'checkpoint' && isBusy) {
          isBusy = false
          return answer(429, { 'Retry-After': '0' })
        }
        const bytes = await readFile(path)
        return bytes ? response.end(bytes) : answer(404)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tlog`
      expect(await runAlone('--log', `${base}/`)).toMatchObject({ code: 0 })
      expect(isBusy).toBe(false)
      const outputOf = async (place: string) => (await runAlone('--log', place, '--vkey', signer.vkey)).output
      expect(await outputOf(`${base}/moved`)).toContain('/tlog/moved/checkpoint answered 302')
      expect(await outputOf(`${base}/large`)).toContain(
        '/tlog/large/checkpoint answered with more than 131072 bytes',
      )
      files.delete('tile/0/000')
      expect(await outputOf(base)).toContain('The log has no tile/0/000, although')
      server.close()
      // In a process of its own, which has no connection from before.
      const { stderr } = await aTerminal().start(['audit', 'verify', '--log', base, '--vkey', signer.vkey])
        .ended
      expect(stderr).toMatch(/\/tlog\/checkpoint cannot be read: .*ECONNREFUSED/)
    })

    it('exits with 5 when the log does not answer, and with 4 when the file has a fault besides', async () => {
      const file = copy()
      file.audit.events[2].outcome = 'changed'
      const nowhere = ['--log', 'http://localhost:9', '--vkey', signer.vkey]
      expect((await run(sound, ...nowhere)).code).toBe(5)
      expect((await run(file, ...nowhere)).code).toBe(4)
      expect((await run({ audit: { ...sound.audit, head: 'x' } }, '--vkey', signer.vkey)).code).toBe(4)
    })

    // security: rewrite-5
    it('lets no quorum of none pass for a witness', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const { vkey } = aNoteSigner('w.example/witness', 3, 'cosignature')
      for (const quorum of ['0', '-1', '0.5', 'x', ''])
        expect((await runAlone('--log', log, '--witness', vkey, '--quorum', quorum)).code).toBe(2)
    })

    it('requires that the log has the name of the log in the export, whatever its address is', async () => {
      const other = aNoteSigner('other.example/.well-known/tlog', 1)
      const log = publish('other', await aLog(others.slice(0, 3), other))
      const exported = { audit: { ...sound.audit, log: await proofOf(third(), 280) } }
      const { code, output } = await run(exported, '--log', log, '--vkey', other.vkey, '--vkey', signer.vkey)
      expect(code).toBe(4)
      expect(output).toContain(`The log calls itself other.example/.well-known/tlog, not ${origin}.`)
      const alone = await runAlone('--log', log, '--vkey', other.vkey)
      expect(alone).toMatchObject({
        code: 0,
        output: expect.stringContaining('The transparency log other.example/.well-known/tlog has 3 entries'),
      })
    })

    it('takes the keys, the witnesses and the quorum from a log policy', async () => {
      const witness = aNoteSigner('w.example/witness', 3, 'cosignature')
      const strange = aNoteSigner('v.example/witness', 4, 'cosignature')
      const entries = others.slice(0, 9)
      const cosign = (text: string) => cosignNote(text, witness.key, witness.privateKey, 1_790_000_000)
      const log = publish('cosigned', await aLog(entries, signer, cosign))
      const policyWith = (name: string, quorum: string) =>
        write(name, `log ${signer.vkey}\nwitness w ${witness.vkey}\nwitness v ${strange.vkey}\n${quorum}\n`)
      const one = policyWith('one.policy', 'group one any w v\nquorum one')
      const accepted = await runAlone('--log', log, '--policy', one)
      expect(accepted).toMatchObject({ code: 0, output: expect.stringContaining('Cosigned by w.example') })
      expect(accepted.output).toContain('You gave the keys of the log.')
      const both = policyWith('both.policy', 'group both all w v\nquorum both')
      const refused = await runAlone('--log', log, '--policy', both)
      expect(refused).toMatchObject({
        code: 4,
        output: expect.stringContaining('has 1 cosignatures, which do not reach the quorum both'),
      })
      const none = await runAlone('--log', log, '--policy', policyWith('none.policy', 'quorum none'))
      expect(none.code).toBe(0)
      for (const [args, message] of [
        [['--policy', one, '--vkey', signer.vkey], 'Give either --policy, or --vkey'],
        [['--policy', one, '--quorum', '1'], 'Give either --policy, or --vkey'],
        [['--policy', write('bad.policy', 'quorum x\n')], 'is not a log policy. Line 1: No line above'],
        [['--policy', write('empty.policy', 'quorum none\n')], 'names no log'],
      ] as const)
        expect(await runAlone('--log', log, ...args)).toMatchObject({
          code: 2,
          output: expect.stringContaining(message),
        })
    })

    it('remembers the newest checkpoint in a file, and refuses a log that contradicts it', async () => {
      const file = join(folder, 'remembered.json')
      const check = (log: string) => runAlone('--log', log, '--vkey', signer.vkey, '--remember', file)
      const first = publish('at-20', await logWith(third(), 20))
      expect((await check(first)).code).toBe(0)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const before = readFileSync(file, 'utf8')
      expect(JSON.parse(before).logs[origin].proven).toContain(`${origin}\n20\n`)
      const rewritten = await logWith({ seq: 9, hash: 'b'.repeat(64) }, 20)
      const forked = await check(publish('fork', rewritten))
      expect(forked.code).toBe(4)
      expect(forked.output).toContain('keep them, they prove it')
      expect(forked.output).toContain(`Both checkpoints are in ${file}.`)
      const { proven, fork } = JSON.parse(readFileSync(file, 'utf8')).logs[origin]
      expect(fork).toEqual({ remembered: proven, found: rewritten.checkpoint })
      const grown = await Promise.all(
        [40, 60, 30].map(async (size) => check(publish(`at-${size}`, await logWith(third(), size)))),
      )
      // A command that reads the log after a larger one has been remembered finds it too short.
      expect(grown.map(({ code }) => code)).toContain(0)
      const last = await check(publish('at-80', await logWith(third(), 80)))
      expect(last.code).toBe(0)
      expect(JSON.parse(readFileSync(file, 'utf8')).logs[origin].proven).toContain(`${origin}\n80\n`)
      expect(readdirSync(folder).filter((name) => name.startsWith('remembered'))).toEqual(['remembered.json'])
      expect((await runAlone('--log', first, '--remember', file)).output).toContain('--remember needs --vkey')
      const damaged = write('damaged.json', '{"version":1,"logs":{"a":{"proven":"x"}}}')
      const unusable = await runAlone('--log', first, '--vkey', signer.vkey, '--remember', damaged)
      expect(unusable).toMatchObject({ code: 2, output: expect.stringContaining('it is damaged') })
    })

    it('finds changed entries, except with --quick, which says what it checked', async () => {
      const made = await logWith(third(), 300)
      const path = [...made.files.keys()].find((name) => name.startsWith('tile/entries/')) ?? ''
      const bytes = Uint8Array.from(made.files.get(path) ?? [])
      bytes[10] = (bytes[10] ?? 0) ^ 1
      made.files.set(path, bytes)
      const log = publish('changed', made)
      expect((await runAlone('--log', log)).code).toBe(4)
      const quick = await runAlone('--log', log, '--quick')
      expect(quick).toMatchObject({ code: 0, output: expect.stringContaining(': its tiles give this root.') })
    })

    it('prints its progress on standard error for a long log', async () => {
      const long = Array.from({ length: 40 }, () => others.slice(0, 256)).flat()
      const log = publish('long', await aLog(long, signer))
      const { code, output, stdout } = await runAlone('--log', log)
      expect(code).toBe(0)
      expect(output.match(/of 10240 entries of the log checked/g)).toHaveLength(10)
      expect(stdout).not.toContain('checked\n')
    })

    it('prints the facts of the log as JSON', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const proof = write('proof.json', await proofOf(third(), 4))
      const { stdout } = await runAlone('--log', log, '--checkpoint', proof, '--json')
      expect(JSON.parse(stdout)).toMatchObject({
        ok: true,
        events: null,
        log_size: 300,
        log: { origin, size: 300, key_source: 'files', kept: [{ name: proof, size: 4 }], cosignatures: [] },
      })
    })

    it('reports a wrong key and a wrong file', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const withKey = await runAlone('--log', log, '--vkey', 'a+b')
      expect(withKey.code).toBe(2)
      expect(withKey.output).toMatch(/is not the verifier key of a log\.\nExpected name\+id\+key/)
      const withFile = await runAlone('--log', log, '--checkpoint', write('wrong.json', '{}'))
      expect(withFile.code).toBe(2)
      expect(withFile.output).toContain('wrong.json is neither a checkpoint')
    })
  })
})
