/** Lies about what nothing signs, or about what a signature does not say: names, handles, displays, marks, and certificates of others. */

import { verifyCertificate, verifyOutcome } from '@beak/client/verify'
import { displayDigest } from '@beak/client/verify/receipts/decision-statement'
import { aPerson } from '@/e2e/people'
import { valuesOf } from '@/lib/fixtures/receipt-maker'
import { newestCheckpoint } from '@/lib/fixtures/tlog'
import { signToken } from '@/lib/infrastructure/keys/tokens'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import type { Evidence, Lie } from '../evidence'
import { enrolmentOf } from '../host/enrolment'
import { forgeReceipt, madeUpPasskey, madeUpStatement, offerOf, signOn, treeOf } from '../host/forge'
import { logNow } from '../host/start'
import { agree } from '../judges/agree'
import { addSoftwarePasskey, approverOrigin, type Cast } from '../people/cast'
import { ask, call, decide, receiptOf, signAs, termsOf, use } from '../people/decide'
import { beak, fileOf } from '../shops/command-line'

/** Another person with a real passkey, which the log has. */
async function makeMallory(cast: Cast): Promise<Cast> {
  const mallory = await aPerson(cast.host.server, 'Mallory')
  const authenticator = await addSoftwarePasskey(cast.host, mallory)
  await logNow(cast.host)
  return { ...cast, nadia: mallory, authenticator }
}

/** The shop asks for the account of Nadia's handle, and the host names that of Mallory, who really approves. */
async function otherAccount(cast: Cast): Promise<Evidence> {
  const mallory = await makeMallory(cast)
  const decision = await decide(mallory, 'service', termsOf(mallory))
  const offer = await use(mallory, decision)
  await logNow(cast.host)
  return { offer, shownLater: () => receiptOf(mallory, decision.peckId) }
}

async function otherRequester(cast: Cast, site: Parameters<Lie['play']>[1]): Promise<Evidence> {
  const decision = await decide(cast, site, termsOf(cast))
  const { answer, ...offer } = await use(cast, decision)
  await logNow(cast.host)
  const requester = {
    ...answer.requester,
    display_name: 'Your own bank (verified)',
    trust_tier: 'T3' as const,
  }
  return {
    offer: { ...offer, answer: { ...answer, requester } },
    shownLater: () => receiptOf(cast, decision.peckId),
  }
}

/** Nadia's passkey signs a display of 25 to a shop, and params of 5000 to Mallory, in one statement. */
async function otherDisplay(cast: Cast): Promise<Evidence> {
  const terms = termsOf(cast)
  const log = treeOf(await logNow(cast.host))
  const { display } = valuesOf({ ...terms.params, amount: 25, to: 'Shop Ltd' })
  const statement = madeUpStatement(terms, {
    peck_id: await ask(cast, terms),
    log,
    display: { version: 1, hash: displayDigest(display.salt, display.shown) },
  })
  const passkey = signAs(cast, 'service', statement)
  const { credential_id: credentialId, public_key: publicKey } = passkey
  const enrolment = await enrolmentOf(cast, { credentialId, publicKey }, log)
  const values = { params: valuesOf(terms.params).params, display }
  return { offer: offerOf(terms, forgeReceipt(terms, { statement, passkey, enrolment, values })) }
}

/** A passkey of the host that claims the site of the approver, at a shop that demands the approver and has no pins. */
async function claimedApprover(cast: Cast): Promise<Evidence> {
  const { host, python } = cast
  const terms = termsOf(cast)
  const log = treeOf(await newestCheckpoint())
  const statement = madeUpStatement(terms, { peck_id: await ask(cast, terms), log, approver: approverOrigin })
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
function certificateBelieved({ host, python }: Cast, credential: string, statusList: string) {
  const { url, jwks } = host
  return async () =>
    agree('the certificate', {
      typescript: (await verifyCertificate(credential, { issuer: url, keys: jwks, statusList })).ok,
      python: await python.run('certificate', { url, jwks, credential, status_list: statusList }),
    })
}

async function issueTo(cast: Cast, name: string): Promise<{ credential: string; statusList: string }> {
  const { token } = await aPerson(cast.host.server, name)
  const { credential } = await call(cast, 'POST /beak/cert/issue', { token })
  const { statusListCredential } = claimsOf(credential).credentialStatus
  return { credential, statusList: await (await fetch(statusListCredential)).text() }
}

async function certificateOfOther(cast: Cast): Promise<Evidence> {
  const { credential, statusList } = await issueTo(cast, 'Mallory2')
  const claims = claimsOf(credential)
  const credentialSubject = { ...claims.credentialSubject, display_name: 'Nadia', trust_tier: 'T3' }
  return {
    isBelieved: certificateBelieved(
      cast,
      signToken('credential', { ...claims, credentialSubject }),
      statusList,
    ),
  }
}

/** A list from before a revocation, which says that it is valid for ten years. */
async function oldStatusList(cast: Cast): Promise<Evidence> {
  const { credential, statusList } = await issueTo(cast, 'Yara')
  const [from, until] = [-30, 3650].map((days) => secondsAfter(readClock(), days * 86_400))
  const old = signToken('credential', {
    ...claimsOf(statusList),
    validFrom: from?.toISOString(),
    validUntil: until?.toISOString(),
  })
  return { isBelieved: certificateBelieved(cast, credential, old) }
}

async function markedInStatement(cast: Cast, site: Parameters<Lie['play']>[1]): Promise<Evidence> {
  const terms = termsOf(cast)
  const approver = site === 'approver' ? approverOrigin : null
  const statement = madeUpStatement(terms, {
    peck_id: await ask(cast, terms),
    log: treeOf(await newestCheckpoint()),
    approver,
    test: true,
  })
  const passkey = signOn(approver ?? cast.host.url, madeUpPasskey(), statement)
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
