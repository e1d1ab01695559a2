'use client'

import { type ComponentType, lazy } from 'react'
import { probe, whenReached } from './connection/reach'
import { UpdatedNotice } from './updated-notice'

/**
 * Loads a part of a page when it is first shown. While the service cannot be reached, the part waits: an error would replace the page.
 * `load` is also a way to load it early.
 */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    for (let attempts = 0; ; attempts++) {
      try {
        return await load()
      } catch (error) {
        // A service that answers and yet has no such file is another version of it. An error would replace the page.
        if ((await probe()) && attempts > 0) {
          console.warn(error)
          return { default: UpdatedNotice }
        }
        await whenReached()
      }
    }
  })
}
