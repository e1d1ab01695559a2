'use client'

import { currentLanguage } from '@/lib/kernel/text/language'
import ErrorPage from './error'
import './globals.css'

/** Replaces the root layout when it fails. */
export default function GlobalError() {
  return (
    <html lang={currentLanguage()}>
      <body>
        <ErrorPage />
      </body>
    </html>
  )
}
