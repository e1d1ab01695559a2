'use client'

import ErrorPage from './error'
import './globals.css'

/** Replaces the root layout when it fails. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <ErrorPage />
      </body>
    </html>
  )
}
