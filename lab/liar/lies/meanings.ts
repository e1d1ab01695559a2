/** Lies about what nothing signs, or about what a signature does not say: names, handles, displays, marks, and certificates of others. */
import { verifyCertificate, verifyOutcome } from '@beak/client/verify'
import { displayDigest } from '@beak/proofs/receipts/decision-statement'
import { aPerson } from '@/e2e/people'
import { valuesOf } from '@/lib/fixtures/receipt-maker'
import { newestCheckpoint } from '@/lib/fixtures/tlog'
import { signToken } from '@/lib/infrastructure/keys/tokens'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import type { Evidence, Lie } from '../evidence'
import { enrolmentOf } from '../host/enter'
import { forgeReceipt, madeUpPasskey, madeUpStatement, offerOf, signOn, treeOf } from '../host/forge'
import { logNow } from '../host/start'
import { agree } from '../judges/copies'
import { ask, call, decide, receiptOf, signAs, termsOf, use } from '../people/decide'
import { addSoftwarePasskey, approverOrigin, type World } from '../people/world'
import { beak, fileOf } from '../shops/command-line'

/** Another person with a real passkey, which the log has. */
async function makeMallory(world: World): Promise<World> {
  const mallory = await aPerson(world.host.server, 'Mallory')
  const authenticator = await addSoftwarePasskey(world.host, mallory)
  await logNow(world.host)
  return { ...world, nadia: mallory, authenticator }
}

/** The shop asks for the account of Nadia's handle, and the host names the account of Mallory, who really approves. */
async function otherAccount(world: World): Promise<Evidence> {
  const mallory = await makeMallory(world)
  const decision = await decide(mallory, 'service', termsOf(mallory))
  const offer = await use(mallory, decision)
  await logNow(world.host)
  return { offer, shownLater: () => receiptOf(mallory, decision.peckId) }
}

async function otherRequester(world: World, site: Parameters<Lie['play']>[1]): Promise<Evidence> {
  const decision = await decide(world, site, termsOf(world))
  const { answer, ...offer } = await use(world, decision)
  await logNow(world.host)
  const requester = {
    ...answer.requester,
    display_name: 'Your own bank (verified)',
    trust_tier: 'T3' as const,
  }
  return {
    offer: { ...offer, answer: { ...answer, requester } },
    shownLater: () => receiptOf(world, decision.peckId),
  }
}

/** Nadia's passkey signs a display of 25 to a shop, and params of 5000 to Mallory, in one statement. */
async function otherDisplay(world: World): Promise<Evidence> {
  const terms = termsOf(world)
  const log = treeOf(await logNow(world.host))
  const { display } = valuesOf({ ...terms.params, amount: 25, to: 'Shop Ltd' })
  const statement = madeUpStatement(terms, {
    peck_id: await ask(world, terms),
    log,
    display: { version: 1, hash: displayDigest(display.salt, display.shown) },
  })
  const passkey = signAs(world, 'service', statement)
  const { credential_id: credentialId, public_key: publicKey } = passkey
  const enrolment = await enrolmentOf(world, { credentialId, publicKey }, log)
  const values = { params: valuesOf(terms.params).params, display }
  return { offer: offerOf(terms, forgeReceipt(terms, { statement, passkey, enrolment, values })) }
}

/** A passkey of the host that claims the site of the approver, at a shop that demands the approver and has no pins. */
async function claimedApprover(world: World): Promise<Evidence> {
  const { host, python } = world
  const terms = termsOf(world)
  const log = treeOf(await newestCheckpoint())
  const statement = madeUpStatement(terms, {
    peck_id: await ask(world, terms),
    log,
    approver: approverOrigin,
  })
  const receipt = forgeReceipt(terms, {
    statement,
    passkey: signOn(approverOrigin, madeUpPasskey(), statement),
  })
  const demands = { require: 'signed', approver: approverOrigin } as const
  // A policy that proves nothing is refused when it is made.
  const isAccepted = (check: () => Promise<boolean>) =>
    check().catch((error: Error) => {
      if (/pin/.test(error.message)) return false
      throw error
    })
  return {
    isBelieved: async () =>
      agree('an approver without pins', {
        typescript: await isAccepted(
          async () => (await verifyOutcome(receipt, { issuer: host.url, keys: host.jwks, ...demands })).ok,
        ),
        python: await isAccepted(() =>
          python.run('receipt', { url: host.url, jwks: host.jwks, policy: demands, receipt }),
        ),
        'command line': await isAccepted(() =>
          beak(
            ...['receipt', 'verify', fileOf(receipt), '--jwks', fileOf(host.jwks), '--require=signed'],
            `--approver=${approverOrigin}`,
          ),
        ),
      }),
  }
}

const claimsOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())

/** Returns a certificate check that all judges make, with a status list that the host shows. */
function certificateBelieved({ host, python }: World, credential: string, statusList: string) {
  const { url, jwks } = host
  return async () =>
    agree('the certificate', {
      typescript: (await verifyCertificate(credential, { issuer: url, keys: jwks, statusList })).ok,
      python: await python.run('certificate', { url, jwks, credential, status_list: statusList }),
    })
}

async function issueTo(world: World, name: string): Promise<{ credential: string; statusList: string }> {
  const { token } = await aPerson(world.host.server, name)
  const { credential } = await call(world, 'POST /beak/cert/issue', { token })
  const { statusListCredential } = claimsOf(credential).credentialStatus
  return { credential, statusList: await (await fetch(statusListCredential)).text() }
}

async function certificateOfOther(world: World): Promise<Evidence> {
  const { credential, statusList } = await issueTo(world, 'Mallory2')
  const claims = claimsOf(credential)
  const credentialSubject = { ...claims.credentialSubject, display_name: 'Nadia', trust_tier: 'T3' }
  return {
    isBelieved: certificateBelieved(
      world,
      signToken('credential', { ...claims, credentialSubject }),
      statusList,
    ),
  }
}

/** A list from before a revocation, which says that it is valid for ten years. */
async function oldStatusList(world: World): Promise<Evidence> {
  const { credential, statusList } = await issueTo(world, 'Yara')
  const [from, until] = [-30, 3650].map((days) => secondsAfter(readClock(), days * 86_400))
  const old = signToken('credential', {
    ...claimsOf(statusList),
    validFrom: from?.toISOString(),
    validUntil: until?.toISOString(),
  })
  return { isBelieved: certificateBelieved(world, credential, old) }
}

async function markedInStatement(world: World, site: Parameters<Lie['play']>[1]): Promise<Evidence> {
  const terms = termsOf(world)
  const approver = site === 'approver' ? approverOrigin : null
  const statement = madeUpStatement(terms, {
    peck_id: await ask(world, terms),
    log: treeOf(await newestCheckpoint()),
    approver,
    test: true,
  })
  const passkey = signOn(approver ?? world.host.url, madeUpPasskey(), statement)
  return { offer: offerOf(terms, forgeReceipt(terms, { statement, passkey })) }
}

export const meaningLies: Lie[] = [
  {
    forged: 'A handle of Nadia that leads to the account of Mallory, whose own passkey approves',
    access: 'database',
    play: otherAccount,
    isSameEverywhere: true,
    why: 'only the service says whose a handle is',
  },
  {
    forged: 'Name and tier of the one who asked, beside true ids',
    access: 'database',
    play: otherRequester,
    why: 'nothing signs names and tiers',
  },
  {
    forged: 'A signed display of 25 to a shop, beside signed params of 5,000 to Mallory',
    access: 'pages, key of the service',
    play: otherDisplay,
    isSameEverywhere: true,
    why: 'no verifier compares the display with the params',
  },
  {
    forged: 'The site of an approver, claimed by a passkey of the host; the shop has no pins',
    access: 'key of the service',
    play: claimedApprover,
    isSameEverywhere: true,
  },
  {
    forged: 'A certificate of Mallory with the name of Nadia and tier T3',
    access: 'key of the service',
    play: certificateOfOther,
    isSameEverywhere: true,
    why: 'only the service says whose a certificate is',
  },
  {
    forged: 'A status list of a month ago that says it is valid for ten years',
    access: 'key of the service',
    play: oldStatusList,
    isSameEverywhere: true,
  },
  {
    forged: 'A decision of a test service whose mark stands only in the statement',
    access: 'key of the service',
    play: markedInStatement,
  },
]
