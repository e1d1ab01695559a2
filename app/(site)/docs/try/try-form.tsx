'use client'

import { ActionForm, CheckField, SubmitButton, TextArea, TextField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { tryOperation } from './actions'
import { bodyField, operationField, sureField, type Tried } from './fields'

interface TryFormProps {
  operation: string
  isRead: boolean
  parameters: { field: string; name: string; hint: string; isRequired: boolean; example: string }[]
  /** The example body. Null for an operation without a body. */
  body: string | null
}

/** The fields of an operation, and what the last call answered. */
export function TryForm({ operation, isRead, parameters, body }: TryFormProps) {
  return (
    <ActionForm action={tryOperation} keepsDraft={false} countsOnce={!isRead} label={m.docs_try_it()}>
      <input type="hidden" name={operationField} defaultValue={operation} />
      {parameters.map(({ field, name, hint, isRequired, example }) => (
        <TextField
          key={field}
          name={field}
          label={name}
          hint={hint}
          optional={!isRequired}
          defaultValue={example}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
      {body === null ? null : (
        <TextArea
          name={bodyField}
          label={m.docs_api_body()}
          hint={m.docs_json_replace_values_example_by_yours()}
          defaultValue={body}
          rows={Math.min(20, body.split('\n').length + 1)}
          spellCheck={false}
        />
      )}
      {isRead ? null : (
        <CheckField
          name={sureField}
          label={m.docs_do_this_in_my_account()}
          hint={m.docs_try_real_warning()}
        />
      )}
      <SubmitButton pending={m.docs_sending()}>{m.docs_send_the_call()}</SubmitButton>
      <Result />
    </ActionForm>
  )
}

/** The answer to the last call. */
function Result() {
  const { data, status } = useAnswer<Tried>()
  const shown = status === 'succeeded' ? data : undefined
  return (
    <div role="status">
      {shown === undefined ? null : (
        <figure className="min-w-0 rounded-card border border-line bg-sunken p-3">
          <figcaption className="text-sm font-semibold">
            {shown.status === 200
              ? m.docs_response_ok({ status: shown.status })
              : m.docs_response_refused({ status: shown.status })}
          </figcaption>
          <pre
            translate="no"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text must be reachable by keyboard
            tabIndex={0}
            className="mt-2 max-h-128 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere"
          >
            <code translate="no">{shown.body}</code>
          </pre>
        </figure>
      )}
    </div>
  )
}
