import { TextField } from '@/components/ui/form'

interface UrlFieldProps {
  label: string
  hint: string
  placeholder?: string | undefined
  defaultValue?: string | undefined
}

/** The address that gets messages. */
export function UrlField(props: UrlFieldProps) {
  return (
    <TextField
      {...props}
      name="url"
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      maxLength={2048}
      className="font-mono [font-variant-ligatures:none]"
    />
  )
}
