'use client'

import { Trouble } from '@/components/trouble'
import { code, headline, text } from './fonts'
import './globals.css'

/** When the root of all pages fails: the same words, on bare ground. */
export default function GlobalError({ error }: { error: unknown }) {
  return (
    <html lang="en" className={`${headline.variable} ${text.variable} ${code.variable}`}>
      <body>
        <main id="main" className="mx-auto w-full max-w-6xl px-5 py-10">
          <Trouble error={error} retry={() => window.location.reload()} />
        </main>
      </body>
    </html>
  )
}
