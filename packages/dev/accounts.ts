/** The test accounts: what each of them answers. They exist only in the process of `beak dev`. */

/** What an account does with a request that waits. */
type Decision = { approveWith: string } | { reject: string } | 'wait'

/** What an account knows when it decides. */
interface Waiting {
  /** Seconds since the request, by the clock of the service. */
  age: number
  /** Whether the request has `code_hash`: the person must type six digits. */
  needsCode: boolean
  /** What POST /beak/test/code typed for the account. */
  typed: string | undefined
}

export interface TestAccount {
  handle: string
  displayName: string
  /** For the answer of `beak dev` and the documentation. */
  behaviour: string
  decide(waiting: Waiting): Decision
  /** Seconds after which a request that waits can be decided in another way. */
  delay?: number
}

/** A code that no shop shows, apart from one in a million. */
const wrongCode = '000000'

export const testAccounts: TestAccount[] = [
  {
    handle: 'always-approves',
    displayName: 'AlwaysApproves',
    behaviour: 'approves every request at once; types 000000 where a code is needed',
    decide: () => ({ approveWith: wrongCode }),
  },
  {
    handle: 'always-rejects',
    displayName: 'AlwaysRejects',
    behaviour: 'rejects every request at once, without a pause for the next one',
    decide: () => ({ reject: 'This test account rejects every request.' }),
  },
  {
    handle: 'never-answers',
    displayName: 'NeverAnswers',
    behaviour: 'never answers, so requests wait until they expire',
    decide: () => 'wait',
  },
  {
    handle: 'approves-in-5s',
    displayName: 'ApprovesIn5s',
    behaviour: 'approves 5 seconds after the request, by the clock of the service',
    delay: 5,
    decide: ({ age }) => (age >= 5 ? { approveWith: wrongCode } : 'wait'),
  },
  {
    handle: 'asks-for-a-code',
    displayName: 'AsksForACode',
    behaviour:
      'approves with the code that POST /beak/test/code types; rejects a request without code_hash at once',
    decide: ({ needsCode, typed }) => {
      if (!needsCode) return { reject: 'Show me a code: send code_hash with the request.' }
      return typed === undefined ? 'wait' : { approveWith: typed }
    },
  },
]
