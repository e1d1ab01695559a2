import Link from 'next/link'
import { Duck } from './duck'
import { WayIn } from './way-in'

const places = [
  { href: '/', label: 'The front page' },
  { href: '/directory', label: 'The directory of ducklings' },
  { href: '/verify', label: 'Check a certificate' },
  { href: '/support', label: 'Ask us' },
]

/** What stands where nothing is: the same words in every part of the site. */
export function NotFoundPage() {
  return (
    <WayIn
      title="Nothing nests here"
      lead="The address may be mistyped, or what was here has moved on."
      picture={(size) => <Duck id="lost" size={size} />}
    >
      <ul className="grid gap-1 border-t border-line pt-4">
        {places.map(({ href, label }) => (
          <li key={href}>
            <Link href={href} className="inline-flex min-h-11 items-center font-semibold underline">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </WayIn>
  )
}
