/** Whether a dialog is open. The page below it must not react to keys, and no second dialog may open. */
export const isDialogOpen = (): boolean =>
  document.querySelector('dialog[open], [role="alertdialog"]') !== null
