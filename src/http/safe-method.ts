/** Safe methods, as HTTP calls them: those that ask and change nothing. */
const safe = ['GET', 'HEAD', 'OPTIONS']

/** Whether a method is one of them. */
export function isSafeMethod(method: string): boolean {
  return safe.includes(method)
}
