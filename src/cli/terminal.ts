/** How wide what is printed may be. */

/** The width of help and tables where nothing else is known, and the one that they are made for. */
export const USUAL_WIDTH = 80

/** The columns of the terminal; where there is none, or one that does not know its size, those that COLUMNS says. */
export function widthOfOutput(): number {
  const { isTTY, columns = 0 } = process.stdout
  if (isTTY && columns > 0) return columns
  const said = Number(process.env['COLUMNS'])
  return Number.isSafeInteger(said) && said > 0 ? said : USUAL_WIDTH
}
