import { Button } from './ui/button'

interface LinkFormProps {
  title: string
  lead: string
  button: string
  token: string
  /** What came of it, once the button was pressed. */
  result: string | undefined
  action: (form: FormData) => Promise<void>
}

/** A page a mailed link leads to: opening it changes nothing, pressing its one button does. Works without JavaScript. */
export function LinkForm({ title, lead, button, token, result, action }: LinkFormProps) {
  return (
    <div className="max-w-xl">
      <h1>{title}</h1>
      {result === undefined ? (
        <form action={action}>
          <p className="mt-3 mb-6 text-lg text-soft">{lead}</p>
          <input type="hidden" name="token" value={token} />
          <Button type="submit" kind="primary">
            {button}
          </Button>
        </form>
      ) : (
        <p className="mt-3 text-lg text-soft" role="status">
          {result}
        </p>
      )}
    </div>
  )
}
