import { NotFoundPage } from '@/components/not-found-page'

/** Answers for pages of this group that call `notFound`. The group's layout already has the header and footer. */
export default function NotFound() {
  return <NotFoundPage />
}
