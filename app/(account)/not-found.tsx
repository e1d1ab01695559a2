import { NotFoundPage } from '@/components/not-found-page'

/** For pages of this part that find nothing: inside its own header and footer. */
export default function NotFound() {
  return <NotFoundPage />
}
