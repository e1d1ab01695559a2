import { TextField } from '@/components/ui/form'

interface ActionFieldProps {
  label: string
  hint: string
  defaultValue?: string
  optional?: boolean
}

/** An action as `verb:object`. */
export function ActionField({ optional = false, ...props }: ActionFieldProps) {
  return (
    <TextField
      {...props}
      optional={optional}
      name="action"
      placeholder="read:calendar"
      className="font-mono"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={97}
    />
  )
}
