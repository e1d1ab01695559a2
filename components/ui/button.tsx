import type { ButtonHTMLAttributes, ComponentProps } from 'react'
import { type ButtonKind, buttonClass } from './button-class'
import { Link } from './link'

export { type ButtonKind, buttonClass }

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
}

export function Button({ kind = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass(kind, className)} {...rest} />
}

/** A link that looks like a button. It only navigates. */
export function ButtonLink({
  kind = 'plain',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { kind?: ButtonKind }) {
  return <Link className={buttonClass(kind, className)} {...rest} />
}
