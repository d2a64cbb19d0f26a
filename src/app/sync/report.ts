/** The result of a sync, or its plan. Paths are those of record files. */
export interface SyncReport {
  readonly sent: string[];
  readonly received: string[];
  /** Removed here because others removed them. */
  readonly removed: string[];
  /** Removed on the server because they were removed here. */
  readonly retracted: string[];
  /** Changed on both sides and joined by field. */
  readonly merged: string[];
  /** Changed on both sides in the same fields: the file holds both versions. */
  readonly conflicts: { readonly path: string; readonly fields: readonly string[] }[];
  /** Wait for a reviewer on the server. */
  readonly proposed: { readonly path: string; readonly proposal: string }[];
  /** Neither sent nor replaced, and why. */
  readonly held: { readonly path: string; readonly why: string }[];
  /** Refused by the server, or received but invalid. */
  readonly refused: { readonly path: string; readonly why: string }[];
  /** Removed here, but changed by others since, so restored. */
  readonly returned: string[];
  /** Missing here, though Holdfast did not remove them. */
  readonly vanished: string[];
  /** The server had lost versions that it had acknowledged, and received them again. */
  readonly restored: boolean;
}

export const emptyReport = (): SyncReport & { restored: boolean } => ({
  sent: [],
  received: [],
  removed: [],
  retracted: [],
  merged: [],
  conflicts: [],
  proposed: [],
  held: [],
  refused: [],
  returned: [],
  vanished: [],
  restored: false,
});
