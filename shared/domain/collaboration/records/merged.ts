/** Two records of which one becomes part of the other (docs/specification/records.md, "Merging"). */
export interface Merged<R> {
  /** The record that stays, as it was and as it becomes. */
  before: R;
  after: R;
  /** The other one: from then on it is no record of its own. */
  gone: R;
}
