import Link from 'next/link'
import { Duck } from '@/components/duck'

export default function NotFound() {
  return (
    <main>
      <Duck />
      <h1>Nothing nests here.</h1>
      <p className="lead">The address may be mistyped, or the page has moved.</p>
      <p>
        <Link href="/">Go to the start</Link>
      </p>
    </main>
  )
}
