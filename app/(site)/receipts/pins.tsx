/** The passkeys in a receipt that a reader can keep, to recognise the person again. */
import type { OutcomeFacts } from '@beak/client/verify/receipts/verify-outcome'
import type { ReactNode } from 'react'
import { pinText } from './judge'

type Rows = { name: string; value: ReactNode }[]

/** Returns the rows about the passkeys that vouch for the one that signed, and about that one. */
export function pinsOf(passkey: NonNullable<OutcomeFacts['passkey']>): Rows {
  const [signer, ...older] = passkey.chain
  if (signer === undefined || passkey.statementVersion === 1) return []
  return [
    ...(older.length === 0
      ? []
      : [
          {
            name: 'Vouched for by',
            value: older.map(({ credential_id }) => (
              <code key={credential_id} className="block">
                {credential_id}
              </code>
            )),
          },
        ]),
    {
      name: 'Passkey to keep',
      value: (
        <details>
          <summary className="min-h-6 cursor-pointer text-accent underline">
            Show its id and public key
          </summary>
          <code>{pinText(signer)}</code>
        </details>
      ),
    },
  ]
}
