/** Dialogs over a page, which only scripts have. */

/** Makes a dialog with a name, which is removed when it is closed. */
export function openDialog(name: string, className: string, parts: readonly Node[]) {
  const dialog = element('dialog', { className, ariaLabel: name }, parts)
  dialog.addEventListener('close', () => dialog.remove())
  // Its parts fill it: what is clicked of the dialog itself is what is around it.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  parts: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...parts)
  return made
}
