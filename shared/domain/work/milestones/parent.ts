import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { LinkableType } from '#shared/domain/collaboration/records/types.ts';
import { invalidField } from '#shared/errors.ts';

/** The record that a milestone belongs to: one at most. */

/** The type of the record in each field. */
const parentFields = {
  deal_id: 'deals',
  space_id: 'spaces',
  organization_id: 'organizations',
  contact_id: 'contacts',
} as const satisfies Record<string, LinkableType>;

type ParentField = keyof typeof parentFields;

type Ids<Id> = { [Field in ParentField]: Id };

const fields = Object.entries(parentFields) as [ParentField, LinkableType][];

const idIn = (parent: RecordRef | null, type: LinkableType) => (parent?.type === type ? parent.id : null);

export const shownParent = (parent: RecordRef | null) =>
  Object.fromEntries(fields.map(([field, type]) => [field, idIn(parent, type)])) as Ids<string | null>;

/**
 * The parent after a request. One that the caller does not see stays unless another is sent, or its field is cleared. 400
 * `invalid` for a second one, 404 for one that is not visible.
 */
export async function parentAfter(
  before: RecordRef | null,
  sent: Partial<Ids<string | null | undefined>>,
  linked: LinkedRecords,
): Promise<RecordRef | null> {
  const named = fields.flatMap(([field, type]) => {
    const id = sent[field];
    return typeof id === 'string' ? [{ field, ref: { type, id } }] : [];
  });
  const replaced = fields.some(([field, type]) => type === before?.type && sent[field] !== undefined);
  const kept = replaced ? null : before;
  const [first, second] = named;
  if (!first) return kept;
  const visible = kept && (await linked.find(kept));
  const further = visible ? first : second;
  if (further)
    throw invalidField(further.field, 'invalid', 'is one record too many: a milestone belongs to one');
  await linked.requireAll([first.ref]);
  return first.ref;
}
