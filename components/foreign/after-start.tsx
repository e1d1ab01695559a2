'use client'

import { useEffect } from 'react'
import { giveBackElements } from './early-changes'
import { giveBackTypedFields } from './typed-fields'

/** Gives back what was typed and what extensions added before the page could be used. Stands at the end of every page. */
export function AfterStart() {
  useEffect(() => {
    giveBackTypedFields()
    giveBackElements()
  }, [])
  return null
}
