import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { changeOf, type Display } from '#shared/domain/collaboration/replies/display.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { ActionContext } from './action.ts';

/** The fields of records as people read them. */
export interface ShownField<R> {
  name: string;
  /** Fields with different values are shown. */
  value(record: R): unknown;
  /** Null for none. */
  show(record: R): string | null;
}

/** The changed fields; of a new record those that it has. */
export function changesOf<R>(fields: ShownField<R>[], { before, after }: Plan<R>): Display['changes'] {
  return fields
    .filter(({ value, show }) =>
      before ? !isDeepStrictEqual(value(before), value(after)) : show(after) !== null,
    )
    .map(({ name, show }) => changeOf(name, before ? show(before) : null, show(after)));
}

/** An entry of a list: its texts, with the label in brackets. */
export function showEntry({ id: _, label, ...content }: { id: string; label?: string | null }): string {
  const texts = Object.values(content).filter((value) => typeof value === 'string');
  return [...texts, ...(label ? [`(${label})`] : [])].join(' ');
}

function show(value: unknown): string | null {
  if (value === null || value === undefined || value === false) return null;
  if (value === true) return 'yes';
  if (!Array.isArray(value)) return String(value) || null;
  return value.map((each) => (typeof each === 'string' ? each : showEntry(each))).join(', ') || null;
}

/** A field whose values are texts, numbers, or lists of entries with texts. */
export const plainField = <R>(name: keyof R & string): ShownField<R> => ({
  name,
  value: (record) => record[name],
  show: (record) => show(record[name]),
});

/** A field that is shown by a text that is not its value. */
export const shownField = <R>(name: keyof R & string, show: (record: R) => string | null): ShownField<R> => ({
  name,
  value: (record) => record[name],
  show,
});

function showCustom(json: string): string | null {
  const fields = Object.entries(JSON.parse(json));
  const shown = fields.map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return shown.join(', ') || null;
}

export const customFields = <R extends { custom_fields: string }>(): ShownField<R> =>
  shownField<R>('custom_fields', ({ custom_fields }) => showCustom(custom_fields));

/** The user by name. */
export async function assigneeField<R extends { assigned_user_id: string | null }>(
  { table, caller }: ActionContext,
  { before, after }: Plan<R>,
): Promise<ShownField<R>> {
  const ids = [before, after].flatMap((record) => record?.assigned_user_id ?? []);
  const users = await findUsers(table, caller.account.id, [...new Set(ids)]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return shownField<R>(
    'assigned_user_id',
    ({ assigned_user_id }) => names.get(assigned_user_id ?? '') ?? assigned_user_id,
  );
}
