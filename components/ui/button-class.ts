/** `primary`: the most likely next step, at most one in view. `danger`: cannot be undone. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const kinds: Record<ButtonKind, string> = {
  // The edge shows in forced colours, which take the fill away.
  primary: 'px-4 border border-transparent bg-accent text-accent-ink hover:brightness-110',
  plain: 'px-4 bg-surface text-ink border border-edge hover:bg-sunken',
  quiet: 'text-ink underline decoration-line hover:decoration-ink px-1',
  danger: 'px-4 bg-surface text-bad border border-bad hover:bg-bad-wash',
}

/** Returns the classes that make an element look like a button. */
export function buttonClass(kind: ButtonKind = 'plain', className = ''): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-control py-2 text-sm font-semibold no-underline transition-[filter,background-color] duration-150 ease-out disabled:opacity-60 ${kinds[kind]} ${className}`
}
