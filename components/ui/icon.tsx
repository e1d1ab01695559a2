import type { IconNode } from 'lucide'

interface IconProps {
  /** The drawing, from `lucide`. */
  of: IconNode
  /** Width and height in pixels. */
  size?: number
  strokeWidth?: number
  className?: string
  /** What a screen reader says. Without it, the icon is hidden from screen readers. */
  label?: string
}

const shapes = new WeakMap<IconNode, string>()

/** Returns the elements of a drawing as HTML. */
function shapesOf(icon: IconNode): string {
  let html = shapes.get(icon)
  if (html === undefined) {
    const attributes = (of: object) => Object.entries(of).map(([name, value]) => ` ${name}="${value}"`)
    html = icon.map(([tag, values]) => `<${tag}${attributes(values).join('')}/>`).join('')
    shapes.set(icon, html)
  }
  return html
}

/** Renders an icon as one element. Its shapes are a text of HTML, so rendering, the data of a page and hydration cost less. */
export function Icon({ of, size = 24, strokeWidth = 2, className, label }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes come from a package and contain no input
      dangerouslySetInnerHTML={{ __html: shapesOf(of) }}
    />
  )
}
