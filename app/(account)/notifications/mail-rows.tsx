'use client'

import { Sentence } from '@/components/sentence'
import { CheckField, SelectField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { firstChoice, offeredChoices } from './mail-choices'
import type { Risk, Settings } from './read'
import { risks } from './words'

const labels = {
  always: m.notifications_mail_always,
  otherwise: m.notifications_mail_otherwise,
  never: m.notifications_mail_never,
}

/** While a higher risk is never mailed, the choice for a lower one would change nothing: "Never" stands there instead. */
const belowNever: Record<Risk, { choice: string; never: string }> = {
  high: { choice: '', never: 'hidden' },
  medium: {
    choice: 'group-has-[[name=mail-high]>[value=never]:checked]/ring:hidden',
    never: 'hidden group-has-[[name=mail-high]>[value=never]:checked]/ring:grid',
  },
  low: {
    choice:
      'group-has-[[name=mail-high]>[value=never]:checked]/ring:hidden group-has-[[name=mail-medium]>[value=never]:checked]/ring:hidden',
    never:
      'hidden group-has-[[name=mail-high]>[value=never]:checked]/ring:grid group-has-[[name=mail-medium]>[value=never]:checked]/ring:grid',
  },
}

interface MailRowsProps {
  mail: Settings['channels']['mail']
  address: string
}

/** Mail in the table: one choice for each risk. CSS shows what a choice changes below it, so the form works without scripts. */
export function MailRows({ mail, address }: MailRowsProps) {
  return (
    <tr>
      <td colSpan={1 + risks.length} className="pt-3 wrap-anywhere">
        <fieldset className="grid gap-4">
          <legend className="pb-1 font-semibold">{m.notifications_kind_mail()}</legend>
          <p className="text-soft">
            <Sentence of={m.notifications_what_mail} with={{ email: address }} />
          </p>
          {risks.map(({ risk }) => (
            <div key={risk}>
              <div className={belowNever[risk].choice}>
                <SelectField
                  label={m.notifications_mail_risks({ risk })}
                  name={`mail-${risk}`}
                  defaultValue={firstChoice(mail, risk)}
                >
                  {offeredChoices[risk].map((choice) => (
                    <option key={choice} value={choice}>
                      {labels[choice]()}
                    </option>
                  ))}
                </SelectField>
              </div>
              <p className={`${belowNever[risk].never} gap-1.5`}>
                <span className="font-semibold">{m.notifications_mail_risks({ risk })}</span>
                {m.notifications_mail_never()}
              </p>
            </div>
          ))}
          <div className={belowNever.low.choice}>
            <CheckField
              label={m.notifications_mail_own_agents()}
              name="mail-own"
              defaultChecked={mail.requests !== 'others'}
            />
          </div>
        </fieldset>
      </td>
    </tr>
  )
}
