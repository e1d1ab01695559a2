import Link from 'next/link'
import type { ButtonHTMLAttributes, ComponentProps } from 'react'

/** `primary` is what one most likely wants to do next: at most one in view. */
export type ButtonKind = 'primary' | 'plain'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-accent-ink hover:brightness-110',
  plain: 'bg-surface text-ink border border-edge hover:bg-sunken',
}

function buttonClass(kind: ButtonKind): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4 py-2 text-sm font-semibold no-underline transition-[filter,background-color] duration-150 ease-out ${kinds[kind]}`
}

export function Button({
  kind = 'plain',
  type = 'button',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: ButtonKind }) {
  return <button type={type} className={buttonClass(kind)} {...rest} />
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonLink({ kind = 'plain', ...rest }: ComponentProps<typeof Link> & { kind?: ButtonKind }) {
  return <Link className={buttonClass(kind)} {...rest} />
}
