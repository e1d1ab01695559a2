import { Duck } from './duck'

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
    <main>
      <Duck />
      <h1>{title}</h1>
      {result === undefined ? (
        <form action={action}>
          <p className="lead">{lead}</p>
          <input type="hidden" name="token" value={token} />
          <button type="submit">{button}</button>
        </form>
      ) : (
        <p className="lead" role="status">
          {result}
        </p>
      )}
    </main>
  )
}
