/** Statuses by the names that a sandbox gives them. */
import { Status } from '../billing/status.ts'
import { fieldsRefused, printValue } from '../surface/field-problems.ts'
import { presentStatus } from '../wire/subscription.ts'

/** The status that a field names. Throws 400 for a name that no status has in this sandbox. */
export function statusNamed(
  name: string,
  field: string,
  settings: { readonly pausedStatusName: string },
): Status {
  const nameOf = (status: Status) => presentStatus(status, settings)
  const status = Status.options.find((each) => nameOf(each) === name)
  if (status !== undefined) return status
  const message = `${field} must be one of ${Status.options.map(nameOf).join(', ')}; got ${printValue(name)}.`
  throw fieldsRefused([{ field, message }])
}
