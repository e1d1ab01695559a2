import { NotFoundPage } from '@/components/not-found-page'

/** The 404 page of the account pages, inside their header and footer. */
export default function NotFound() {
  return <NotFoundPage />
}
