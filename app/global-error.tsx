'use client'

import ErrorPage from './error'
import './globals.css'

/** When not even the root of all pages can be shown. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <ErrorPage />
      </body>
    </html>
  )
}
