'use client'

import dynamic from 'next/dynamic'

/**
 * The 404 page of this group under a bare `next start`, where a page cannot set its status (`answerNotFound`). Loaded only when it is
 * shown, because Next puts this component into the data of every page.
 */
export default dynamic(async () => (await import('@/app/_shell/not-found-page')).NotFoundPage)
