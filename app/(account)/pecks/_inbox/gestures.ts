/** Swipes and long presses on the rows of the list: what the finger means. Written for touch events, without React. */

/** `open`: shows the request, because only its page may approve it. */
export type SwipeAction = 'approve' | 'open' | 'reject' | 'later'

/** What a swipe may do with a row. */
export interface Swipes {
  /** Towards the end of the line: to the right, or in a language from right to left to the left. */
  forward: 'approve' | 'open'
  /** A long swipe back puts the request off. */
  hasLater: boolean
}

/** The browser's own swipe back begins here. */
const edge = 32
/** A finger that moves less than this has not said yet what it wants. */
const slack = 10
const holdMilliseconds = 500

/** Returns what is done when the finger leaves now. `distance`: pixels towards the end of the line. Null: nothing. */
export function swipeAt(distance: number, width: number, { forward, hasLater }: Swipes): SwipeAction | null {
  const near = Math.min(96, width * 0.25)
  if (distance >= near) return forward
  if (hasLater && distance <= -width * 0.6) return 'later'
  return distance <= -near ? 'reject' : null
}

/** Returns whether a move is a swipe or belongs to the browser, which scrolls. Null: too short to tell. */
export function meaningOf(x: number, y: number): 'swipe' | 'scroll' | null {
  if (Math.abs(y) > slack && Math.abs(y) * 2 > Math.abs(x)) return 'scroll'
  return Math.abs(x) > slack && Math.abs(x) > Math.abs(y) * 2 ? 'swipe' : null
}

export interface Gestures {
  /** Returns what a swipe may do with a row, or null when the row takes none. */
  swipesOf: (id: string) => Swipes | null
  onSwipe: (id: string, action: SwipeAction) => void
  onHold: (id: string) => void
  words: Record<SwipeAction, string>
}

interface Touched {
  row: HTMLElement
  id: string
  x: number
  y: number
  swipes: Swipes | null
  /** Pixels towards the end of the line. */
  distance: number
  state: 'waiting' | 'swipe' | 'done'
  timer: ReturnType<typeof setTimeout> | undefined
}

const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Listens to the rows of a list. `hint` lies behind a row that moves, or with reduced motion over a row that stays, and says what will happen.
 * Returns the function that ends it.
 */
export function listenTo(list: HTMLElement, hint: HTMLElement, gestures: () => Gestures): () => void {
  let touched: Touched | null = null
  const sign = () => (getComputedStyle(list).direction === 'rtl' ? -1 : 1)

  function end() {
    if (touched === null) return
    clearTimeout(touched.timer)
    const { row, distance } = touched
    hint.hidden = true
    row.removeAttribute('data-swiping')
    row.style.translate = ''
    if (distance !== 0 && !isStill())
      row.animate([{ translate: `${distance * sign()}px` }, { translate: '0px' }], 150)
    touched = null
  }

  function hold() {
    if (touched?.state !== 'waiting') return
    clearTimeout(touched.timer)
    touched.state = 'done'
    gestures().onHold(touched.id)
  }

  function start(event: TouchEvent) {
    end()
    const { target, touches } = event
    const [finger] = touches
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
    if (!finger || touches.length > 1 || row === null) return
    if (finger.clientX < edge || finger.clientX > window.innerWidth - edge) return
    const id = row.dataset.row ?? ''
    const isBox = target instanceof Element && target.closest('label') !== null
    touched = {
      row,
      id,
      x: finger.clientX,
      y: finger.clientY,
      swipes: gestures().swipesOf(id),
      distance: 0,
      state: 'waiting',
      timer: isBox ? undefined : setTimeout(hold, holdMilliseconds),
    }
  }

  function move({ touches: [finger] }: TouchEvent) {
    if (touched === null || !finger || touched.state === 'done') return
    const [x, y] = [finger.clientX - touched.x, finger.clientY - touched.y]
    if (touched.state === 'waiting') {
      const meaning = meaningOf(x, y)
      if (meaning === null) return
      if (meaning === 'scroll' || touched.swipes === null) return end()
      clearTimeout(touched.timer)
      touched.state = 'swipe'
    }
    touched.distance = x * sign()
    show(touched)
  }

  function show({ row, distance, swipes }: Touched) {
    if (swipes === null) return
    const action = swipeAt(distance, row.offsetWidth, swipes)
    const named = action ?? (distance > 0 ? swipes.forward : 'reject')
    const [place, area] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
    Object.assign(hint.style, { top: `${place.top - area.top}px`, height: `${place.height}px` })
    Object.assign(hint.dataset, { action: named, side: distance > 0 ? 'start' : 'end' })
    hint.toggleAttribute('data-armed', action !== null)
    hint.toggleAttribute('data-over', isStill())
    hint.textContent = gestures().words[named]
    hint.hidden = false
    row.setAttribute('data-swiping', '')
    if (!isStill()) row.style.translate = `${distance * sign()}px`
  }

  function leave(event: TouchEvent) {
    if (touched === null) return
    const { state, id, row, distance, swipes } = touched
    // The browser would click, unless it scrolls.
    if (state !== 'waiting' && event.cancelable) event.preventDefault()
    const action = swipes === null || state !== 'swipe' ? null : swipeAt(distance, row.offsetWidth, swipes)
    end()
    if (action !== null) gestures().onSwipe(id, action)
  }

  /** The browser's menu of a link opens after a long press, on some phones before the time is over. */
  function menu(event: Event) {
    if (touched === null) return
    event.preventDefault()
    hold()
  }

  list.addEventListener('touchstart', start, { passive: true })
  list.addEventListener('touchmove', move, { passive: true })
  list.addEventListener('touchend', leave)
  list.addEventListener('touchcancel', end)
  list.addEventListener('contextmenu', menu)
  return () => {
    end()
    list.removeEventListener('touchstart', start)
    list.removeEventListener('touchmove', move)
    list.removeEventListener('touchend', leave)
    list.removeEventListener('touchcancel', end)
    list.removeEventListener('contextmenu', menu)
  }
}
