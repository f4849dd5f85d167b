import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { CustomField, DefinedType } from './custom-field.ts';
import { singleValues, type Values } from './values.ts';

/**
 * Values of unique fields belong to one record each, whoever sees it. 409 `custom_field_taken`. Of records that had the
 * same value before the definition, one has it; the others keep theirs without it.
 */

export interface Holding {
  id: string;
  values: Values;
}

/** A change of a record: what it, and another one that becomes part of it, had, and what it, and one that was part of it, has. */
export interface Exchange {
  account_id: string;
  before: Holding[];
  /** None when it is deleted. */
  after: Holding[];
}

const namesOf = (type: DefinedType, { id, key }: CustomField) =>
  new UniqueNames(
    (account_id, value) => keys.customValue(account_id, id, value),
    () =>
      new ApiError('custom_field_taken', {
        fields: {
          [`custom_fields.${key}`]: { code: 'taken', message: `is on another of the ${type}` },
        },
      }),
    (value) => value,
  );

const nameIn = (field: CustomField, holding: Holding | undefined): string | undefined =>
  holding && singleValues(field, holding.values).map(String)[0];

const isUnchanged = (field: CustomField, { before, after }: Exchange) =>
  before.length === 1 && after.length === 1 && nameIn(field, before[0]) === nameIn(field, after[0]);

async function fieldWrites(
  table: Table,
  type: DefinedType,
  field: CustomField,
  { account_id, before, after }: Exchange,
): Promise<Write[]> {
  const names = namesOf(type, field);
  const namesIn = (holdings: Holding[]) => holdings.flatMap((each) => nameIn(field, each) ?? []);
  const had = namesIn(before);
  const all = [...new Set([...had, ...namesIn(after)])];
  const holders = await names.find(table, account_id, all);
  return all.flatMap((name): Write[] => {
    const holder = holders.get(name);
    const own = before.some(({ id }) => id === holder);
    const wanting = after.filter((each) => nameIn(field, each) === name).map(({ id }) => id);
    const [to, other] = wanting;
    if (to === undefined)
      return [own ? names.free(account_id, name, holder as string) : names.asRead(account_id, name, holder)];
    // Both cannot have it: 409 as for any record that has it already.
    if (other !== undefined) return [names.take(account_id, name, other)];
    if (holder === to) return [];
    if (own) return [names.pass(account_id, name, { from: holder as string, to })];
    if (!had.includes(name)) return [names.take(account_id, name, to)];
    // One that had it before may keep it without being its holder.
    return holder === undefined ? [names.hold(account_id, name, to)] : [];
  });
}

/** The writes by which values change hands: they fail when another request changes a holder meanwhile. */
export async function uniqueWrites(
  table: Table,
  type: DefinedType,
  fields: CustomField[],
  exchange: Exchange,
): Promise<Write[]> {
  const changing = fields.filter((field) => field.unique && !isUnchanged(field, exchange));
  const writes = await Promise.all(changing.map((field) => fieldWrites(table, type, field, exchange)));
  return writes.flat();
}

/** The writes by which a record gets the values that it has had since before the definition, and nobody holds. */
export async function claims(
  table: Table,
  type: DefinedType,
  fields: CustomField[],
  { account_id, holding }: { account_id: string; holding: Holding },
): Promise<Write[]> {
  const unique = fields.filter((field) => field.unique && nameIn(field, holding) !== undefined);
  const writes = await Promise.all(
    unique.map(async (field) => {
      const name = nameIn(field, holding) as string;
      const names = namesOf(type, field);
      const holders = await names.find(table, account_id, [name]);
      return holders.has(name) ? [] : [names.hold(account_id, name, holding.id)];
    }),
  );
  return writes.flat();
}
