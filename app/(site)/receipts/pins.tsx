/** The passkeys in a receipt that a reader can keep, to recognise the person again. */
import type { SigningPasskey } from '@beak/proofs/receipts/endorsement'
import type { ReactNode } from 'react'
import { m } from '@/lib/kernel/messages'
import { pinText } from './judge'

type Rows = { name: string; value: ReactNode }[]

/** Returns the rows about the passkey that signed, and about the older passkeys that vouch for it. */
export function pinsOf(
  passkey: Pick<SigningPasskey, 'chain'> & Partial<Pick<SigningPasskey, 'statementVersion'>>,
): Rows {
  const [signer, ...older] = passkey.chain
  if (signer === undefined || passkey.statementVersion === 1) return []
  return [
    ...(older.length === 0
      ? []
      : [
          {
            name: m.receipts_vouched_for_by(),
            value: older.map(({ credential_id }) => (
              <code translate="no" key={credential_id} className="block">
                {credential_id}
              </code>
            )),
          },
        ]),
    {
      name: m.receipts_passkey_to_keep(),
      value: (
        <details>
          <summary className="min-h-6 cursor-pointer text-accent underline">
            {m.receipts_show_its_id_and_public_key()}
          </summary>
          <code translate="no">{pinText(signer)}</code>
        </details>
      ),
    },
  ]
}
