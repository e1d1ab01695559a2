import { withBasePath } from '@/app/_web/base-path'
import { buttonClass } from '@/components/ui/button'

interface VerifyFormProps {
  /** The earlier input, to correct it. */
  given?: string
  error?: string
}

/** Asks for a certificate number. A GET form, so it works without JavaScript and the result has an address. */
export function VerifyForm({ given = '', error }: VerifyFormProps) {
  return (
    <form action={withBasePath('/verify')} method="get" className="grid max-w-2xl gap-1.5">
      <label htmlFor="cert_id" className="text-sm font-semibold">
        Certificate number or address
      </label>
      <p id="cert_id-hint" className="text-sm text-soft">
        The number starts with CERT-. Paste it, or type it from paper.
      </p>
      <div className="flex flex-wrap gap-3">
        <input
          id="cert_id"
          name="cert_id"
          defaultValue={given}
          required
          maxLength={512}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'cert_id-hint cert_id-error' : 'cert_id-hint'}
          className="min-h-11 w-full min-w-0 flex-1 basis-72 rounded-control border border-edge bg-surface px-3 py-2 font-mono text-base text-ink aria-invalid:border-bad"
        />
        <button type="submit" className={buttonClass('primary')}>
          Check certificate
        </button>
      </div>
      {error ? (
        <p id="cert_id-error" role="alert" className="text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
    </form>
  )
}
