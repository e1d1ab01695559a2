/** Rewritten histories, and another log for another reader. The owner of an account gets them, not a shop. */
import { randomBytes } from 'node:crypto'
import { readKeptProof, verifyTransparencyLog } from '@beak/client/verify'
import { base64 } from '@beak/proofs/bytes'
import { encodeEntry } from '@beak/proofs/log/entry'
import { proveInclusion } from '@beak/proofs/log/merkle'
import { button } from '@/e2e/browser'
import { aPerson, type Person } from '@/e2e/people'
import type { Evidence, Lie } from '../evidence'
import { expectNoCosignature, forkedLog, hideEntries, removeEvent } from '../host/rewrite'
import { logNow } from '../host/start'
import { type Export, passesChecks } from '../judges/owner'
import { call } from '../people/decide'
import { exportOf } from '../people/export'
import { openBrowser, type World } from '../people/world'

/** Makes an account with a history. Returns it with an export that its owner keeps. */
async function anOwner(world: World, name: string): Promise<{ owner: Person; kept: Export }> {
  const owner = await aPerson(world.host.server, name)
  for (const bio of ['one', 'two', 'three'])
    await call(world, 'POST /beak/profile/update', { token: owner.token, body: { bio } })
  await logNow(world.host)
  return { owner, kept: await exportOf(world, owner) }
}

/** Removes the first change of the profile. The new end is in the log, and the witness has cosigned it. */
async function withoutAnEvent(
  world: World,
  name: string,
  hide: (owner: Person) => Promise<void> = async () => undefined,
) {
  const { owner, kept } = await anOwner(world, name)
  const event = kept.audit.events.find(({ action }) => action === 'duckling.updated')
  if (event === undefined) throw new Error('the export has no change of the profile')
  await removeEvent(owner.id, event.seq)
  await hide(owner)
  await logNow(world.host)
  const shown = await exportOf(world, owner)
  if (shown.audit.events.length > kept.audit.events.length) throw new Error('the event was not removed')
  return { owner, kept, shown }
}

type History = Awaited<ReturnType<typeof withoutAnEvent>>

const evidenceFor = ({ host, python }: World, { owner, kept, shown }: History): Evidence => ({
  passesOwner: (column) => passesChecks({ host, python, ducklingId: owner.id, kept, shown }, column),
})

async function entriesLeft(world: World): Promise<Evidence> {
  return evidenceFor(world, await withoutAnEvent(world, 'Vera'))
}

async function logPartRemoved(world: World): Promise<Evidence> {
  const history = await withoutAnEvent(world, 'Wilma')
  const { log: _, ...audit } = history.shown.audit
  return evidenceFor(world, { ...history, shown: { ...history.shown, audit } })
}

async function entriesHidden(world: World): Promise<Evidence> {
  return evidenceFor(world, await withoutAnEvent(world, 'Xenia', ({ id }) => hideEntries(id)))
}

interface LogPart {
  checkpoint: string
  root_hash: string
  inclusion: string[]
  entry: { index: number }
}

/** An owner is shown a log with an entry that nobody else sees. */
async function anotherLog(world: World): Promise<Evidence> {
  const { host, python } = world
  const { owner, kept } = await anOwner(world, 'Yara')
  const random = encodeEntry('passkey_enrolled', randomBytes(32).toString('hex'))
  await call(world, 'POST /beak/profile/update', { token: world.operator.token, body: { bio: 'later' } })
  await logNow(host)
  const real = await exportOf(world, owner)
  const fork = await forkedLog(random, owner.id)
  await expectNoCosignature(host, fork)
  const log = real.audit.log as LogPart
  const inclusion = (await proveInclusion(log.entry.index, fork.size, fork.readSubtree)).map(base64)
  const forked = { ...log, checkpoint: fork.checkpoint, root_hash: base64(fork.root), inclusion }
  const shown = { ...real, audit: { ...real.audit, log: forked } }
  const whileForked = async <T>(look: () => Promise<T>): Promise<T> => {
    const ends = [...fork.files].map(([path, file]) =>
      host.front.answer(`GET /.well-known/tlog/${path}`, () => file),
    )
    try {
      return await look()
    } finally {
      for (const end of ends) end()
    }
  }
  const copies = await twoReaders(world, owner, whileForked)
  return {
    passesOwner: (column) =>
      whileForked(() => passesChecks({ host, python, ducklingId: owner.id, kept, shown }, column)),
    hasContradiction: async () => {
      const other = readKeptProof('the copy of the other reader', copies.owner)
      if (other === null || copies.owner === copies.stranger) return false
      const report = await verifyTransparencyLog({
        log: `${host.url}/.well-known/tlog`,
        vkeys: [host.vkey],
        kept: [other],
      })
      return report.faults.some(({ kind }) => kind === 'rewritten')
    },
  }
}

/** Two people look at the log in Chromium, and the page of the service finds nothing wrong. Returns the checkpoint that each of them saw. */
async function twoReaders(
  world: World,
  owner: Person,
  whileForked: <T>(look: () => Promise<T>) => Promise<T>,
) {
  const read = () => fetch('/.well-known/tlog/checkpoint').then((answer) => answer.text())
  const hers = await openBrowser(world.host, owner)
  const seen = await whileForked(async () => {
    await hers.goto('/audit')
    await hers.getByText('For experts').click()
    await button(hers, 'Check the log').click()
    await hers.getByText(/^\d+ events intact since/).waitFor()
    return hers.evaluate(read)
  })
  const other = await openBrowser(world.host, null)
  await other.goto('/verify')
  return { owner: seen, stranger: await other.evaluate(read) }
}

export const historyLies: Lie[] = [
  {
    forged: 'A history from which an event was removed; the entries of the log are listed as they are',
    access: 'keys of the service and of the log, database',
    play: entriesLeft,
    isSameEverywhere: true,
  },
  {
    forged: 'The same, and the export has no part of the log',
    access: 'keys of the service and of the log, database',
    play: logPartRemoved,
    isSameEverywhere: true,
  },
  {
    forged: 'The same, the old entries are hidden, and the new end is logged and cosigned',
    access: 'keys of the service and of the log, database',
    play: entriesHidden,
    isSameEverywhere: true,
    why: 'the owner kept nothing',
  },
  {
    forged: 'Another log of the same size for another reader',
    access: 'key of the log, database',
    play: anotherLog,
    isSameEverywhere: true,
    why: 'nobody compared',
  },
]
